/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/noise_monitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"
#include "facts/network.h"

/* A median survives this share of disturbed samples, and some more. */
static const double DOUBTFUL_SHARE = 0.25;

/* --- sampling --------------------------------------------------------------------------------- */

/* A rank's core, whatever its node calls itself. */
typedef struct rank_core {
    int machine, core, rank;
} rank_core;

static int by_core(const void *a, const void *b)
{
    const rank_core *x = a, *y = b;
    if (x->machine != y->machine)
        return x->machine < y->machine ? -1 : 1;
    return x->core != y->core ? x->core - y->core : x->rank - y->rank;
}

/* Ranks that sampled the noise of one core at the same time would see each other. */
static int list_cores(srv_network_noise_monitor *monitor, servet_error *error)
{
    const srv_network_job *job = monitor->job;
    int n = job->rank_count;
    rank_core *cores = calloc((size_t)n, sizeof *cores);
    if (!cores)
        return srv_fail_memory(error);
    for (int i = 0; i < n; i++)
        cores[i] = (rank_core){job->nodes[job->ranks[i].node].machine, job->ranks[i].core, i};
    qsort(cores, (size_t)n, sizeof *cores, by_core);
    for (int i = 0; i < n; i++) {
        bool same =
            i > 0 && cores[i].machine == cores[i - 1].machine && cores[i].core == cores[i - 1].core;
        if (!same)
            monitor->samplers[monitor->sampler_count++] = cores[i].rank;
        monitor->sampler_of[cores[i].rank] = monitor->samplers[monitor->sampler_count - 1];
    }
    free(cores);
    return SERVET_OK;
}

int srv_network_noise_monitor_begin(srv_network_noise_monitor *monitor, const srv_network_job *job,
                                    servet_error *error)
{
    size_t n = (size_t)job->rank_count;
    *monitor = (srv_network_noise_monitor){
        .job = job,
        .samplers = calloc(n, sizeof *monitor->samplers),
        .sampler_of = calloc(n, sizeof *monitor->sampler_of),
        .sample_seconds =
            srv_noise_sample_seconds(job->options->budget_seconds, SRV_NETWORK_BENCHMARK_COUNT + 1),
        .last = calloc(n, sizeof *monitor->last),
        .now = calloc(n, sizeof *monitor->now),
        .run = calloc(n, sizeof *monitor->run),
    };
    if (!monitor->samplers || !monitor->sampler_of || !monitor->last || !monitor->now ||
        !monitor->run)
        return srv_fail_memory(error);
    int code = list_cores(monitor, error);
    for (int rank = 0; rank < job->rank_count; rank++)
        monitor->now[rank] = monitor->run[rank] = srv_seen_nothing;
    return code == SERVET_OK ? srv_network_noise_monitor_sample(monitor, error) : code;
}

void srv_network_noise_monitor_finish(srv_network_noise_monitor *monitor)
{
    free(monitor->samplers);
    free(monitor->sampler_of);
    free(monitor->last);
    free(monitor->now);
    free(monitor->run);
}

/* The noise of a core belongs to all its ranks, absence to the one that answered. */
static void see(srv_network_noise_monitor *monitor, int rank)
{
    const srv_rank_noise *last = &monitor->last[rank];
    monitor->last[rank].core = monitor->last[monitor->sampler_of[rank]].core;
    srv_see(&monitor->now[rank], &last->core);
    srv_see(&monitor->run[rank], &last->core);
    if (monitor->sampler_of[rank] != rank)
        return;
    srv_see_absence(&monitor->now[rank], &last->absence);
    srv_see_absence(&monitor->run[rank], &last->absence);
}

int srv_network_noise_monitor_sample(srv_network_noise_monitor *monitor, servet_error *error)
{
    const srv_network_job *job = monitor->job;
    int code = job->network->ops->noise(job->network, monitor->samplers, monitor->sampler_count,
                                        monitor->sample_seconds, monitor->last, error);
    for (int rank = 0; rank < job->rank_count && code == SERVET_OK; rank++)
        see(monitor, rank);
    return code;
}

void srv_network_noise_monitor_next(srv_network_noise_monitor *monitor)
{
    for (int rank = 0; rank < monitor->job->rank_count; rank++) {
        monitor->now[rank] = srv_seen_nothing;
        srv_see(&monitor->now[rank], &monitor->last[rank].core);
    }
}

