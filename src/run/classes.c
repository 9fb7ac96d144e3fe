/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/classes.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"

/* --- classes ---------------------------------------------------------------------------------- */

/* A node that was measured, and how well. */
typedef struct candidate {
    int node, trusted; /* `trusted` facts are compared with other nodes */
    double noise;      /* the share of its time that it lost to others; 1 where that is not known */
} candidate;

static int compare_candidates(const void *first, const void *second)
{
    const candidate *a = first, *b = second;
    if (a->trusted != b->trusted)
        return a->trusted > b->trusted ? -1 : 1;
    if (a->noise != b->noise)
        return a->noise < b->noise ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Lists the nodes that were measured, the best measured one first; returns their number. */
static int rank_nodes(servet_profile *const *profiles, int count, candidate *candidates)
{
    int n = 0;
    for (int i = 0; i < count; i++)
        if (profiles[i]) {
            servet_run run;
            bool known = servet_profile_run(profiles[i], &run) == SERVET_OK &&
                         servet_value_known(&run.noise);
            candidates[n++] =
                (candidate){i, srv_compare_classes(profiles[i], 0, profiles[i], 0).compared,
                            known ? run.noise.value : 1};
        }
    qsort(candidates, (size_t)n, sizeof *candidates, compare_candidates);
    return n;
}

/* Sets like[i] to the node that describes the class of node i. A node with few trusted facts is
 * like many others: it joins a class of better measured nodes, and would join different ones if it
 * came first. */
static void find_classes(servet_profile *const *profiles, const candidate *candidates, int count,
                         int *like)
{
    for (int i = 0; i < count; i++) {
        int node = candidates[i].node;
        like[node] = node;
        for (int j = 0; j < i && like[node] == node; j++) {
            int other = candidates[j].node;
            if (like[other] == other &&
                srv_compare_classes(profiles[other], 0, profiles[node], 0).alike)
                like[node] = other;
        }
    }
}

/* The node that describes the largest class; -1 where nothing was measured. */
static int find_usual(servet_profile *const *profiles, const int *like, int *size, int count)
{
    int usual = -1;
    for (int i = 0; i < count; i++)
        if (profiles[i])
            size[like[i]]++;
    for (int i = 0; i < count; i++)
        if (profiles[i] && (usual < 0 || size[like[i]] > size[usual]))
            usual = like[i];
    return usual;
}

/* The class of each node that speaks for one becomes a number in the cluster's profile. */
static int adopt_classes(servet_profile **profiles, const int *like, int count, int usual,
                         int *number, servet_error *error)
{
    int classes = 1, code = SERVET_OK;
    number[usual] = 0;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        char name[SERVET_NAME_MAX];
        if (!profiles[i] || like[i] != i || i == usual)
            continue;
        number[i] = classes++;
        snprintf(name, sizeof name, "other-%d", number[i]);
        code = servet_profile_adopt_class(profiles[usual], profiles[i], name, error);
    }
    return code;
}

static int add_nodes(servet_profile **profiles, const int *like, int count, int usual,
                     const int *number, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        if (profiles[i] && like[i] != i)
            code = servet_profile_add_node(profiles[usual], number[like[i]],
                                           servet_profile_node(profiles[i], NULL, 0), error);
    return code;
}

static int merge(servet_profile **profiles, int count, int *work, candidate *candidates,
                 servet_profile **cluster, servet_error *error)
{
    int *like = work, *size = work + count, *number = work + 2 * count;
    find_classes(profiles, candidates, rank_nodes(profiles, count, candidates), like);
    int usual = find_usual(profiles, like, size, count);
    if (usual < 0)
        return SERVET_OK;
    int code = adopt_classes(profiles, like, count, usual, number, error);
    if (code == SERVET_OK)
        code = add_nodes(profiles, like, count, usual, number, error);
    if (code == SERVET_OK) {
        *cluster = profiles[usual];
        profiles[usual] = NULL;
    }
    return code;
}

int srv_merge_nodes(servet_profile **profiles, int count, servet_profile **cluster,
                    servet_error *error)
{
    int *work = calloc(3 * (size_t)count, sizeof *work);
    candidate *candidates = calloc((size_t)count, sizeof *candidates);
    *cluster = NULL;
    int code = work && candidates ? merge(profiles, count, work, candidates, cluster, error)
                                  : srv_fail_memory(error);
    free(candidates);
    free(work);
    for (int i = 0; i < count; i++) {
        servet_profile_close(profiles[i]);
        profiles[i] = NULL;
    }
    return code;
}
