/* SPDX-License-Identifier: BSD-3-Clause */
/** Memory bandwidth of the processes on some cores of a node while all of them copy. */
#ifndef SRV_MAP_COST_BANDWIDTH_H
#define SRV_MAP_COST_BANDWIDTH_H

#include "map/nodes/node_class.h"

/** The processes of a node: the positions of their first cores in class->cores. */
typedef struct srv_active {
    const srv_map_class *class;
    const char *node_class;
    const int *cores;
    int count;
} srv_active;

/**
 * Computes the copy bandwidth of each process, each[0..count-1], in B/s: the smallest of its share
 * of the node and its shares of its groups in all overhead levels; NaN if nothing was measured.
 * Errors: SERVET_EMEMORY.
 */
int srv_bandwidth_each(const srv_active *active, const servet_profile *profile, double *each);

#endif
