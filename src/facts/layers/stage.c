/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of cores between which a message costs alike. */
#include <stdlib.h>

#include "core/error.h"
#include "facts/layers/stage_nodes.h"
#include "run/network/repeat.h"

/* Share of the available time: there are more pairs of nodes, and these cannot stand for each
 * other. */
static const double WITHIN = 0.25;

static int measure(srv_network_job *job, srv_layer_list *list, servet_error *error)
{
    srv_network_job within = srv_network_job_part(job, 0, WITHIN);
    int code = srv_network_layers_of_cores(&within, list, error);
    srv_network_job between = srv_network_job_part(job, WITHIN, 1);
    if (code == SERVET_OK)
        code = srv_network_layers_of_nodes(&between, list, error);
    if (code == SERVET_OK)
        code = srv_network_store_layers(job, list, error);
    return code == SERVET_OK ? srv_network_repeat_layers(job, error) : code;
}

int srv_network_measure_layers(srv_network_job *job, servet_error *error)
{
    srv_layer_list *list = calloc(1, sizeof *list);
    if (!list)
        return srv_fail_memory(error);
    int code = measure(job, list, error);
    srv_layer_list_finish(list);
    free(list);
    return code;
}
