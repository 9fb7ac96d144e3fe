/* SPDX-License-Identifier: BSD-3-Clause */
/** To which group of a layer the ranks of a communicator belong. */
#ifndef SRV_COMM_GROUPS_H
#define SRV_COMM_GROUPS_H

#include "comm/peers.h"

/**
 * The group of layer `layer` that rank i is in, in group[i]: groups are called by their first
 * ranks. Errors: SERVET_ERANGE, SERVET_EUNMEASURED, SERVET_ENOTFOUND, SERVET_EARGUMENT as in
 * servet/mpi.h, SERVET_EMEMORY.
 */
int srv_groups_find(const srv_peers *peers, const servet_profile *profile, int layer, int *group,
                    servet_error *error);

/**
 * The same with assumptions where facts are missing: a rank that may run on cores of several groups
 * is in that of the first, one on a core without facts is only with those of the same core, one
 * whose host is not in the profile is, in a layer between nodes, only with those of that host.
 * Errors: SERVET_ERANGE, SERVET_EUNMEASURED, SERVET_EMEMORY.
 */
int srv_groups_guess(const srv_peers *peers, const servet_profile *profile, int layer, int *group,
                     servet_error *error);

#endif
