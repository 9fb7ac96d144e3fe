/* SPDX-License-Identifier: BSD-3-Clause */
/** Times of collective operations of groups of ranks, by operation and size. */
#ifndef SRV_FACTS_MESSAGES_BENCHMARK_COLLECTIVES_H
#define SRV_FACTS_MESSAGES_BENCHMARK_COLLECTIVES_H

#include "sample/messaging.h"
#include "stats/moments.h"

enum {
    SRV_COLLECTIVE_SIZES_MAX = 5, /**< from a double to 512 KiB, sixteen times as large each */
    SRV_COLLECTIVE_POINTS_MAX = SERVET_COLLECTIVE_COUNT * SRV_COLLECTIVE_SIZES_MAX,
    /** The interval of six and more visits is one by ranks (stats/interval.h). */
    SRV_COLLECTIVE_VISITS = 6,
};

typedef struct srv_collectives_plan {
    srv_messaging messaging;
    const srv_rank_pair *pairs; /**< groups, as SRV_FLOW_COLLECTIVE wants them */
    int count;                  /**< of pairs */
    int ranks;                  /**< of the largest group */
    double largest;             /**< bytes in a buffer of a rank at most */
} srv_collectives_plan;

/** An operation of a size. */
typedef struct srv_collective_point {
    servet_collective_op op;
    double bytes;
    srv_repeat visit[SRV_COLLECTIVE_VISITS]; /**< s until the last rank has finished: the mean over
                                                  the groups */
    int visits;
} srv_collective_point;

/**
 * Measures all operations of each size that fits: points[0..*count-1], by operation and size; fewer
 * after the deadline. Errors: those of the network, SERVET_EINTERRUPTED, SERVET_EMEMORY.
 */
int srv_bench_collectives(const srv_collectives_plan *plan,
                          srv_collective_point points[SRV_COLLECTIVE_POINTS_MAX], int *count,
                          servet_error *error);

#endif
