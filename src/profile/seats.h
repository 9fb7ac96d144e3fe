/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Which core is in which group of each layer of communication: made once, when a profile was read,
 * so that the layer of a pair takes as long on a large cluster as on a small one.
 */
#ifndef SRV_PROFILE_SEATS_H
#define SRV_PROFILE_SEATS_H

#include "profile/types.h"

/** The cores that are in groups, by node. */
typedef struct srv_seats {
    int node_count, layer_count;
    int *begin; /**< of each node's cores in `core`, and where the next node's would */
    int *core;  /**< ascending within a node */
    int *group; /**< [seat * layer_count + layer]: number of the group, -1 for none */
} srv_seats;

/**
 * The seats of well-formed groups in `*seats`, NULL where there are none; srv_seats_destroy() frees
 * them. Errors: where->code (a node that took no part, a core in two groups of a layer, more cores
 * than the job had processes), SERVET_EMEMORY.
 */
int srv_seats_create(const srv_comm *comm, srv_seats **seats, srv_json_path *where);

/** Frees the seats. NULL is fine. */
void srv_seats_destroy(srv_seats *seats);

/** The groups of a core, one number for each layer; NULL for a core that is in none. */
const int *srv_seats_groups(const srv_seats *seats, servet_place place);

#endif
