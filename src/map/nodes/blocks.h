/* SPDX-License-Identifier: BSD-3-Clause */
/** Divides a node into equal parts. */
#ifndef SRV_MAP_NODES_BLOCKS_H
#define SRV_MAP_NODES_BLOCKS_H

#include "map/nodes/node_class.h"

/**
 * Adds a grouping of `count` equal groups. The cores of a group share the most groups of the other
 * groupings of the class. Errors: SERVET_EMEMORY.
 */
int srv_blocks_add(srv_map_class *class, int count, srv_weight weight);

#endif
