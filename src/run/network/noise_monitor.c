/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/noise_monitor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"

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
    };
    if (!monitor->samplers || !monitor->sampler_of || !monitor->last || !monitor->now)
        return srv_fail_memory(error);
    int code = list_cores(monitor, error);
    for (int rank = 0; rank < job->rank_count; rank++)
        monitor->now[rank] = srv_seen_nothing;
    return code == SERVET_OK ? srv_network_noise_monitor_sample(monitor, error) : code;
}

void srv_network_noise_monitor_finish(srv_network_noise_monitor *monitor)
{
    free(monitor->samplers);
    free(monitor->sampler_of);
    free(monitor->last);
    free(monitor->now);
}

/* The noise of a core belongs to all its ranks, absence to the one that answered. */
static void see(srv_network_noise_monitor *monitor, int rank)
{
    const srv_rank_noise *last = &monitor->last[rank];
    monitor->last[rank].core = monitor->last[monitor->sampler_of[rank]].core;
    srv_see(&monitor->now[rank], &last->core);
    srv_see(&monitor->job->facts->seen[rank], &last->core);
    if (monitor->sampler_of[rank] != rank)
        return;
    srv_see_absence(&monitor->now[rank], &last->absence);
    srv_see_absence(&monitor->job->facts->seen[rank], &last->absence);
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
    return layer->between_nodes ? ON_CORES : ON_MEMORY;
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

/* Who may have spoilt a benchmark's facts of a layer; and how these lose their trust. */
typedef doubtful suspect(const srv_network_noise_monitor *monitor, const srv_network_layer *layer);
typedef void forget(srv_network_layer *layer);

static void distrust_each(const srv_network_noise_monitor *monitor, srv_network_benchmark benchmark,
                          suspect *find, forget *mark)
{
    srv_network_facts *facts = monitor->job->facts;
    for (int i = 0; i < facts->layer_count; i++) {
        doubtful found = find(monitor, &facts->layer[i]);
        if (found.rank < 0)
            continue;
        mark(&facts->layer[i]);
        say_why(monitor, &found, facts->layer[i].doubt[benchmark]);
    }
}

/* Its typical pair, or a good part of all. */
static doubtful suspect_of_layer(const srv_network_noise_monitor *monitor,
                                 const srv_network_layer *layer)
{
    doubtful pair = doubtful_pair(monitor, layer);
    doubtful all = doubtful_ranks(monitor, 0, monitor->job->node_count, layer->between_nodes,
                                  resting_of(layer));
    if (pair.rank >= 0 || all.share <= DOUBTFUL_SHARE)
        return pair;
    return all;
}

static void distrust_layer(srv_network_layer *layer)
{
    layer->latency.trusted = layer->bandwidth.trusted = false;
}

static void distrust_curve(srv_network_layer *layer)
{
    for (int k = 0; k < layer->curve_count; k++)
        layer->curve[k].time.trusted = false;
    for (int k = 0; k < layer->protocol_count; k++)
        layer->protocol[k].from.trusted = layer->protocol[k].latency.trusted =
            layer->protocol[k].bandwidth.trusted = false;
}

/* Who sends among many waits for the others: one of them that is held up holds up more. */
static doubtful suspect_of_many(const srv_network_noise_monitor *monitor,
                                const srv_network_layer *layer)
{
    int node = monitor->job->ranks[layer->pair.from].node;
    return layer->between_nodes
               ? doubtful_ranks(monitor, 0, monitor->job->node_count, false, ON_MEMORY)
               : doubtful_ranks(monitor, node, node + 1, false, ON_MEMORY);
}

static void distrust_together(srv_network_layer *layer)
{
    for (int k = 0; k < layer->together_count; k++)
        layer->together[k].time.trusted = layer->together[k].ratio.trusted = false;
}

static void distrust_layers(const srv_network_noise_monitor *monitor)
{
    srv_network_facts *facts = monitor->job->facts;
    distrust_each(monitor, SRV_NETWORK_LAYERS, suspect_of_layer, distrust_layer);
    for (int i = 0; i < facts->slow_link_count; i++) {
        srv_network_slow_link *link = &facts->slow_link[i];
        if (is_doubtful(monitor, link->pair.from, ON_CORES) ||
            is_doubtful(monitor, link->pair.to, ON_CORES))
            link->fact.factor.trusted = false;
    }
}

static void distrust_curves(const srv_network_noise_monitor *monitor)
{
    distrust_each(monitor, SRV_NETWORK_CURVES, doubtful_pair, distrust_curve);
}

static void distrust_scalability(const srv_network_noise_monitor *monitor)
{
    distrust_each(monitor, SRV_NETWORK_SCALABILITY, suspect_of_many, distrust_together);
}

static void distrust_aggregation(const srv_network_noise_monitor *monitor)
{
    distrust_each(monitor, SRV_NETWORK_AGGREGATION, doubtful_pair, srv_network_distrust_batches);
}

static void distrust_ratios(const srv_network_noise_monitor *monitor, srv_network_ratios *ratios,
                            bool first_only)
{
    int requested = monitor->job->options->nodes;
    int nodes = requested ? requested : monitor->job->node_count;
    doubtful all = doubtful_ranks(monitor, 0, nodes, first_only, first_only ? ON_CORES : ON_MEMORY);
    if (all.rank < 0)
        return;
    for (int i = 0; i < ratios->count; i++)
        ratios->ratio[i].bandwidth.trusted = ratios->ratio[i].ratio.trusted = false;
    say_why(monitor, &all, ratios->doubt);
}

static void distrust_distance(const srv_network_noise_monitor *monitor)
{
    distrust_ratios(monitor, &monitor->job->facts->distance, true);
}

static void distrust_access(const srv_network_noise_monitor *monitor)
{
    distrust_ratios(monitor, &monitor->job->facts->access, false);
}

void srv_network_noise_monitor_distrust(const srv_network_noise_monitor *monitor,
                                        srv_network_benchmark benchmark)
{
    static void (*const distrust[SRV_NETWORK_BENCHMARK_COUNT])(
        const srv_network_noise_monitor *monitor) = {
        [SRV_NETWORK_LAYERS] = distrust_layers,
        [SRV_NETWORK_CURVES] = distrust_curves,
        [SRV_NETWORK_SCALABILITY] = distrust_scalability,
        [SRV_NETWORK_DISTANCE] = distrust_distance,
        [SRV_NETWORK_ACCESS] = distrust_access,
        [SRV_NETWORK_AGGREGATION] = distrust_aggregation,
    };
    distrust[benchmark](monitor);
}
