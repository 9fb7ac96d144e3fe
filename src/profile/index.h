/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Made once when a profile was read, so that queries take as long on large machines as on small
 * ones. A profile under construction has none of it, and is searched.
 */
#ifndef SRV_PROFILE_INDEX_H
#define SRV_PROFILE_INDEX_H

#include "profile/types.h"

/**
 * Makes all of it: which set holds a core, in each list of sets; the hosts of classes and of the
 * job. What had been made before the failure stays. Errors: SERVET_EMEMORY.
 */
int srv_index_create(servet_profile *profile, servet_error *error);

/** Forgets the hosts: the lists of nodes are about to change. */
void srv_index_forget_hosts(servet_profile *profile);

#endif
