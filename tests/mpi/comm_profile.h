/* SPDX-License-Identifier: BSD-3-Clause */
/** A profile that only says which cores are in which layers. */
#ifndef SRV_TESTS_COMM_PROFILE_H
#define SRV_TESTS_COMM_PROFILE_H

#include "servet/profile.h"

enum { COMM_GROUPS_MAX = 8 };

/** A layer: its groups as places, NULL behind the last one. */
typedef struct comm_layer {
    bool between_nodes;
    const char *groups[COMM_GROUPS_MAX];
} comm_layer;

/** The profile of one node class that lists these nodes with the same number of cores each.
 * Messages of each layer take a microsecond more than those of the one before, and a nanosecond
 * more for each byte. The caller closes it. NULL if the profile refuses. */
servet_profile *comm_profile(const char *const *nodes, int node_count, int cores,
                             const comm_layer *layers, int layer_count);

/** Three hosts, of which the first and the third are on one switch: each host is a group of layer
 *  1, each switch one of layer 2, all are one of layer 3. */
enum { COMM_HOSTS = 3 };
servet_profile *comm_three_hosts(const char *const names[COMM_HOSTS]);

#endif
