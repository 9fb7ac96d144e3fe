/* SPDX-License-Identifier: BSD-3-Clause */
/** All nodes send at once, each to the one at distance `distance` on a ring of them (Servet 3.0,
 * 4.1 and 4.2): distance fills the links, processes per node fill the interfaces. */
#ifndef SRV_FACTS_DEGRADATION_BENCHMARK_H
#define SRV_FACTS_DEGRADATION_BENCHMARK_H

#include "sample/messaging.h"
#include "stats/interval.h"

typedef struct srv_ring_shift {
    const int *ranks; /**< rank j of node n at [n * stride + j] */
    int nodes;        /**< at least 2 */
    int stride;
    int processes; /**< of each node that send: the first ones */
    int distance;  /**< 1 .. nodes - 1 */
    double bytes;
    const bool *apart; /**< of each node: its messages go with the others, but are not in the mean;
                          NULL: all are. Not of all nodes */
} srv_ring_shift;

/** Measures; process j of a node sends to process j of the other one. `*bandwidth` is that of one
 * message, of the mean time over the nodes, in B/s, with its 95 % interval; a node's processes
 * count with what they get together; `*cost` the seconds that it took. Errors: those of the
 * network, SERVET_EINTERRUPTED, SERVET_EMEMORY. */
int srv_bench_ring_shift(const srv_messaging *on, const srv_ring_shift *shift, double done,
                         srv_interval *bandwidth, double *cost, servet_error *error);

/** Seconds that measuring takes at least, where a byte of a message alone takes so long. */
double srv_ring_shift_seconds(const srv_ring_shift *shift, double byte_seconds);

/** The distance, or number of processes, that is measured after `number`; `number` up to `last`. */
int srv_network_next_number(int number, int last);

#endif
