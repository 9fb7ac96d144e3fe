/* SPDX-License-Identifier: BSD-3-Clause */
/** A placement, as the formats see it. */
#ifndef SRV_MAP_MAP_H
#define SRV_MAP_MAP_H

#include "map/nodes.h"

struct servet_map {
    srv_nodes nodes;
    srv_kind *kinds; /**< of the node classes that are used; the others are empty */
    int kind_count;
    int *first_rank; /**< of each node, and behind the last one the number of processes */
    int threads;
};

/** The kind of node `node`. */
const srv_kind *srv_map_kind_of(const servet_map *map, int node);

/** The number of processes on node `node`. */
int srv_map_processes_on(const servet_map *map, int node);

#endif
