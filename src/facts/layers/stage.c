/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/stage.h"

#include <string.h>

#include "core/error.h"
#include "facts/layers/stage_nodes.h"
#include "run/network/repeat.h"

/* Of the time that there is: nodes are more, and cannot answer for each other. */
static const double WITHIN = 0.25;

/* Fastest first: most networks are slower than any memory, but some are faster than the way from
 * socket to socket. Layers of a kind keep their order, for each has groups made of those before. */
static void sort_layers(srv_network_facts *facts, int within_count)
{
    srv_network_layer found[SRV_NETWORK_LAYERS_MAX];
    int within = 0, between = within_count;
    memcpy(found, facts->layer, sizeof found);
    for (int i = 0; i < facts->layer_count; i++) {
        bool other =
            within == within_count || (between < facts->layer_count &&
                                       found[between].latency.value < found[within].latency.value);
        facts->layer[i] = found[other ? between++ : within++];
    }
}

int srv_network_measure_layers(srv_network_job *job, servet_error *error)
{
    srv_network_job within = srv_network_job_part(job, 0, WITHIN);
    srv_network_forget_layers(job->facts);
    job->facts->message_bytes = job->options->layer_bytes;
    int code = srv_network_layers_of_cores(&within, error);
    int within_count = job->facts->layer_count;
    srv_network_job between = srv_network_job_part(job, WITHIN, 1);
    if (code == SERVET_OK)
        code = srv_network_layers_of_nodes(&between, error);
    if (code != SERVET_OK)
        return code;
    sort_layers(job->facts, within_count);
    return srv_network_repeat_layers(job, error);
}
