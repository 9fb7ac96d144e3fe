/* SPDX-License-Identifier: BSD-3-Clause */
/** The cores on which threads may be placed, and the groups of cores that are near to each other.
 */
#ifndef SRV_PLACE_THREAD_CORES_H
#define SRV_PLACE_THREAD_CORES_H

#include "map/nodes/node_class.h"

typedef struct srv_thread_cores {
    srv_map_class class; /**< its cores, ascending, their speeds, and groupings: caches, memory,
                              distances, NUMA */
    int *kind;           /**< number of each core's core type, from 0 */
    int kind_count;      /**< number of core types */
    int *levels;         /**< number of cache levels of each core's type; 0: unknown */
} srv_thread_cores;

/**
 * Fills empty candidates with the cores of class `node_class` that are in `among` (NULL: those that
 * the calling thread may use, see servet_thread_place()), with their speeds for programs that
 * `code` limits; call srv_thread_cores_finish() also after a failure. Errors: as
 * servet_thread_place().
 */
int srv_thread_cores_begin(srv_thread_cores *candidates, const servet_profile *profile,
                           int node_class, servet_code limit, const int *among, int among_count,
                           servet_error *error);

/** Frees the cores. */
void srv_thread_cores_finish(srv_thread_cores *candidates);

#endif
