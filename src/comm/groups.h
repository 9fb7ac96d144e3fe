/* SPDX-License-Identifier: BSD-3-Clause */
/** The groups of a layer to which the ranks of a communicator belong. */
#ifndef SRV_COMM_GROUPS_H
#define SRV_COMM_GROUPS_H

#include <stdbool.h>
#include "comm/peers.h"

/** Place of a rank in a layer. */
typedef struct srv_rank_group {
    int group;    /**< number of the group of its first core that has one; -1: none */
    bool several; /**< it may run on cores of several groups */
} srv_rank_group;

/** Finds the group of rank i, in groups[i]. Errors: SERVET_ERANGE, SERVET_EUNMEASURED,
 * SERVET_EUNTRUSTED as in servet/mpi.h, SERVET_EMEMORY. */
int srv_groups_number(const srv_peers *peers, const servet_profile *profile, int layer,
                      srv_rank_group *groups, servet_error *error);

/**
 * Finds the group of rank i in layer `layer`, in group[i]; groups are named after their first
 * ranks. Errors: SERVET_ERANGE, SERVET_EUNMEASURED as in servet/mpi.h, SERVET_EMEMORY; `strictly`
 * also SERVET_ENOTFOUND and SERVET_EARGUMENT. Otherwise missing facts are assumed: a rank that may
 * run on cores of several groups is in the group of the first core, a rank on a core without facts
 * shares a group only with ranks on the same core, and in a layer between nodes a rank whose host
 * is not in the profile shares one only with ranks on that host.
 */
int srv_groups_find(const srv_peers *peers, const servet_profile *profile, int layer, bool strictly,
                    int *group, servet_error *error);

#endif
