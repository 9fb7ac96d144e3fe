/* SPDX-License-Identifier: BSD-3-Clause */
/** Rule 3 between nodes: finds the nodes that communicate over fast layers. */
#ifndef SRV_MAP_PLACEMENT_PROXIMITY_H
#define SRV_MAP_PLACEMENT_PROXIMITY_H

#include "core/room.h"
#include "map/nodes/nodes.h"

/** The position of a node among the others. */
typedef struct srv_proximity {
    int layer_count;   /**< number of layers between nodes, fastest first */
    srv_weight *steps; /**< weight that a process adds to the groups of its node, by layer */
    int *order;        /**< the nodes; the nodes of each group are contiguous */
    int *first, *last; /**< positions in `order` of the first and last node of the group that has
                          node n in layer l, at [n * layer_count + l]; first is -1: none has it */
    srv_room room;     /**< has the arrays */
} srv_proximity;

/**
 * Fills an empty `*proximity`; call srv_proximity_finish() also after a failure. Errors:
 * SERVET_EMEMORY.
 */
int srv_proximity_begin(srv_proximity *proximity, const servet_profile *profile,
                        const srv_nodes *nodes, servet_code code, servet_error *error);

/** Frees the memory of the struct. */
void srv_proximity_finish(srv_proximity *proximity);

#endif
