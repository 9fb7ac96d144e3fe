/* SPDX-License-Identifier: BSD-3-Clause */
/** Trust in the groups of cores that share caches or memory. */
#ifndef SRV_MAP_COST_GROUP_TRUST_H
#define SRV_MAP_COST_GROUP_TRUST_H

#include <stdbool.h>

#include "servet/profile.h"

/** Returns true if the groups of all caches of a node class are trusted. `profile` answers with
 * trusted facts only (servet_profile_trusted_only()). Groups that were not measured are ignored. */
bool srv_cache_groups_trusted(const servet_profile *profile, const char *node_class);

/** True if the levels of memory overhead are trusted, in the same way. */
bool srv_memory_groups_trusted(const servet_profile *profile, const char *node_class);

#endif
