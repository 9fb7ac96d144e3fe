/* SPDX-License-Identifier: BSD-3-Clause */
/** Times of messages between one pair, from one byte to the largest (IPDPS'10, III.D). */
#ifndef SRV_FACTS_MESSAGES_BENCHMARK_SIZES_H
#define SRV_FACTS_MESSAGES_BENCHMARK_SIZES_H

#include "sample/messaging.h"
#include "stats/moments.h"

/** Two a power of two up to 1 GiB, and those that are added. */
enum { SRV_SIZES_MAX = 128 };

typedef struct srv_sizes_plan {
    srv_messaging messaging;
    srv_rank_pair pair;
    double largest; /**< bytes, at least 1 */
} srv_sizes_plan;

/** Visits of one size that are kept. */
enum { SRV_SIZE_VISITS_MAX = 16 };

typedef struct srv_message_size {
    double bytes;
    servet_value time; /**< s: result of the visits */
    int visits;
    srv_repeat visit[SRV_SIZE_VISITS_MAX];
} srv_message_size;

/** A curve: sizes ascending. */
typedef struct srv_sizes {
    int count;
    srv_message_size size[SRV_SIZES_MAX];
} srv_sizes;

/**
 * Measures powers of two and the sizes halfway between, up to plan->largest; if time is short,
 * without the largest. Then again, round after round, so that the visits of a size are seconds
 * apart: a machine that is faster for a while is so in all sizes, without a step between two of
 * them. Sizes that take long have fewer visits. Errors: those of the network, SERVET_EINTERRUPTED.
 */
int srv_bench_sizes(const srv_sizes_plan *plan, srv_sizes *sizes, servet_error *error);

/**
 * Measures one more size, `*place` becomes its index; without room or time, or if it is there
 * already, nothing changes and `*place` is -1. Errors: as above.
 */
int srv_bench_sizes_add(const srv_sizes_plan *plan, double bytes, srv_sizes *sizes, int *place,
                        servet_error *error);

#endif
