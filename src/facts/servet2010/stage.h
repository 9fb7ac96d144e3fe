/* SPDX-License-Identifier: BSD-3-Clause */
/** The caches of one core as the papers of 2010 find them (share/doc/servet2010.md). */
#ifndef SRV_FACTS_SERVET2010_STAGE_H
#define SRV_FACTS_SERVET2010_STAGE_H

#include "facts/cache/stage_parts.h"
#include "run/stage.h"
#include "stats/grid2010.h"

/** The papers' counterpart of srv_measure_caches(). */
int srv_measure_caches_2010(const srv_stage *stage, int core, double max_bytes,
                            srv_cache_facts *facts, servet_error *error);

/** Groups `core_count` cores by their pairs' slow-downs (time together over time alone, IPDPS'10,
 * Fig. 5): a pair above `ratio` shares the cache, and so do all cores connected by such pairs.
 * group[i] becomes the number of core i's group, counted from 0 in the order of the cores. Returns
 * the number of groups: instances of the cache. */
int srv_2010_sharing(const srv_pair *pairs, size_t pair_count, double ratio, int *group,
                     int core_count);

#endif
