/* SPDX-License-Identifier: BSD-3-Clause */
/** Chooses a sample of many items if there is no time for all. */
#ifndef SRV_STATS_SAMPLE_H
#define SRV_STATS_SAMPLE_H

/**
 * Chooses `count` of the items 0..total-1, 0 < count <= total, into chosen[0..count-1], ascending:
 * about sqrt(count) runs of neighbours, spread from the first items to the last. Neighbours often
 * share something (a socket, a switch), distant items do not: the sample has both sorts of pairs.
 */
void srv_sample_runs(int total, int count, int *chosen);

#endif
