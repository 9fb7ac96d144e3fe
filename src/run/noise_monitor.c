/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/noise_monitor.h"

#include <stdlib.h>

#include "core/error.h"

/* Ranks that sampled the noise of one core, whatever its nodes call themselves, at the same time
 * would see each other. */
static int list_cores(srv_noise_monitor *monitor, servet_error *error)
{
    const srv_rank *ranks = monitor->ranks;
    int *sorted = srv_ranks_by_core(ranks, monitor->rank_count, monitor->nodes), last = -1;
    if (!sorted)
        return srv_fail_memory(error);
    for (int i = 0; i < monitor->rank_count; i++) {
        int rank = sorted[i];
        bool same =
            last >= 0 && ranks[rank].core == ranks[last].core &&
            monitor->nodes[ranks[rank].node].machine == monitor->nodes[ranks[last].node].machine;
        if (!same)
            monitor->samplers[monitor->sampler_count++] = last = rank;
        monitor->sampler_of[rank] = last;
    }
    free(sorted);
    return SERVET_OK;
}

static int allocate(srv_noise_monitor *monitor, servet_error *error)
{
    size_t n = (size_t)monitor->rank_count;
    monitor->samplers = calloc(n, sizeof *monitor->samplers);
    monitor->sampler_of = calloc(n, sizeof *monitor->sampler_of);
    monitor->last = calloc(n, sizeof *monitor->last);
    monitor->now = calloc(n, sizeof *monitor->now);
    monitor->run = calloc(n, sizeof *monitor->run);
    bool allocated =
        monitor->samplers && monitor->sampler_of && monitor->last && monitor->now && monitor->run;
    return allocated ? SERVET_OK : srv_fail_memory(error);
}

int srv_noise_monitor_begin(srv_noise_monitor *monitor, srv_network *network, double budget,
                            int benchmarks, servet_error *error)
{
    int node_count;
    *monitor = (srv_noise_monitor){
        .network = network, .sample_seconds = srv_noise_sample_seconds(budget, benchmarks + 1)};
    int code = network->ops->describe(network, &monitor->ranks, &monitor->rank_count,
                                      &monitor->nodes, &node_count, error);
    if (code == SERVET_OK)
        code = allocate(monitor, error);
    if (code == SERVET_OK)
        code = list_cores(monitor, error);
    for (int rank = 0; rank < monitor->rank_count && code == SERVET_OK; rank++)
        monitor->now[rank] = monitor->run[rank] = srv_seen_nothing;
    return code == SERVET_OK ? srv_noise_monitor_sample(monitor, error) : code;
}

void srv_noise_monitor_finish(srv_noise_monitor *monitor)
{
    free(monitor->samplers);
    free(monitor->sampler_of);
    free(monitor->last);
    free(monitor->now);
    free(monitor->run);
    *monitor = (srv_noise_monitor){.network = NULL};
}

/* The noise of a core belongs to all its ranks, absence to the one that answered. */
static void see(srv_noise_monitor *monitor, int rank)
{
    srv_rank_noise *last = &monitor->last[rank];
    last->core = monitor->last[monitor->sampler_of[rank]].core;
    srv_see(&monitor->now[rank], &last->core);
    srv_see(&monitor->run[rank], &last->core);
    if (monitor->sampler_of[rank] == rank)
        srv_see_absence(&monitor->now[rank], &last->absence);
}

int srv_noise_monitor_sample(srv_noise_monitor *monitor, servet_error *error)
{
    srv_network *network = monitor->network;
    int code = network->ops->noise(network, monitor->samplers, monitor->sampler_count,
                                   monitor->sample_seconds, monitor->last, error);
    for (int rank = 0; rank < monitor->rank_count && code == SERVET_OK; rank++)
        see(monitor, rank);
    return code;
}

int srv_noise_monitor_wait(srv_noise_monitor *monitor, double seconds, servet_error *error)
{
    srv_network *network = monitor->network;
    if (network->ops->wait)
        return network->ops->wait(network, seconds, error);
    srv_rank_noise before = monitor->last[0];
    int first = 0;
    int code = network->ops->noise(network, &first, 1, seconds, monitor->last, error);
    monitor->last[0] = before;
    return code;
}

void srv_noise_monitor_next(srv_noise_monitor *monitor)
{
    for (int rank = 0; rank < monitor->rank_count; rank++) {
        monitor->now[rank] = srv_seen_nothing;
        srv_see(&monitor->now[rank], &monitor->last[rank].core);
    }
}

void srv_noise_monitor_record(const srv_noise_monitor *monitor, servet_run *run)
{
    for (int rank = 0; rank < monitor->rank_count; rank++)
        srv_seen_record(&monitor->run[rank], run);
}
