/* SPDX-License-Identifier: BSD-3-Clause */
/** A placement, as the formats and predictions see it. */
#ifndef SRV_MAP_MAP_H
#define SRV_MAP_MAP_H

#include "map/nodes.h"

/** Where a process is: the seats of a node are those of its kind, in their order there. */
typedef struct srv_map_place {
    int node, seat;
    int local; /**< its number among the processes of the node, by rank */
} srv_map_place;

struct servet_map {
    srv_nodes nodes;
    srv_map_kind *kinds; /**< of the node classes that are used; the others are empty */
    int kind_count;
    int threads;
    int count;             /**< of processes */
    srv_map_place *places; /**< by rank */
    int *first;            /**< of each node's processes in `ranks`, and behind the last node */
    int *ranks;            /**< node by node; of each node they ascend */
};

/** The kind of node `node`. */
const srv_map_kind *srv_map_kind_of(const servet_map *map, int node);

/** The number of processes on node `node`. */
int srv_map_processes_on(const servet_map *map, int node);

/** A placement in the order that the request names, whatever its processes send. Errors: those of
 *  servet_map_create(). */
int srv_map_make(servet_map **map, const servet_profile *profile, const servet_map_request *request,
                 servet_error *error);

/** Once nodes and seats of all processes are known, finds the rest of the lists. */
void srv_map_list(servet_map *map);

#endif
