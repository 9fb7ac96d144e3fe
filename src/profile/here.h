/* SPDX-License-Identifier: BSD-3-Clause */
/** The one rule for the node class of a profile that a node belongs to, see share/doc/identity.md.
 */
#ifndef SRV_PROFILE_HERE_H
#define SRV_PROFILE_HERE_H

#include "profile/types.h"

/** Finds the class of this node for profile->here and profile->identity: after each change of
 * classes. */
void srv_find_here(servet_profile *profile);

/** True if class `node_class` (from 0) is that of this node, and not of a machine that is
 * simulated: then this program runs on such cores. */
bool srv_is_here(const servet_profile *profile, int node_class);

#endif
