/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/watch.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

/* A median survives this share of disturbed samples, and some more. */
static const double DOUBTFUL_SHARE = 0.25;

/* --- looking ------------------------------------------------------------------------------------
 */

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

/* Ranks that looked at one core at the same time would see each other. */
static int list_cores(srv_network_watch *watch, servet_error *error)
{
    const srv_network_job *job = watch->job;
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
            watch->asked[watch->asked_count++] = cores[i].rank;
        watch->asked_for[cores[i].rank] = watch->asked[watch->asked_count - 1];
    }
    free(cores);
    return SERVET_OK;
}

int srv_network_watch_begin(srv_network_watch *watch, const srv_network_job *job,
                            servet_error *error)
{
    size_t n = (size_t)job->rank_count;
    *watch = (srv_network_watch){
        .job = job,
        .asked = calloc(n, sizeof *watch->asked),
        .asked_for = calloc(n, sizeof *watch->asked_for),
        .look_seconds =
            srv_look_seconds(job->options->budget_seconds, SRV_NETWORK_BENCHMARK_COUNT + 1),
        .last = calloc(n, sizeof *watch->last),
        .now = calloc(n, sizeof *watch->now),
    };
    if (!watch->asked || !watch->asked_for || !watch->last || !watch->now)
        return srv_fail_memory(error);
    int code = list_cores(watch, error);
    for (int rank = 0; rank < job->rank_count; rank++)
        watch->now[rank] = srv_seen_nothing;
    return code == SERVET_OK ? srv_network_watch_look(watch, error) : code;
}

void srv_network_watch_finish(srv_network_watch *watch)
{
    free(watch->asked);
    free(watch->asked_for);
    free(watch->last);
    free(watch->now);
}

int srv_network_watch_look(srv_network_watch *watch, servet_error *error)
{
    const srv_network_job *job = watch->job;
    int code = job->network->ops->noise(job->network, watch->asked, watch->asked_count,
                                        watch->look_seconds, watch->last, error);
    if (code != SERVET_OK)
        return code;
    for (int rank = 0; rank < job->rank_count; rank++) {
        watch->last[rank] = watch->last[watch->asked_for[rank]];
        srv_see(&watch->now[rank], &watch->last[rank]);
        srv_see(&job->facts->seen[rank], &watch->last[rank]);
    }
    return SERVET_OK;
}

void srv_network_watch_next(srv_network_watch *watch)
{
    for (int rank = 0; rank < watch->job->rank_count; rank++) {
        watch->now[rank] = srv_seen_nothing;
        srv_see(&watch->now[rank], &watch->last[rank]);
    }
}

/* --- whom to doubt ------------------------------------------------------------------------------
 */

static bool is_doubtful(const srv_network_watch *watch, int rank)
{
    return !srv_seen_trusted(&watch->now[rank]);
}

static bool is_pair_doubtful(const srv_network_watch *watch, srv_rank_pair pair)
{
    return is_doubtful(watch, pair.from) || is_doubtful(watch, pair.to);
}

/* The share of doubtful ranks among all of the nodes first..end-1, or among the first of each. */
static double doubtful_share(const srv_network_watch *watch, int first, int end, bool first_only)
{
    const srv_network_job *job = watch->job;
    int asked = 0, doubtful = 0;
    for (int node = first; node < end; node++)
        for (int place = job->first[node];
             place < (first_only ? job->first[node] + 1 : job->first[node + 1]); place++) {
            asked++;
            doubtful += is_doubtful(watch, job->of_node[place]);
        }
    return (double)doubtful / asked;
}

/* --- what to doubt ------------------------------------------------------------------------------
 */

static void judge_layers(const srv_network_watch *watch)
{
    srv_network_facts *facts = watch->job->facts;
    for (int i = 0; i < facts->layer_count; i++) {
        srv_network_layer *layer = &facts->layer[i];
        double share = doubtful_share(watch, 0, watch->job->node_count, layer->between_nodes);
        if (share <= DOUBTFUL_SHARE && !is_pair_doubtful(watch, layer->pair))
            continue;
        layer->latency.trusted = layer->bandwidth.trusted = false;
    }
}

static void judge_curves(const srv_network_watch *watch)
{
    srv_network_facts *facts = watch->job->facts;
    for (int i = 0; i < facts->layer_count; i++) {
        srv_network_layer *layer = &facts->layer[i];
        if (!is_pair_doubtful(watch, layer->pair))
            continue;
        for (int k = 0; k < layer->curve_count; k++)
            layer->curve[k].time.trusted = false;
        for (int k = 0; k < layer->protocol_count; k++)
            layer->protocol[k].from.trusted = layer->protocol[k].latency.trusted =
                layer->protocol[k].bandwidth.trusted = false;
    }
}

/* Who sends among many waits for the others: one of them that is held up holds up more. */
static void judge_scalability(const srv_network_watch *watch)
{
    srv_network_facts *facts = watch->job->facts;
    for (int i = 0; i < facts->layer_count; i++) {
        srv_network_layer *layer = &facts->layer[i];
        int node = watch->job->ranks[layer->pair.from].node;
        double share = layer->between_nodes
                           ? doubtful_share(watch, 0, watch->job->node_count, false)
                           : doubtful_share(watch, node, node + 1, false);
        for (int k = 0; k < layer->together_count && share > 0; k++)
            layer->together[k].time.trusted = layer->together[k].ratio.trusted = false;
    }
}

static void judge_ratios(const srv_network_watch *watch, srv_network_ratios *ratios,
                         bool first_only)
{
    int asked = watch->job->options->nodes;
    int nodes = asked ? asked : watch->job->node_count;
    double share = doubtful_share(watch, 0, nodes, first_only);
    for (int i = 0; i < ratios->count && share > 0; i++)
        ratios->ratio[i].bandwidth.trusted = ratios->ratio[i].ratio.trusted = false;
}

static void judge_distance(const srv_network_watch *watch)
{
    judge_ratios(watch, &watch->job->facts->distance, true);
}

static void judge_access(const srv_network_watch *watch)
{
    judge_ratios(watch, &watch->job->facts->access, false);
}

void srv_network_watch_judge(const srv_network_watch *watch, srv_network_benchmark benchmark)
{
    static void (*const judge[SRV_NETWORK_BENCHMARK_COUNT])(const srv_network_watch *watch) = {
        [SRV_NETWORK_LAYERS] = judge_layers,           [SRV_NETWORK_CURVES] = judge_curves,
        [SRV_NETWORK_SCALABILITY] = judge_scalability, [SRV_NETWORK_DISTANCE] = judge_distance,
        [SRV_NETWORK_ACCESS] = judge_access,
    };
    judge[benchmark](watch);
}
