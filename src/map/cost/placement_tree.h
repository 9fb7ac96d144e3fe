/* SPDX-License-Identifier: BSD-3-Clause */
/** The placement tree: the slot tree of a placement. Slot r is the location of rank r. */
#ifndef SRV_MAP_COST_PLACEMENT_TREE_H
#define SRV_MAP_COST_PLACEMENT_TREE_H

#include "map/placement/placement.h"
#include "map/tree/slot_tree.h"

/** Returns the job's first node of a class; its cores represent the cores of all nodes of the
 * class; -1: there is none. */
int srv_representative_node(const servet_profile *profile, int node_class);

/**
 * Builds the tree of a placement; call srv_slot_tree_finish() also after a failure. Errors: those
 * of srv_slot_tree_begin().
 */
int srv_placement_tree_begin(srv_slot_tree *tree, const servet_map *map,
                             const servet_profile *profile, servet_error *error);

#endif
