/* SPDX-License-Identifier: BSD-3-Clause */
/** The nodes of a request, in the scheduler's order. */
#ifndef SRV_MAP_NODES_NODES_H
#define SRV_MAP_NODES_NODES_H

#include "map/nodes/rules.h"

typedef struct srv_nodes {
    srv_map_node *items;
    int count;
} srv_nodes;

/**
 * Fills an empty `*nodes`; call srv_nodes_finish() also after a failure. Errors: as
 * servet_map_create().
 */
int srv_nodes_begin(srv_nodes *nodes, const servet_profile *profile,
                    const servet_map_request *request, servet_error *error);

/** Frees the list. */
void srv_nodes_finish(srv_nodes *nodes);

#endif
