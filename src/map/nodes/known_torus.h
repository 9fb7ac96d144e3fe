/* SPDX-License-Identifier: BSD-3-Clause */
/** The torus that the nodes of the job form. */
#ifndef SRV_MAP_NODES_KNOWN_TORUS_H
#define SRV_MAP_NODES_KNOWN_TORUS_H

#include "servet/network.h"
#include "stats/torus.h"

/** A torus and its costs. */
typedef struct srv_known_torus {
    srv_torus torus; /**< of all nodes of the job; count 0: none is known */
    double step;     /**< seconds that each link adds to a message */
    int layer;       /**< of its messages, from 1 */
    int usual;       /**< links between the nodes whose messages gave the curve of the layer */
} srv_known_torus;

/** Returns the number of layers between nodes; `*layer` and `*number` are the last one. */
int srv_layers_between(const servet_profile *profile, servet_network_layer *layer, int *number);

/** Reads the torus of a profile. There is none if several layers between nodes describe pairs. */
void srv_torus_get(const servet_profile *profile, srv_known_torus *known);

#endif
