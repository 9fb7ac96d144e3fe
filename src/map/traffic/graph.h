/* SPDX-License-Identifier: BSD-3-Clause */
/** The messages of a program as a graph: for each process, the traffic to other processes. */
#ifndef SRV_MAP_TRAFFIC_GRAPH_H
#define SRV_MAP_TRAFFIC_GRAPH_H

#include "core/room.h"
#include "map/traffic/traffic.h"

/** Rows of a sparse matrix, one after the other; in each row every rank occurs once, ascending. */
typedef struct srv_graph {
    int count;     /**< number of processes */
    size_t *begin; /**< position of each process's first entry in `to` and `bytes`, and the end */
    int *to;
    double *bytes;
    srv_room room; /**< has the rows */
} srv_graph;

/**
 * Collects the traffic that each process sends, or, `both_ways`, sends and receives. Uniform
 * traffic has no entries. Call srv_graph_finish() also after a failure. Errors: SERVET_EMEMORY.
 */
int srv_graph_begin(srv_graph *graph, const servet_traffic *traffic, bool both_ways,
                    servet_error *error);

/** Frees the memory of the graph. */
void srv_graph_finish(srv_graph *graph);

#endif
