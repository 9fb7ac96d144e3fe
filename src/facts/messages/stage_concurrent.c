/* SPDX-License-Identifier: BSD-3-Clause */
/* All cores of a layer send at once. */
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/messages/benchmark.h"
#include "facts/store.h"
#include "run/network/job.h"

/* --- pairs ------------------------------------------------------------------------------------ */

/* A member of a layer's groups, a rank or a node. */
typedef struct member {
    int group, before; /* its group in this layer, and in the layer before */
    int number;
} member;

typedef struct matching {
    const srv_network_job *job;
    bool between_nodes;
    member *members;
    int count;
    srv_rank_pair *pairs;
    int pair_count;
} matching;

static int by_group(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->before != y->before)
        return x->before < y->before ? -1 : 1;
    return x->number - y->number;
}

/* All ranks of two nodes. */
static void pair_nodes(matching *on, int a, int b)
{
    const srv_network_job *job = on->job;
    int first = job->first[a], second = job->first[b];
    for (int i = 0; first + i < job->first[a + 1] && second + i < job->first[b + 1]; i++)
        on->pairs[on->pair_count++] =
            (srv_rank_pair){job->of_node[first + i], job->of_node[second + i]};
}

/* Each member meets the one n / 2 further on, of another group before. */
static void match_group(matching *on, const member *members, int n)
{
    for (int i = 0; i < n / 2; i++)
        if (members[i].before != members[i + n / 2].before) {
            int a = members[i].number;
            int b = members[i + n / 2].number;
            if (on->between_nodes)
                pair_nodes(on, a, b);
            else
                on->pairs[on->pair_count++] = (srv_rank_pair){a, b};
        }
}

/* The group of the typical pair comes first. */
static void list_members(matching *on, const srv_network_layer *layer, const int *group,
                         const int *before)
{
    const srv_network_job *job = on->job;
    int typical = layer->pair.from, node = job->ranks[typical].node;
    for (int place = 0; place < job->rank_count; place++) {
        int rank = job->of_node[place], own = job->ranks[rank].node;
        bool counts = on->between_nodes ? job->first[own] == place
                                        : own == node && !srv_network_job_is_twin(job, place);
        if (!counts || group[rank] < 0)
            continue;
        on->members[on->count++] =
            (member){.group = group[rank] == group[typical] ? -1 : group[rank],
                     .before = before              ? before[rank]
                               : on->between_nodes ? own
                                                   : rank,
                     .number = on->between_nodes ? own : rank};
    }
}

/* The groups of the layer before of the same kind; NULL where there is none. */
static int groups_before(const srv_network_job *job, int number, bool between_nodes, int **before,
                         servet_error *error)
{
    int last = number - 1;
    while (last > 0 && srv_network_job_layer(job, last).fact.between_nodes != between_nodes)
        last--;
    *before = last > 0 ? srv_network_job_groups(job, last) : NULL;
    return last <= 0 || *before ? SERVET_OK : srv_fail_memory(error);
}

/* Pairs of ranks of layer `number` (from 1), no rank in two of them, the largest number that
 * there is: within a node those of the typical pair's node; between nodes all ranks of one node
 * with those of another, so that the first pairs share links and adapters, then those of further
 * nodes. */
static int list_pairs(const srv_network_job *job, int number, srv_rank_pair **pairs, int *count,
                      servet_error *error)
{
    srv_network_layer of = srv_network_job_layer(job, number);
    bool between_nodes = of.fact.between_nodes;
    size_t n = (size_t)job->rank_count;
    int *group = srv_network_job_groups(job, number), *before = NULL;
    matching on = {.job = job,
                   .between_nodes = between_nodes,
                   .members = calloc(n, sizeof *on.members),
                   .pairs = calloc(n / 2 + 1, sizeof *on.pairs)};
    int code = group && on.members && on.pairs
                   ? groups_before(job, number, between_nodes, &before, error)
                   : srv_fail_memory(error);
    if (code == SERVET_OK) {
        list_members(&on, &of, group, before);
        qsort(on.members, (size_t)on.count, sizeof *on.members, by_group);
        for (int first = 0, end; first < on.count; first = end) {
            for (end = first; end < on.count && on.members[end].group == on.members[first].group;)
                end++;
            match_group(&on, on.members + first, end - first);
        }
        *pairs = on.pairs;
        *count = on.pair_count;
    } else {
        free(on.pairs);
    }
    free(group);
    free(before);
    free(on.members);
    return code;
}

