/* SPDX-License-Identifier: BSD-3-Clause */
/** What processes on some cores of a node get from memory while all of them copy. */
#ifndef SRV_MAP_COST_BANDWIDTH_H
#define SRV_MAP_COST_BANDWIDTH_H

#include "map/nodes/node_class.h"

/** A node's processes: where the first core of each stands in class->cores. */
typedef struct srv_active {
    const srv_map_class *class;
    const char *node_class;
    const int *cores;
    int count;
} srv_active;

/**
 * The copy bandwidth of each process, each[0..count-1], in B/s: the least of what the node and its
 * groups of every overhead level leave to it; NaN where nothing was measured. Errors:
 * SERVET_EMEMORY.
 */
int srv_bandwidth_each(const srv_active *active, const servet_profile *profile, double *each);

#endif
