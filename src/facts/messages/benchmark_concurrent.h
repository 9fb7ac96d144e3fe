/* SPDX-License-Identifier: BSD-3-Clause */
/** More and more messages at once, against one alone (IPDPS'10, III.D). */
#ifndef SRV_FACTS_MESSAGES_BENCHMARK_CONCURRENT_H
#define SRV_FACTS_MESSAGES_BENCHMARK_CONCURRENT_H

#include "sample/messaging.h"

typedef struct srv_concurrent_plan {
    srv_messaging messaging;
    const srv_rank_pair *pairs; /**< no rank in two of them; first those that fill the same nodes */
    int count;                  /**< of pairs, at least 1 */
    const double *bytes;        /**< sizes, ascending */
    int size_count;
} srv_concurrent_plan;

/** A number of messages of a size. */
typedef struct srv_concurrent_point {
    int messages;
    double bytes;
    double seconds;   /**< of one of them: the mean over all, of medians */
    double low, high; /**< 95 % of that mean */
    bool supported;   /**< false: it takes much longer than fewer messages make likely */
} srv_concurrent_point;

/** One, then powers of two, then all; at most 2^31. */
enum { SRV_CONCURRENT_NUMBERS_MAX = 32 };

/**
 * Measures, size by size, 1, 2, 4, .. and all messages at once: both ranks of a pair send to each
 * other, but a single message. points[0..*count-1], room for size_count *
 * SRV_CONCURRENT_NUMBERS_MAX, by size and number; fewer after the deadline. Errors: those of the
 * network, SERVET_EINTERRUPTED, SERVET_EMEMORY.
 */
int srv_bench_concurrent(const srv_concurrent_plan *plan, srv_concurrent_point *points, int *count,
                         servet_error *error);

#endif
