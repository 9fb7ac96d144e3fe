/* SPDX-License-Identifier: BSD-3-Clause */
/** A round-robin schedule: all pairs of some things in as few rounds as each has partners. */
#ifndef SRV_STATS_ROUND_ROBIN_H
#define SRV_STATS_ROUND_ROBIN_H

#include "stats/grouping.h"

/** Rounds in which each of `n` things is with each other one once: n - 1, of an odd number n. */
int srv_round_robin_rounds(int n);

/**
 * The couples of a round, counted from 0, into couples[0..result-1], a < b; there is room for n
 * / 2. Nothing is in two of them, and one thing of an odd number is in none.
 */
int srv_round_robin_round(int n, int round, srv_couple *couples);

#endif