int srv_network_noise_monitor_record(const srv_network_noise_monitor *monitor, servet_error *error)
{
    const srv_network_job *job = monitor->job;
    servet_run run;
    if (servet_profile_run(job->profile, &run) != SERVET_OK)
        return SERVET_OK;
    for (int rank = 0; rank < job->rank_count; rank++)
        srv_seen_record(&monitor->run[rank], &run);
    return servet_profile_set_run(job->profile, &run, error);
}

/* --- doubts ----------------------------------------------------------------------------------- */

/* Resources of messages besides the cores of their ranks: within a node, and while all its
 * processes send at once, caches and memory that other programs use, too. */
typedef enum resting { ON_CORES, ON_MEMORY } resting;

static void reason_of(const srv_network_noise_monitor *monitor, int rank, resting on,
                      char reason[SERVET_TEXT_MAX])
{
    srv_seen_reason(&monitor->now[rank], reason);
    if (!*reason && on == ON_MEMORY)
        srv_seen_shared_reason(&monitor->now[rank], reason);
}

static bool is_doubtful(const srv_network_noise_monitor *monitor, int rank, resting on)
{
    char reason[SERVET_TEXT_MAX];
    reason_of(monitor, rank, on, reason);
    return *reason != '\0';
}

static resting resting_of(const srv_network_layer *layer)
{
    return layer->fact.between_nodes ? ON_CORES : ON_MEMORY;
}

/* Share of the ranks that sampled that had too much noise. */
typedef struct doubtful {
    double share;
    int rank; /* one of them; -1: none is */
    resting on;
} doubtful;

static doubtful doubtful_pair(const srv_network_noise_monitor *monitor,
                              const srv_network_layer *layer)
{
    resting on = resting_of(layer);
    if (is_doubtful(monitor, layer->pair.from, on))
        return (doubtful){1, layer->pair.from, on};
    return is_doubtful(monitor, layer->pair.to, on) ? (doubtful){1, layer->pair.to, on}
                                                    : (doubtful){0, -1, on};
}

/* Counts all ranks of the nodes first..end-1, or the first of each. */
static doubtful doubtful_ranks(const srv_network_noise_monitor *monitor, int first, int end,
                               bool first_only, resting on)
{
    const srv_network_job *job = monitor->job;
    int examined = 0, count = 0, one = -1;
    for (int node = first; node < end; node++)
        for (int place = job->first[node];
             place < (first_only ? job->first[node] + 1 : job->first[node + 1]); place++) {
            int rank = job->of_node[place];
            bool is = is_doubtful(monitor, rank, on);
            examined++;
            count += is;
            one = is && one < 0 ? rank : one;
        }
    return (doubtful){(double)count / examined, one, on};
}

/* "node07: other work took 51 % of the core's time" */
static void say_why(const srv_network_noise_monitor *monitor, const doubtful *doubt,
                    char reason[SERVET_TEXT_MAX])
{
    const srv_network_job *job = monitor->job;
    char text[SERVET_TEXT_MAX];
    reason_of(monitor, doubt->rank, doubt->on, text);
    snprintf(reason, SERVET_TEXT_MAX, "%.64s: %.180s",
             job->nodes[job->ranks[doubt->rank].node].name, text);
}

/* --- what to doubt ---------------------------------------------------------------------------- */

/* Finds who may have spoilt a benchmark's facts of a layer. */
typedef doubtful suspect(const srv_network_noise_monitor *monitor, const srv_network_layer *layer);

/* Its typical pair, or a good part of all. */
static doubtful suspect_of_layer(const srv_network_noise_monitor *monitor,
                                 const srv_network_layer *layer)
{
    doubtful pair = doubtful_pair(monitor, layer);
    doubtful all = doubtful_ranks(monitor, 0, monitor->job->node_count, layer->fact.between_nodes,
                                  resting_of(layer));
    return pair.rank >= 0 || all.share <= DOUBTFUL_SHARE ? pair : all;
}

