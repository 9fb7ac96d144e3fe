/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Slots of a machine and the groups of each: the tree along which processes are assigned. Levels
 * are those of communication within nodes, then the node, then those between nodes, then the whole;
 * groups of a level lie within those of the next.
 */
#ifndef SRV_MAP_TREE_SLOT_TREE_H
#define SRV_MAP_TREE_SLOT_TREE_H

#include "servet/profile.h"

/** A slot: the location that one process can have. */
typedef struct srv_map_slot {
    int node;     /**< number of its node, from 0, those of one tree without gaps or not */
    int job_node; /**< number of that in the job that measured the network; -1: took no part */
    int like;     /**< number in the job of a node with the same cores; -1: none */
    int core;     /**< OS number of its first core */
} srv_map_slot;

/** Slots and their groups. */
typedef struct srv_slot_tree {
    int count, levels;
    int node_level;   /**< the level whose groups are the nodes */
    int *layer;       /**< of each level, the layer whose cost messages within it have */
    int *group;       /**< of slot s in level l at [s * levels + l], from 0 in each level */
    int *group_count; /**< of each level */
    int *order;       /**< the slots, those of a group contiguous in every level */
    int *job_node;    /**< of each slot */
} srv_slot_tree;

/**
 * Finds the groups of all slots; call srv_slot_tree_finish() also after a failure. A core or node
 * that is in no group of a layer is a group of its own. Errors: SERVET_EUNMEASURED (no layers),
 * SERVET_EMEMORY.
 */
int srv_slot_tree_begin(srv_slot_tree *tree, const servet_profile *profile,
                        const srv_map_slot *slots, int count, servet_error *error);

/** Frees it. */
void srv_slot_tree_finish(srv_slot_tree *tree);

/** The groups of a slot, by level. */
const int *srv_slot_tree_groups(const srv_slot_tree *tree, int slot);

/** The lowest level in which two slots are in one group. */
int srv_slot_tree_common_level(const srv_slot_tree *tree, int a, int b);

#endif
