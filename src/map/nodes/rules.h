/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The rules of placement. They derive groupings of cores and nodes from the facts of a profile;
 * processes in a group add weight to each other's cores.
 */
#ifndef SRV_MAP_NODES_RULES_H
#define SRV_MAP_NODES_RULES_H

#include "map/nodes/node_class.h"

/** A node to be used: name, class, and number in the job that measured the network, or -1. */
typedef struct srv_map_node {
    char *host;
    int node_class, job_node;
} srv_map_node;

/**
 * Adds the groupings of all rules within `node` to a class that holds its cores.
 * Errors: SERVET_EMEMORY.
 */
int srv_rules_node(srv_map_class *class, const servet_profile *profile, const srv_map_node *node,
                   servet_code code, servet_error *error);

/**
 * Computes the weights that rule 3 adds for each communication layer that two cores share, fastest
 * first, in `*steps` (the caller frees it; NULL if there are no layers), and the number of layers.
 * Errors: SERVET_EMEMORY.
 */
int srv_rules_layers(const servet_profile *profile, servet_code code, srv_weight **steps,
                     int *count, servet_error *error);

#endif
