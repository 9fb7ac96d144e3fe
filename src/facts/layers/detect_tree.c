/* SPDX-License-Identifier: BSD-3-Clause */
/* The chain of nearest neighbours: each next cluster is the nearest one of the last; two that are
 * nearest to each other are joined. With average linkage the rest of the chain stays valid. Time is
 * in proportion to the pairs. */
#include "facts/layers/detect_tree.h"

#include <stdlib.h>

#include "stats/components.h"

/* Clusters of one block, named by the place of one of their units in it. */
typedef struct clusters {
    float *cost; /* between i and j < i at i * (i - 1) / 2 + j */
    int *size;   /* 0: joined to another */
    int *chain;
    int count, length;
} clusters;

static float *between(const clusters *c, int i, int j)
{
    size_t high = (size_t)(i > j ? i : j), low = (size_t)(i > j ? j : i);
    return &c->cost[high * (high - 1) / 2 + low];
}

static void start_block(clusters *c, const srv_units *units, int block, const double *effect)
{
    int first = units->first[block];
    c->count = units->first[block + 1] - first;
    c->length = 0;
    for (int i = 0; i < c->count; i++) {
        c->size[i] = 1;
        for (int j = 0; j < i; j++)
            *between(c, i, j) = (float)(units->cost[srv_units_at(units, first + i, first + j)] -
                                        effect[first + i] - effect[first + j]);
    }
}

/* The cluster nearest to `i`; of several that are equally near, `before` if it is one of them. */
static int nearest(const clusters *c, int i, int before)
{
    int best = before;
    for (int j = 0; j < c->count; j++)
        if (j != i && c->size[j] > 0 && (best < 0 || *between(c, i, j) < *between(c, i, best)))
            best = j;
    return best;
}

/* Joins b to a: costs to the others become means over all pairs of units. */
static void join(clusters *c, int a, int b)
{
    float a_share = (float)c->size[a] / (float)(c->size[a] + c->size[b]);
    for (int i = 0; i < c->count; i++)
        if (i != a && i != b && c->size[i] > 0) {
            float *cost = between(c, i, a);
            *cost = a_share * *cost + (1 - a_share) * *between(c, i, b);
        }
    c->size[a] += c->size[b];
    c->size[b] = 0;
}

static int any_cluster(const clusters *c)
{
    int i = 0;
    while (c->size[i] == 0)
        i++;
    return i;
}

/* Follows the chain until two clusters are joined. */
static srv_merge next_merge(clusters *c)
{
    if (c->length == 0)
        c->chain[c->length++] = any_cluster(c);
    for (;;) {
        int last = c->chain[c->length - 1], before = c->length > 1 ? c->chain[c->length - 2] : -1;
        int next = nearest(c, last, before);
        if (next == before) {
            srv_merge merge = {*between(c, last, next), last,          next,
                               c->size[last],           c->size[next], 0};
            c->length -= 2;
            join(c, last, next);
            return merge;
        }
        c->chain[c->length++] = next;
    }
}

static int by_height(const void *a, const void *b)
{
    const srv_merge *x = a, *y = b;
    if (x->height < y->height || x->height > y->height)
        return x->height < y->height ? -1 : 1;
    return x->order - y->order;
}

int srv_tree_build(const srv_units *units, const double *effect, srv_merge *merges, float *work,
                   int *size, int *chain)
{
    clusters c = {.cost = work, .size = size, .chain = chain};
    int count = 0;
    for (int b = 0; b < units->block_count; b++) {
        start_block(&c, units, b, effect);
        for (int left = c.count; left > 1; left--) {
            srv_merge merge = next_merge(&c);
            merge.a += units->first[b];
            merge.b += units->first[b];
            merge.order = count;
            merges[count++] = merge;
        }
    }
    qsort(merges, (size_t)count, sizeof *merges, by_height);
    return count;
}

void srv_tree_cut(const srv_units *units, const srv_merge *merges, int count, srv_cut *cut)
{
    srv_components_init(cut->group, units->count);
    for (int m = 0; m < count; m++)
        srv_components_join(cut->group, merges[m].a, merges[m].b);
    srv_components_number(cut->group, units->count);
    srv_cut_set(cut, units->count, cut->group);
}
