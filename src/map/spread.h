/* SPDX-License-Identifier: BSD-3-Clause */
/** The lightest of many nodes, while the weights of whole ranges of them change. */
#ifndef SRV_MAP_SPREAD_H
#define SRV_MAP_SPREAD_H

#include "map/kind.h"

/** Nodes at the leaves of a binary tree, in an order in which those that are near lie together. */
typedef struct srv_map_spread {
    int size;          /**< leaves: a power of two */
    srv_weight *least; /**< weight of the lightest node below, less what its ancestors add */
    srv_weight *added; /**< to all nodes below */
    int *best;         /**< number of that node */
} srv_map_spread;

/**
 * `count` nodes, node order[i] at leaf i, all without weight; srv_spread_finish() also after a
 * failure. Errors: SERVET_EMEMORY.
 */
int srv_spread_begin(srv_map_spread *spread, const int *order, int count, servet_error *error);

/** Frees the tree. */
void srv_spread_finish(srv_map_spread *spread);

/** Adds `weight` to the nodes at the leaves first..last. */
void srv_spread_add(srv_map_spread *spread, int first, int last, srv_weight weight);

/** The lightest node; among equals that with the lowest number. */
int srv_spread_best(const srv_map_spread *spread);

#endif
