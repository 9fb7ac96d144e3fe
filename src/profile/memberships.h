/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Which core is in which group of each layer of communication: made once, when a profile was read,
 * so that the layer of a pair takes as long on a large cluster as on a small one.
 */
#ifndef SRV_PROFILE_MEMBERSHIPS_H
#define SRV_PROFILE_MEMBERSHIPS_H

#include "profile/types.h"

/** The cores that are in groups, by node. */
typedef struct srv_memberships {
    int node_count, layer_count;
    int *begin; /**< of each node's cores in `core`, and where the next node's would */
    int *core;  /**< ascending within a node */
    int *group; /**< [member * layer_count + layer]: number of the group, -1 for none */
} srv_memberships;

/**
 * The memberships of well-formed groups in `*memberships`, NULL where there are none;
 * srv_memberships_destroy() frees them. Errors: where->code (a node that took no part, a core in
 * two groups of a layer, more cores than the job had processes), SERVET_EMEMORY.
 */
int srv_memberships_create(const srv_comm *comm, srv_memberships **memberships,
                           srv_json_path *where);

/** Frees the memberships. NULL does nothing. */
void srv_memberships_destroy(srv_memberships *memberships);

/** The groups of a core, one number for each layer; NULL for a core that is in none. */
const int *srv_memberships_groups(const srv_memberships *memberships, servet_place place);

#endif
