/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/stage.h"

#include "core/error.h"
#include "facts/layers/stage_nodes.h"
#include "run/network/repeat.h"

/* Share of the available time: there are more pairs of nodes, and these cannot stand for each
 * other. */
static const double WITHIN = 0.25;

int srv_network_measure_layers(srv_network_job *job, servet_error *error)
{
    srv_network_job within = srv_network_job_part(job, 0, WITHIN);
    srv_network_forget_layers(job->facts);
    job->facts->message_bytes = job->options->layer_bytes;
    int code = srv_network_layers_of_cores(&within, error);
    srv_network_job between = srv_network_job_part(job, WITHIN, 1);
    if (code == SERVET_OK)
        code = srv_network_layers_of_nodes(&between, error);
    if (code != SERVET_OK)
        return code;
    srv_network_order_layers(job->facts);
    return srv_network_repeat_layers(job, error);
}
