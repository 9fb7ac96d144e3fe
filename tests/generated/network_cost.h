/* SPDX-License-Identifier: BSD-3-Clause */
/** The cost of messages on a generated network, by the rules of servet-model(5). */
#ifndef SRV_TESTS_NETWORK_COST_H
#define SRV_TESTS_NETWORK_COST_H

#include "network.h"

/** Nodes count as in the network, not as in the job. Switches (hops) between two nodes. */
int network_hops(const network *made, int from, int to);

/** Seconds of a message alone; `sound`: were no node and no link slow. */
double network_seconds(const network *made, int from, int to, double bytes, bool sound);

/** The same within a node, on the layer number `layer`. */
double network_layer_seconds(const network_layer *layer, double bytes);

/** A ring: `processes` processes of each of `nodes` nodes send to the node at `distance`. */
typedef struct network_ring {
    const int *node; /**< of the network */
    int nodes, processes, distance;
    double bytes;
    const bool *apart; /**< of each node: its messages are not in the mean; NULL: all are */
} network_ring;

/** Mean seconds of the messages of a ring, all at once, each at its max-min fair rate. */
double network_ring_seconds(const network *made, const network_ring *ring);

#endif
