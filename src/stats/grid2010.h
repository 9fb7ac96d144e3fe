/* SPDX-License-Identifier: BSD-3-Clause */
/** The grid of sizes of the papers' method: of its arrays, and of the caches that it can find. */
#ifndef SRV_STATS_GRID2010_H
#define SRV_STATS_GRID2010_H

#include <stddef.h>

/** The size after `bytes` > 0: twice as much below 2 MiB, then 1 MiB more (IPDPS'10, Fig. 1). */
double srv_grid2010_next(double bytes);

/** A pair of items, by their places in a list, a < b, and its measured value. */
typedef struct srv_pair {
    int a, b;
    double value;
} srv_pair;

/** The number of pairs of `n` items. */
static inline size_t srv_pair_count(int n)
{
    return (size_t)n * (size_t)(n - 1) / 2;
}

#endif
