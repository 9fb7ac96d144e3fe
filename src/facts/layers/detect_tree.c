/* SPDX-License-Identifier: BSD-3-Clause */
/* The chain of nearest neighbours: each next cluster is the nearest one of the last; two that are
 * nearest to each other are joined. With average linkage the rest of the chain stays valid. Time is
 * in proportion to the pairs. */
#include "facts/layers/detect_tree.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
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
        /* The cluster nearest to `i`; of equally near ones `before`. */
        int next = before;
        for (int j = 0; j < c->count; j++)
            if (j != last && c->size[j] > 0 &&
                (next < 0 || *between(c, last, j) < *between(c, last, next)))
                next = j;
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
        int first = units->first[b];
        c.count = units->first[b + 1] - first;
        c.length = 0;
        for (int i = 0; i < c.count; i++) {
            c.size[i] = 1;
            for (int j = 0; j < i; j++)
                *between(&c, i, j) =
                    (float)(units->cost[srv_units_at(units, first + i, first + j)] -
                            effect[first + i] - effect[first + j]);
        }
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

/* --- which cuts ------------------------------------------------------------------------------- */

/* Follows the merges from the lowest on. A merge's height is the mean cost of the pairs that it
 * adds, so the sums do not need the costs. */

/* Heights that differ by less than this share of the mean cost are one height, and merits that
 * differ by less than this share are one merit. */
static const double TIE = 1e-6;

typedef struct follower {
    const srv_units *units;
    srv_pair_sums *blocks; /* less effects; inside clusters */
    int *with_size;        /* number of clusters with each number of units */
    int smallest, largest; /* of the clusters' sizes */
    srv_gap gap;
} follower;

static srv_pair_sums sums_of(const srv_units *units, const double *effect, int block)
{
    int first = units->first[block], count = units->first[block + 1] - first;
    srv_pair_sums sums = {.pairs = count * (count - 1.0) / 2};
    for (int i = first; i < first + count; i++)
        sums.sum += units->sum[i] / 2 - effect[i] * (count - 1);
    return sums;
}

static void add_gap(follower *f, const srv_pair_sums *b, double sign)
{
    srv_gap gap = srv_gap_of(b);
    f->gap.contrast += sign * gap.contrast;
    f->gap.weight += sign * gap.weight;
}

static void follow(follower *f, const srv_merge *merge)
{
    srv_pair_sums *b = &f->blocks[f->units->block[merge->a]];
    double pairs = (double)merge->a_size * merge->b_size;
    add_gap(f, b, -1);
    b->inside += pairs;
    b->inside_sum += pairs * merge->height;
    add_gap(f, b, 1);
    int size = merge->a_size + merge->b_size;
    f->with_size[merge->a_size]--;
    f->with_size[merge->b_size]--;
    f->with_size[size]++;
    f->largest = size > f->largest ? size : f->largest;
    while (f->with_size[f->smallest] == 0)
        f->smallest++;
}

/* A kind of cuts, and the best cut of it. */
typedef struct choice {
    double merit;
    int merges;
} choice;

/* If cuts are equally good, the first one counts: it leaves blocks apart that show nothing. */
static void consider(choice *best, double merit, int merges)
{
    if (merit > best->merit * (1 + TIE))
        *best = (choice){merit, merges};
}

static int doublings(int size)
{
    int count = 0;
    while (size >>= 1)
        count++;
    return count;
}

static int choose(follower *f, const srv_merge *merges, int merge_count,
                  int merge_counts[SRV_CUTS_MAX])
{
    choice best[SRV_CUTS_MAX] = {
        {0, 0}}; /* of all cuts, by jump, and for each size of those alike */
    double tie = TIE * f->units->mean;
    int count = 0;
    for (int m = 0; m + 1 < merge_count; m++) {
        follow(f, &merges[m]);
        if (merges[m + 1].height <= merges[m].height + tie)
            continue;
        double explained = srv_gap_explains(f->gap);
        consider(&best[0], explained, m + 1);
        consider(&best[1], merges[m + 1].height - merges[m].height, m + 1);
        if (srv_sizes_alike(f->smallest, f->largest))
            consider(&best[1 + doublings(f->largest)], explained, m + 1);
    }
    for (int k = 0; k < SRV_CUTS_MAX; k++)
        if (best[k].merges > 0)
            merge_counts[count++] = best[k].merges;
    return count;
}

int srv_cuts_choose(const srv_units *units, const double *effect, const srv_merge *merges,
                    int merge_count, int merge_counts[SRV_CUTS_MAX], int *count,
                    servet_error *error)
{
    srv_room room = {0};
    follower f = {.units = units,
                  .blocks = srv_room_take(&room, (size_t)units->block_count, sizeof *f.blocks),
                  .with_size = srv_room_take(&room, (size_t)units->count + 1, sizeof(int))};
    bool ready = !room.failed;
    if (ready) {
        for (int b = 0; b < units->block_count; b++)
            f.blocks[b] = sums_of(units, effect, b);
        f.with_size[1] = units->count;
        f.smallest = f.largest = 1;
        *count = choose(&f, merges, merge_count, merge_counts);
    }
    srv_room_free(&room);
    return ready ? SERVET_OK : srv_fail_memory(error);
}
