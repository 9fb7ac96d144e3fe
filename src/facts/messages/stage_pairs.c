/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/messages/stage_pairs.h"

#include <stdlib.h>

#include "core/error.h"

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

static void pair_members(matching *on, int a, int b)
{
    if (on->between_nodes)
        pair_nodes(on, a, b);
    else
        on->pairs[on->pair_count++] = (srv_rank_pair){a, b};
}

/* Each of n members, sorted by their groups before, meets the one n / 2 further on: of another
 * group, unless one group has more than half of them. */
static void match_group(matching *on, const member *members, int n)
{
    for (int i = 0; i < n / 2; i++)
        if (members[i].before != members[i + n / 2].before)
            pair_members(on, members[i].number, members[i + n / 2].number);
}

static void match_all(matching *on)
{
    qsort(on->members, (size_t)on->count, sizeof *on->members, by_group);
    for (int first = 0, end; first < on->count; first = end) {
        for (end = first; end < on->count && on->members[end].group == on->members[first].group;)
            end++;
        match_group(on, on->members + first, end - first);
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

int srv_network_layer_pairs(const srv_network_job *job, int number, srv_rank_pair **pairs,
                            int *count, servet_error *error)
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
        match_all(&on);
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
