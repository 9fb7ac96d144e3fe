/* SPDX-License-Identifier: BSD-3-Clause */
/** The rounds of messages of collective operations, by the algorithms that MPI libraries choose
 * from (Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations in MPICH,
 * IJHPCA 19(1), 2005; barrier: Hensgen, Finkel, Manber, IJPP 17(1), 1988). */
#ifndef SRV_STATS_COLLECTIVE_H
#define SRV_STATS_COLLECTIVE_H

#include "servet/network.h"

/** The senders and receivers of a round. Rank 0 is the root. */
typedef enum srv_collective_way {
    SRV_COLLECTIVE_TREE,     /**< each multiple r of 2 * distance sends to rank r + distance */
    SRV_COLLECTIVE_EXCHANGE, /**< each rank exchanges with the rank that differs in bit `distance`
                              */
    SRV_COLLECTIVE_SHIFT, /**< each rank r sends to rank r + distance, modulo the number of ranks */
} srv_collective_way;

/** A round: messages that are sent at once. */
typedef struct srv_collective_round {
    srv_collective_way way;
    int distance;
    double times; /**< number of such rounds, one after the other: in a pairwise exchange, the
                     rounds with distances up to twice this one */
    double bytes; /**< size of each message */
} srv_collective_round;

/** The limit for SERVET_RANKS_MAX ranks: 2 log2(ranks) + 1 rounds. */
enum { SRV_COLLECTIVE_ROUNDS_MAX = 41 };

/** The number of algorithms for an operation. */
int srv_collective_algorithms(servet_collective_op op);

/** Stores the rounds of algorithm `algorithm` (from 0) in rounds[]; returns their number, 0 for one
 * rank.
 */
int srv_collective_rounds(servet_collective_op op, int algorithm, int ranks, double bytes,
                          srv_collective_round rounds[SRV_COLLECTIVE_ROUNDS_MAX]);

/** The rank that `rank` sends to in the round; -1 for none. */
int srv_collective_receiver(const srv_collective_round *round, int rank, int ranks);

/** Returns the number of messages of the round; an upper limit if not all ranks have a partner. */
int srv_collective_messages(const srv_collective_round *round, int ranks);

#endif
