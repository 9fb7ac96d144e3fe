/* SPDX-License-Identifier: BSD-3-Clause */
/** Batches of messages between one pair: one after the other, at once, and as one message. */
#ifndef SRV_FACTS_MESSAGES_BENCHMARK_BATCHES_H
#define SRV_FACTS_MESSAGES_BENCHMARK_BATCHES_H

#include "sample/messaging.h"
#include "stats/interval.h"

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

/**
 * Measures 2, 8, 32 and 128 messages of 8, 32, 128, .. bytes (2 messages of 8, 16, 32, ..), up to
 * 128 KiB each and 2 MiB in all, but no larger ones where a message takes milliseconds. Then again,
 * round after round; the batches that are clear after six visits have no more, the others twelve.
 * After the deadline there are fewer batches, or visits. Errors: those of the network,
 * SERVET_EINTERRUPTED.
 */
int srv_bench_batches(const srv_batches_plan *plan, srv_batches *batches, servet_error *error);

/** Measures one more batch, with all its visits; nothing changes if it is there already, or without
 * room, or time for SRV_BATCH_VISITS_TRUSTED of them. Errors: as above. */
int srv_bench_batches_add(const srv_batches_plan *plan, int messages, double bytes,
                          srv_batches *batches, servet_error *error);

/** The time of several messages, in the faster way, divided by that of one; of one visit. */
double srv_batch_gain(const srv_batch_visit *visit);

/** The median of the gains of all visits, at least one, with its 95 % interval. */
srv_interval srv_batch_gains(const srv_batch_point *point);

#endif
