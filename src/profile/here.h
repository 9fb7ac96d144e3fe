/* SPDX-License-Identifier: BSD-3-Clause */
/** Which node class of a profile a node belongs to: the one rule, see share/doc/identity.md. */
#ifndef SRV_PROFILE_HERE_H
#define SRV_PROFILE_HERE_H

#include "profile/types.h"

/** Finds the class of this node for profile->here and profile->identity: after each change of
 * classes. */
void srv_find_here(servet_profile *profile);

#endif
