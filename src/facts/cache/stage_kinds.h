/* SPDX-License-Identifier: BSD-3-Clause */
/** The caches of a node: those of one core of each kind. */
#ifndef SRV_FACTS_CACHE_STAGE_KINDS_H
#define SRV_FACTS_CACHE_STAGE_KINDS_H

#include "run/stage.h"

/**
 * Measures the caches of each core kind with the approach's function, and stores them; nothing of a
 * kind where there was no time to tell. Errors: SERVET_EUNMEASURED (not one curve was long enough
 * to show a cache), those of srv_measure_caches().
 */
int srv_measure_kinds(const srv_stage *stage, const srv_stage_place *place, servet_error *error);

#endif
