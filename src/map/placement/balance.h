/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds the node with the least weight, while the weights of ranges of nodes change. */
#ifndef SRV_MAP_PLACEMENT_BALANCE_H
#define SRV_MAP_PLACEMENT_BALANCE_H

#include "map/nodes/node_class.h"

/** Nodes at the leaves of a binary tree, in an order in which close nodes are contiguous. */
typedef struct srv_balance {
    int size;          /**< leaves: a power of two */
    srv_weight *least; /**< weight of the lightest node below, without weights added above */
    srv_weight *added; /**< weight added to all nodes below */
    int *best;         /**< number of the lightest node below */
} srv_balance;

/**
 * Puts node order[i] at leaf i, for `count` nodes without weight. Call srv_balance_finish() also
 * after a failure. Errors: SERVET_EMEMORY.
 */
int srv_balance_begin(srv_balance *balance, const int *order, int count, servet_error *error);

/** Frees the tree. */
void srv_balance_finish(srv_balance *balance);

/** Adds `weight` to the nodes at the leaves first..last. */
void srv_balance_add(srv_balance *balance, int first, int last, srv_weight weight);

/** Returns the node with the least weight; among equals, the one with the lowest number. */
int srv_balance_best(const srv_balance *balance);

#endif
