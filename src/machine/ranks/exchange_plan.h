/* SPDX-License-Identifier: BSD-3-Clause */
/** Plans the part of each rank in an exchange, and evaluates the samples. Does not use MPI. */
#ifndef SRV_RANKS_EXCHANGE_PLAN_H
#define SRV_RANKS_EXCHANGE_PLAN_H

#include <stdbool.h>

#include "machine/network.h"

enum {
    SRV_NO_RANK = -1,
    SRV_NO_PAIR = -1,
    SRV_EXCHANGE_SAMPLES_MAX = 256,
};

/** The part of one rank. */
typedef struct srv_exchange_part {
    srv_flow flow;
    srv_buffers buffers;
    int bytes;            /**< of a message */
    int batch;            /**< messages that it sends before it receives, or the other way round */
    int to, from;         /**< ranks that it sends to and receives from first, or SRV_NO_RANK. In a
                             ping-pong it has one of them: `to` for who begins, `from` for who
                             answers */
    int group, members;   /**< of a collective operation: the first of the pairs of its group, whose
                             `from` is the root, and their number; elsewhere no members */
    int blocks;           /**< of `bytes` bytes in each buffer */
    int warm_up;          /**< messages (batches, here and below) before anything is sampled */
    int samples;          /**< 0: not yet determined */
    int messages;         /**< of a sample */
    int parent, child[2]; /**< in the tree through which all start together, or SRV_NO_RANK */
} srv_exchange_part;

/** All parts of an exchange. */
typedef struct srv_exchange_plan {
    srv_rank_pair *pair; /**< copies of the exchange's */
    int pair_count;
    double seconds;
    srv_exchange_part *part; /**< of each rank of the job */
    int *member;             /**< of each pair: its `to` */
    int *timed;              /**< of each rank: the pair that its samples time, or SRV_NO_PAIR */
    int *participant;        /**< the ranks that take part, ascending */
    int count;               /**< of them */
} srv_exchange_plan;

/**
 * Divides an exchange among `rank_count` ranks; srv_exchange_plan_finish() frees it. Errors:
 * SERVET_EARGUMENT (no pair, an invalid rank, a rank twice where that is not allowed, an invalid
 * size, no time), SERVET_EMEMORY.
 */
int srv_exchange_plan_init(srv_exchange_plan *plan, const srv_exchange *exchange, int rank_count,
                           servet_error *error);

/**
 * Sets the number of samples and messages to take next, after the slowest pair took `seconds` for
 * one message of the last `tried`. False: a few, to measure their time; true: all.
 */
bool srv_exchange_plan_repeat(srv_exchange_plan *plan, double seconds, double tried);

/** Messages that each pair sends with the number of samples set last. */
double srv_exchange_plan_messages(const srv_exchange_plan *plan);

/**
 * The time of a message from the `count` samples that each pair took, one after the other from a
 * common start: those of pair i from samples[i * SRV_EXCHANGE_SAMPLES_MAX] on, in seconds a
 * message. A pair's samples count while no pair has finished: later ones were taken with fewer
 * messages in flight; all count in a collective operation, whose ranks end when it does. For
 * messages one way the middle is the mean of that time: they use links alternately, and only the
 * sum of all is the bandwidth of a link.
 */
void srv_exchange_plan_times(const double *samples, srv_flow flow, int pair_count, int count,
                             srv_spread *times);

/** A zeroed plan is valid. */
void srv_exchange_plan_finish(srv_exchange_plan *plan);

#endif
