/* SPDX-License-Identifier: BSD-3-Clause */
/** Cores that share a cache, as the papers decide it. */
#ifndef SRV_FACTS_SERVET2010_DETECT_SHARING_H
#define SRV_FACTS_SERVET2010_DETECT_SHARING_H

#include "stats/pairs.h"

/**
 * Groups `core_count` cores by their pairs' slow-downs (time together over time alone, IPDPS'10,
 * Fig. 5): a pair above `ratio` shares the cache, and so do all cores connected by such pairs.
 * group[i] becomes the number of core i's group, counted from 0 in the order of the cores. Returns
 * the number of groups: instances of the cache.
 */
int srv_2010_sharing(const srv_pair *pairs, size_t pair_count, double ratio, int *group,
                     int core_count);

#endif
