/* SPDX-License-Identifier: BSD-3-Clause */
/** A placement in the form that formats and predictions use. */
#ifndef SRV_MAP_PLACEMENT_PLACEMENT_H
#define SRV_MAP_PLACEMENT_PLACEMENT_H

#include <stdbool.h>

#include "map/nodes/nodes.h"

/** The location of a process. A node has the slots of its class, in the same order. */
typedef struct srv_map_place {
    int node, slot;
    int local; /**< number of the process within the node, by rank */
} srv_map_place;

struct servet_map {
    srv_nodes nodes;
    srv_map_class *classes; /**< the node classes; those that are not used are empty */
    int class_count;
    int threads;
    bool by_rules;         /**< false: in an order of the scheduler */
    int count;             /**< number of processes */
    srv_map_place *places; /**< location of each rank */
    int *first;            /**< position of each node's first rank in `ranks`, and the end */
    int *ranks;            /**< the ranks node by node, ascending within a node */
    srv_room room;         /**< has the arrays */
};

/** The class of node `node`. */
const srv_map_class *srv_map_class_of(const servet_map *map, int node);

/** The number of processes on node `node`. */
int srv_map_processes_on(const servet_map *map, int node);

/** The speed of the slowest core of a process, see srv_map_class. */
double srv_map_speed(const servet_map *map, const srv_map_place *place);

/** Computes the remaining lists from the nodes and slots of all processes. */
void srv_map_list(servet_map *map);

#endif
