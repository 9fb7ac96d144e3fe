/* SPDX-License-Identifier: BSD-3-Clause */
/** Some of many, where there is no time for all. */
#ifndef SRV_STATS_SAMPLE_H
#define SRV_STATS_SAMPLE_H

/**
 * Chooses `count` of the things 0..total-1, 0 < count <= total, into chosen[0..count-1], ascending:
 * runs of neighbours, each about as long as there are runs, from the first things to the last.
 * Neighbours often share something (a socket, a switch), things far apart do not: both sorts of
 * pairs are in it.
 */
void srv_sample_runs(int total, int count, int *chosen);

#endif
