/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds the node class of a node. share/doc/identity.md describes the rule. */
#ifndef SRV_PROFILE_HERE_H
#define SRV_PROFILE_HERE_H

#include "profile/types.h"

/** Finds the class of this node, and sets profile->here and profile->identity. Call it after each
 * change of classes. */
void srv_find_here(servet_profile *profile);

/** Returns true if class `node_class` (from 0) is the class of this node, and not of a simulated
 * machine: then this program runs on the cores of the class. */
bool srv_is_here(const servet_profile *profile, int node_class);

#endif
