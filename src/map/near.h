/* SPDX-License-Identifier: BSD-3-Clause */
/** Rule 3 between nodes: which of them are near to each other. */
#ifndef SRV_MAP_NEAR_H
#define SRV_MAP_NEAR_H

#include "map/nodes.h"

/** Where a node lies among the others. */
typedef struct srv_near {
    int layer_count;   /**< of those between nodes, fastest first */
    int *layer;        /**< their numbers in the profile */
    srv_weight *steps; /**< what a process adds to its node's groups, by layer */
    int *group;        /**< of node n in layer l at [n * layer_count + l]; -1: none */
    int *order;        /**< the nodes, those of a group together */
    int *first, *last; /**< places in `order` of that group's nodes, as `group` */
} srv_near;

/** Fills `*near`, which was empty; srv_near_finish() also after a failure. Errors: SERVET_EMEMORY.
 */
int srv_near_begin(srv_near *near, const servet_profile *profile, const srv_nodes *nodes,
                   servet_code code, servet_error *error);

/** Frees it. */
void srv_near_finish(srv_near *near);

#endif
