/* SPDX-License-Identifier: BSD-3-Clause */
/** Times of messages between one pair, from one byte to the largest (IPDPS'10, III.D). */
#ifndef SRV_FACTS_MESSAGES_BENCHMARK_H
#define SRV_FACTS_MESSAGES_BENCHMARK_H

#include "sample/messaging.h"
#include "stats/interval.h"
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

/** Measures powers of two and the sizes halfway between, up to plan->largest; if time is short,
 * without the largest. Then again, round after round, so that the visits of a size are seconds
 * apart: a machine that is faster for a while is so in all sizes, without a step between two of
 * them. Sizes that take long have fewer visits. Errors: those of the network,
 * SERVET_EINTERRUPTED. */
int srv_bench_sizes(const srv_sizes_plan *plan, srv_sizes *sizes, servet_error *error);

/** Measures one more size, `*place` becomes its index; without room or time, or if it is there
 * already, nothing changes and `*place` is -1. Errors: as above. */
int srv_bench_sizes_add(const srv_sizes_plan *plan, double bytes, srv_sizes *sizes, int *place,
                        servet_error *error);

/** The ways to send a batch. */
typedef enum srv_batch_way {
    SRV_BATCH_IN_TURN,
    SRV_BATCH_AT_ONCE,
    SRV_BATCH_AS_ONE,
    SRV_BATCH_WAYS
} srv_batch_way;

enum {
    SRV_BATCH_NUMBERS = 4, /**< 2, 8, 32 and 128 messages */
    SRV_BATCHES_MAX = 128,
    SRV_BATCH_VISITS_TRUSTED = 5, /**< all of fewer are on one side by chance too often */
    SRV_BATCH_VISITS_MAX = 12
};

/** One measurement of a batch in all ways, one right after the other. */
typedef struct srv_batch_visit {
    double moment; /**< s, on the network's clock */
    double seconds[SRV_BATCH_WAYS];
} srv_batch_visit;

/** A number of messages of a size. */
typedef struct srv_batch_point {
    int messages;
    double bytes; /**< of each */
    double cost;  /**< s that a visit takes */
    int visits;
    srv_batch_visit visit[SRV_BATCH_VISITS_MAX];
} srv_batch_point;

typedef struct srv_batches_plan {
    srv_messaging messaging;
    srv_rank_pair pair;
} srv_batches_plan;

/** Messages ascending, of each number the sizes. */
typedef struct srv_batches {
    int count;
    srv_batch_point point[SRV_BATCHES_MAX];
} srv_batches;

/** Measures 2, 8, 32 and 128 messages of 8, 32, 128, .. bytes (2 messages of 8, 16, 32, ..), up to
 * 128 KiB each and 2 MiB in all, but no larger ones where a message takes milliseconds. Then again,
 * round after round; the batches that are clear after six visits have no more, the others twelve.
 * After the deadline there are fewer batches, or visits. Errors: those of the network,
 * SERVET_EINTERRUPTED. */
int srv_bench_batches(const srv_batches_plan *plan, srv_batches *batches, servet_error *error);

/** Measures one more batch, with all its visits; nothing changes if it is there already, or without
 * room, or time for SRV_BATCH_VISITS_TRUSTED of them. Errors: as above. */
int srv_bench_batches_add(const srv_batches_plan *plan, int messages, double bytes,
                          srv_batches *batches, servet_error *error);

/** The time of several messages, in the faster way, divided by that of one; of one visit. */
double srv_batch_gain(const srv_batch_visit *visit);

/** The median of the gains of all visits, at least one, with its 95 % interval. */
srv_interval srv_batch_gains(const srv_batch_point *point);

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

/** Measures, size by size, 1, 2, 4, .. and all messages at once: both ranks of a pair send to each
 * other, but a single message. points[0..*count-1], room for size_count *
 * SRV_CONCURRENT_NUMBERS_MAX, by size and number; fewer after the deadline. Errors: those of the
 * network, SERVET_EINTERRUPTED, SERVET_EMEMORY. */
int srv_bench_concurrent(const srv_concurrent_plan *plan, srv_concurrent_point *points, int *count,
                         servet_error *error);

#endif
