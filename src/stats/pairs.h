/* SPDX-License-Identifier: BSD-3-Clause */
/** A quantity between two of many items. */
#ifndef SRV_STATS_PAIRS_H
#define SRV_STATS_PAIRS_H

#include <stddef.h>

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
