/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows the merges from the lowest on. A merge's height is the mean cost of the pairs that it
 * adds, so the sums do not need the costs. */
#include "facts/layers/detect_cuts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"

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
    follower f = {.units = units};
    f.blocks = calloc((size_t)units->block_count, sizeof *f.blocks);
    f.with_size = calloc((size_t)units->count + 1, sizeof *f.with_size);
    bool ready = f.blocks && f.with_size;
    if (ready) {
        for (int b = 0; b < units->block_count; b++)
            f.blocks[b] = sums_of(units, effect, b);
        f.with_size[1] = units->count;
        f.smallest = f.largest = 1;
        *count = choose(&f, merges, merge_count, merge_counts);
    }
    free(f.blocks);
    free(f.with_size);
    return ready ? SERVET_OK : srv_fail_memory(error);
}
