/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The rounds of messages of collective operations, by the algorithms that MPI libraries choose from
 * (Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations in MPICH,
 * IJHPCA 19(1), 2005; barrier: Hensgen, Finkel, Manber, IJPP 17(1), 1988).
 */
#ifndef SRV_STATS_COLLECTIVE_H
#define SRV_STATS_COLLECTIVE_H

#include "servet/network.h"

/** Who sends in a round; ranks from 0, the root. */
typedef enum srv_collective_way {
    SRV_COLLECTIVE_TREE, /**< multiples of 2 * distance, each to the rank `distance` further on */
    SRV_COLLECTIVE_EXCHANGE, /**< each and the rank whose number has the bit `distance` changed */
    SRV_COLLECTIVE_SHIFT,    /**< each to the rank `distance` further on, around the end */
} srv_collective_way;

/** Messages at once. */
typedef struct srv_collective_round {
    srv_collective_way way;
    int distance;
    double times; /**< rounds like this one, one after the other: in a pairwise exchange those of
                     distances up to twice this one */
    double bytes; /**< of each message */
} srv_collective_round;

/** For SERVET_RANKS_MAX ranks: twice its logarithm to the base 2, and one. */
enum { SRV_COLLECTIVE_ROUNDS_MAX = 41 };

/** The number of algorithms for an operation. */
int srv_collective_algorithms(servet_collective_op op);

/** Sets rounds[] to those of algorithm `algorithm` (from 0); returns their number, 0 for one rank.
 */
int srv_collective_rounds(servet_collective_op op, int algorithm, int ranks, double bytes,
                          srv_collective_round rounds[SRV_COLLECTIVE_ROUNDS_MAX]);

/** The rank that `rank` sends to in the round; -1 for none. */
int srv_collective_receiver(const srv_collective_round *round, int rank, int ranks);

/** The number of messages of the round, an upper limit where not all ranks have a partner. */
int srv_collective_messages(const srv_collective_round *round, int ranks);

#endif
