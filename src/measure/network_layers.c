/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/error.h"
#include "measure/network_nodes.h"

/* Of the time that there is: nodes are more, and cannot answer for each other. */
static const double WITHIN = 0.25;

int srv_network_measure_layers(srv_network_job *job, servet_error *error)
{
    srv_network_job within = srv_network_job_part(job, 0, WITHIN);
    srv_network_forget_layers(job->facts);
    job->facts->message_bytes = job->options->layer_bytes;
    int code = srv_network_layers_of_cores(&within, error);
    srv_network_job between = srv_network_job_part(job, WITHIN, 1);
    return code == SERVET_OK ? srv_network_layers_of_nodes(&between, error) : code;
}
