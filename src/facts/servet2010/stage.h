/* SPDX-License-Identifier: BSD-3-Clause */
/** The caches of one core as the papers of 2010 find them (share/doc/servet2010.md). */
#ifndef SRV_FACTS_SERVET2010_STAGE_H
#define SRV_FACTS_SERVET2010_STAGE_H

#include "facts/cache/result.h"
#include "run/stage.h"

/** The papers' counterpart of srv_measure_caches(). */
int srv_measure_caches_2010(const srv_stage *stage, int core, double max_bytes,
                            srv_cache_facts *facts, servet_error *error);

#endif
