/* SPDX-License-Identifier: BSD-3-Clause */
/** A placement, as formats and predictions use it. */
#ifndef SRV_MAP_PLACEMENT_PLACEMENT_H
#define SRV_MAP_PLACEMENT_PLACEMENT_H

#include <stdbool.h>

#include "map/nodes/nodes.h"

/** The location of a process: the slots of a node are those of its class, in their order there. */
typedef struct srv_map_place {
    int node, slot;
    int local; /**< its number among the processes of the node, by rank */
} srv_map_place;

struct servet_map {
    srv_nodes nodes;
    srv_map_class *classes; /**< of the node classes that are used; the others are empty */
    int class_count;
    int threads;
    bool by_rules;         /**< not in an order of the scheduler */
    int count;             /**< of processes */
    srv_map_place *places; /**< by rank */
    int *first;            /**< of each node's processes in `ranks`, and behind the last node */
    int *ranks;            /**< node by node; of each node they ascend */
};

/** The class of node `node`. */
const srv_map_class *srv_map_class_of(const servet_map *map, int node);

/** The number of processes on node `node`. */
int srv_map_processes_on(const servet_map *map, int node);

/** Computes the remaining lists from the nodes and slots of all processes. */
void srv_map_list(servet_map *map);

#endif
