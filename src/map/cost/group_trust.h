/* SPDX-License-Identifier: BSD-3-Clause */
/** Whether the groups of cores that share caches or memory are trusted. */
#ifndef SRV_MAP_COST_GROUP_TRUST_H
#define SRV_MAP_COST_GROUP_TRUST_H

#include <stdbool.h>

#include "servet/profile.h"

/** Of all caches of a node class. `profile` answers with trusted facts only
 * (servet_profile_trusted_only()); what was not measured is not doubted. */
bool srv_cache_groups_trusted(const servet_profile *profile, const char *node_class);

/** The same of the levels of memory overhead. */
bool srv_memory_groups_trusted(const servet_profile *profile, const char *node_class);

#endif