/* Small ones, for latency, and large ones, for bandwidth; the layers' own size is between. */
enum { SIZES_MAX = 4 };
static const double SIZES[] = {64, 1024, 1 << 20};

typedef struct scaling {
    srv_network_job *job;
    int number; /* of the layer, from 1 */
    srv_rank_pair *pairs;
    int pair_count;
    double bytes[SIZES_MAX];
    srv_concurrent_point point[SIZES_MAX * SRV_CONCURRENT_NUMBERS_MAX];
    int count;
} scaling;

/* The sizes, ascending, the layers' own among them. */
static int list_sizes(double own, double bytes[SIZES_MAX])
{
    int count = 0;
    bool placed = false;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        if (!placed && own <= SIZES[i]) {
            placed = true;
            if (own < SIZES[i])
                bytes[count++] = own;
        }
        bytes[count++] = SIZES[i];
    }
    if (!placed)
        bytes[count++] = own;
    return count;
}

static int probe(scaling *on, servet_error *error)
{
    bool between_nodes = srv_network_job_layer(on->job, on->number).fact.between_nodes;
    servet_network about = {.nodes = 0};
    (void)servet_network_get(on->job->profile, &about);
    srv_concurrent_plan plan = {.messaging = srv_network_job_messaging(on->job, between_nodes),
                                .pairs = on->pairs,
                                .count = on->pair_count,
                                .bytes = on->bytes,
                                .size_count = list_sizes(about.message_bytes, on->bytes)};
    return srv_bench_concurrent(&plan, on->point, &on->count, error);
}

static int store(const scaling *on, servet_error *error)
{
    servet_together *together = calloc((size_t)on->count + 1, sizeof *together);
    const srv_concurrent_point *alone = on->point;
    if (!together)
        return srv_fail_memory(error);
    for (int i = 0; i < on->count; i++) {
        const srv_concurrent_point *point = &on->point[i];
        alone = point->messages == 1 ? point : alone;
        servet_value time =
            srv_timed(point->seconds, point->low, point->high, point->messages, SERVET_UNIT_SECOND);
        servet_value ratio = srv_timed(point->seconds / alone->seconds, point->low / alone->high,
                                       point->high / alone->low, point->messages, SERVET_UNIT_NONE);
        time.trusted = ratio.trusted = point->supported;
        together[i] = (servet_together){.messages = point->messages,
                                        .bytes = point->bytes,
                                        .time = srv_network_rounded(time),
                                        .ratio = srv_network_rounded(ratio)};
    }
    int code = on->count ? srv_store(SRV_JOB(on->job), together, sizeof *together, on->count, error,
                                     "network.layers.%d.together", on->number)
                         : SERVET_OK;
    free(together);
    return code;
}

static int measure_layer(srv_network_job *job, int number, servet_error *error)
{
    scaling *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->job = job;
    on->number = number;
    int code = list_pairs(job, number, &on->pairs, &on->pair_count, error);
    if (code == SERVET_OK && on->pair_count > 0)
        code = probe(on, error);
    if (code == SERVET_OK)
        code = store(on, error);
    free(on->pairs);
    free(on);
    return code;
}

int srv_network_measure_scalability(srv_network_job *job, servet_error *error)
{
    return srv_network_job_each_layer(job, "network.layers.together", measure_layer, error);
}
