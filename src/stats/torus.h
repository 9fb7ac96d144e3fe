/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Routes in a torus whose nodes are numbered along the first dimension, then along the next ones:
 * node n has the coordinate n % extent[0] in the first dimension, and so on with n / extent[0]. A
 * message goes along the first dimension until it is right, then along the next, the shorter way
 * round; where both ways are equally long, upwards.
 */
#ifndef SRV_STATS_TORUS_H
#define SRV_STATS_TORUS_H

/** Most dimensions of a torus: those of the Tofu interconnect. */
enum { SRV_TORUS_DIMENSIONS_MAX = 6 };

/** A torus; count 0: none. */
typedef struct srv_torus {
    int count;                            /**< number of dimensions */
    int extent[SRV_TORUS_DIMENSIONS_MAX]; /**< nodes along each dimension, at least 2 */
} srv_torus;

/** The number of its nodes; 1 if there is none. */
int srv_torus_nodes(const srv_torus *torus);

/** The number of its links, each of one direction: two for each node and dimension. */
int srv_torus_links(const srv_torus *torus);

/** The number of links from one node to another. */
int srv_torus_hops(const srv_torus *torus, int from, int to);

/** Lists these links: 2 * (node * count + dimension) is the link upwards from a node, the next
 * number the link downwards. `links` has room for the largest number of hops, which is less than
 * the number of nodes. Returns the number of links. */
int srv_torus_route(const srv_torus *torus, int from, int to, int *links);

/** Orders the nodes so that halves of the torus, cut across its longest dimension, follow each
 * other, and so on within each half: place[node] is the position of a node, from 0. */
void srv_torus_order(const srv_torus *torus, int *place);

/** Finds, for messages from each node to the one `distance` nodes further, the number of messages
 * that share the busiest link on its way: sharers[node]. Errors: SERVET_EMEMORY. */
int srv_torus_sharers(const srv_torus *torus, int distance, int *sharers);

#endif