/* Who sends among many waits for the others: one of them that is held up holds up more. */
static doubtful suspect_of_many(const srv_network_noise_monitor *monitor,
                                const srv_network_layer *layer)
{
    int node = monitor->job->ranks[layer->pair.from].node;
    return layer->fact.between_nodes
               ? doubtful_ranks(monitor, 0, monitor->job->node_count, false, ON_MEMORY)
               : doubtful_ranks(monitor, node, node + 1, false, ON_MEMORY);
}

/* Who may have spoilt the facts of each layer; without `find`, all processes spoil those of the
 * whole network, or one of each node. */
static const struct {
    suspect *find;
    bool first_only;
} suspects[SRV_NETWORK_BENCHMARK_COUNT] = {
    [SRV_NETWORK_LAYERS] = {suspect_of_layer, false},
    [SRV_NETWORK_CURVES] = {doubtful_pair, false},
    [SRV_NETWORK_SCALABILITY] = {suspect_of_many, false},
    [SRV_NETWORK_DISTANCE] = {NULL, true},
    [SRV_NETWORK_ACCESS] = {NULL, false},
    [SRV_NETWORK_AGGREGATION] = {doubtful_pair, false},
};

static int distrust(const srv_network_noise_monitor *monitor, const doubtful *found,
                    const char *facts, int number, servet_error *error)
{
    char names[2 * SERVET_TEXT_MAX], reason[SERVET_TEXT_MAX];
    if (found->rank < 0)
        return SERVET_OK;
    srv_plan_name_facts(facts, number, names, sizeof names);
    say_why(monitor, found, reason);
    return servet_profile_distrust(monitor->job->profile, 0, names, reason, error);
}

static int distrust_layers(const srv_network_noise_monitor *monitor, suspect *find,
                           const char *facts, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 1; i <= srv_network_job_layers(monitor->job) && code == SERVET_OK; i++) {
        srv_network_layer layer = srv_network_job_layer(monitor->job, i);
        doubtful found = find(monitor, &layer);
        code = distrust(monitor, &found, facts, i, error);
    }
    return code;
}

static int distrust_ratios(const srv_network_noise_monitor *monitor, bool first_only,
                           const char *facts, servet_error *error)
{
    int requested = monitor->job->options->nodes;
    int nodes = requested ? requested : monitor->job->node_count;
    doubtful all = doubtful_ranks(monitor, 0, nodes, first_only, first_only ? ON_CORES : ON_MEMORY);
    return distrust(monitor, &all, facts, 0, error);
}

/* The first ranks of a good part of the nodes at an end of a link; -1: those of fewer, or none. */
static doubtful doubtful_end(const srv_network_noise_monitor *monitor, const char *nodes)
{
    const srv_network_job *job = monitor->job;
    doubtful all = {0, -1, ON_CORES};
    int count = 0;
    for (int node = 0; node < job->node_count; node++)
        if (srv_ranges_contain(nodes, node)) {
            doubtful one = doubtful_ranks(monitor, node, node + 1, true, ON_CORES);
            all.rank = one.rank >= 0 ? one.rank : all.rank;
            all.share += one.share;
            count++;
        }
    return all.share > DOUBTFUL_SHARE * count ? all : (doubtful){0, -1, ON_CORES};
}

static int distrust_links(const srv_network_noise_monitor *monitor, servet_error *error)
{
    servet_slow_link link;
    int code = SERVET_OK;
    for (int i = 0; code == SERVET_OK &&
                    servet_network_slow_link(monitor->job->profile, i, &link) == SERVET_OK;
         i++) {
        doubtful from = doubtful_end(monitor, link.from), to = doubtful_end(monitor, link.to);
        code = distrust(monitor, from.rank >= 0 ? &from : &to, "network.slow_links.#.factor", i + 1,
                        error);
    }
    return code;
}

int srv_network_noise_monitor_distrust(const srv_network_noise_monitor *monitor,
                                       srv_network_benchmark benchmark, servet_error *error)
{
    const char *facts = srv_network_plan[benchmark].facts;
    suspect *find = suspects[benchmark].find;
    int code = find ? distrust_layers(monitor, find, facts, error)
                    : distrust_ratios(monitor, suspects[benchmark].first_only, facts, error);
    return code == SERVET_OK && benchmark == SRV_NETWORK_LAYERS ? distrust_links(monitor, error)
                                                                : code;
}
