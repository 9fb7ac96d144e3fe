/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The slots of a machine and their groups: a tree along which processes are assigned. Its levels
 * are the communication layers within nodes, the node, the layers between nodes, and the whole. The
 * groups of a level lie within groups of the next one.
 */
#ifndef SRV_MAP_TREE_SLOT_TREE_H
#define SRV_MAP_TREE_SLOT_TREE_H

#include "core/room.h"
#include "servet/profile.h"

/** A slot: the location that one process can have. */
typedef struct srv_map_slot {
    int node;     /**< number of its node, from 0; a tree need not contain all numbers */
    int job_node; /**< number of its node in the job that measured the network; -1: took no part */
    int like;     /**< number in the job of a node with the same cores; -1: there is none */
    int core;     /**< OS number of its first core */
} srv_map_slot;

/** Slots and their groups. */
typedef struct srv_slot_tree {
    int count, levels;
    int node_level;   /**< the level whose groups are the nodes */
    int *layer;       /**< for each level, the layer with the cost of its messages */
    int *group;       /**< group of slot s in level l at [s * levels + l], from 0 in each level */
    int *group_count; /**< number of groups of each level */
    int *order;       /**< the slots; in every level, the slots of a group are contiguous */
    int *job_node;    /**< number of each slot's node in the job; -1: took no part */
    int *place;       /**< position of each node of the job by srv_torus_order() */
    int place_count;  /**< 0: the nodes form no torus */
    srv_room room;    /**< has the arrays */
} srv_slot_tree;

/**
 * Finds the groups of all slots; call srv_slot_tree_finish() also after a failure. A core or node
 * that is in no group of a layer is a group by itself. Errors: SERVET_EUNMEASURED (no layers),
 * SERVET_EMEMORY.
 */
int srv_slot_tree_begin(srv_slot_tree *tree, const servet_profile *profile,
                        const srv_map_slot *slots, int count, servet_error *error);

/** Frees the memory of the tree. */
void srv_slot_tree_finish(srv_slot_tree *tree);

/** The groups of a slot, by level. */
const int *srv_slot_tree_groups(const srv_slot_tree *tree, int slot);

/** The lowest level in which two slots are in one group. */
int srv_slot_tree_common_level(const srv_slot_tree *tree, int a, int b);

#endif
