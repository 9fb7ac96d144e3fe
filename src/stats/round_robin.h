/* SPDX-License-Identifier: BSD-3-Clause */
/** A round-robin schedule: all pairs of some items, in the smallest number of rounds. */
#ifndef SRV_STATS_ROUND_ROBIN_H
#define SRV_STATS_ROUND_ROBIN_H

#include "stats/grouping.h"

/** Returns the number of rounds in which each of `n` items meets each other one once: n - 1, or n
 * if n is odd. */
int srv_round_robin_rounds(int n);

/** Stores the couples of a round (from 0) in couples[0..result-1], a < b; there is room for n / 2.
 * No item is in two couples; if n is odd, one item is in none. */
int srv_round_robin_round(int n, int round, srv_couple *couples);

/** Chooses `count` of the items 0..total-1, 0 < count <= total, into chosen[0..count-1], ascending:
 * about sqrt(count) runs of neighbours, spread from the first items to the last. Neighbours often
 * share something (a socket, a switch), distant items do not: the sample has both sorts of
 * pairs. */
void srv_sample_runs(int total, int count, int *chosen);

#endif
