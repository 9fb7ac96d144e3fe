/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/job.h"

#include "sample/visit.h"

/* Messages grow until the rate of a link decides, or until the next one took this long. */
static const double FIRST_BYTES = 4096, PROBE_BYTES = 256 * 1024, GROWTH = 4;
static const double PROBE_SECONDS_MAX = 0.5;

enum { NO_PLACE = -1 };

/* --- links ------------------------------------------------------------------------------------ */

static int probe_size(const srv_network_job *job, srv_rank_pair pair, double bytes,
                      double *byte_seconds, double *cost, servet_error *error)
{
    const srv_buffers *buffers = job->options->buffers;
    srv_exchange exchange = {.pairs = &pair,
                             .count = 1,
                             .bytes = bytes,
                             .flow = SRV_FLOW_PING_PONG,
                             .buffers = buffers ? *buffers : SRV_BUFFERS_WARM,
                             .seconds = SRV_VISIT_SECONDS,
                             .warm_bytes = bytes};
    srv_spread time;
    double before = job->network->ops->elapsed(job->network);
    int code = job->network->ops->exchange(job->network, &exchange, &time, error);
    if (code == SERVET_OK)
        *byte_seconds = time.median / bytes;
    *cost = job->network->ops->elapsed(job->network) - before;
    return code;
}

/* A record of an earlier version has the largest size only. */
static int probe(const srv_network_job *job, srv_rank_pair pair, double *byte_seconds,
                 servet_error *error)
{
    double cost = 0;
    int code = SERVET_OK;
    for (double bytes = FIRST_BYTES; bytes <= PROBE_BYTES && GROWTH * cost < PROBE_SECONDS_MAX;
         bytes *= GROWTH) {
        code = probe_size(job, pair, bytes, byte_seconds, &cost, error);
        if (code != SERVET_OK && (code != SERVET_EUNMEASURED || bytes == PROBE_BYTES))
            return code;
    }
    return code;
}

/* A rank in of_node that has a core of its own, with another one before it on the same node. */
static int second_core(const srv_network_job *job)
{
    for (int node = 0; node < job->node_count; node++)
        for (int place = job->first[node] + 1; place < job->first[node + 1]; place++)
            if (!srv_network_job_is_twin(job, place))
                return place;
    return NO_PLACE;
}

static int probe_links(const srv_network_job *job, srv_scale *scale, servet_error *error)
{
    int place = second_core(job), code = SERVET_OK;
    scale->within = place != NO_PLACE;
    scale->between = job->node_count > 1;
    if (scale->within)
        code = probe(job, (srv_rank_pair){job->of_node[place - 1], job->of_node[place]},
                     &scale->byte_within, error);
    if (scale->between && code == SERVET_OK)
        code = probe(job, (srv_rank_pair){job->of_node[job->first[0]], job->of_node[job->first[1]]},
                     &scale->byte_between, error);
    return code;
}

/* --- the job ---------------------------------------------------------------------------------- */

static void count_ranks(const srv_network_job *job, srv_scale *scale)
{
    int requested = job->options->nodes;
    scale->nodes = job->node_count;
    scale->sender_nodes =
        requested > 0 && requested < job->node_count ? requested : job->node_count;
    scale->sender_processes = job->rank_count;
    for (int node = 0; node < job->node_count; node++) {
        int size = srv_network_job_size(job, node);
        scale->cores = size > scale->cores ? size : scale->cores;
        if (node < scale->sender_nodes && size < scale->sender_processes)
            scale->sender_processes = size;
    }
}

void srv_network_scale_learn(const srv_network_job *job, srv_scale *scale)
{
    int count;
    if (!job->profile || servet_network_layer_count(job->profile, &count) != SERVET_OK)
        return;
    scale->within = scale->between = 0;
    for (int i = 1; i <= count; i++)
        *(srv_network_job_layer(job, i).fact.between_nodes ? &scale->between : &scale->within) += 1;
}

/* An earlier job may have seen a link that was a little slower or faster. */
static double message_bytes(const srv_network_job *job, double byte_seconds)
{
    double usual = srv_messaging_largest(byte_seconds, 0);
    servet_ratios before = {.bytes = 0};
    if (job->options->message_bytes > 0)
        return job->options->message_bytes;
    for (int i = SERVET_DEGRADATION_COUNT - 1; i >= 0 && job->profile; i--)
        (void)servet_network_ratios(job->profile, (servet_degradation)i, &before);
    return before.bytes == usual / 2 || before.bytes == 2 * usual ? before.bytes : usual;
}

int srv_network_scale_find(const srv_network_job *job, srv_scale *scale, servet_error *error)
{
    *scale = (srv_scale){.layer_bytes = job->options->layer_bytes};
    count_ranks(job, scale);
    int code = probe_links(job, scale, error);
    scale->message_bytes = message_bytes(job, scale->byte_between);
    srv_network_scale_learn(job, scale);
    return code;
}
