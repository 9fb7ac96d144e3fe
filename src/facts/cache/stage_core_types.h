/* SPDX-License-Identifier: BSD-3-Clause */
/** The caches of a node: those of one core of each type. */
#ifndef SRV_FACTS_CACHE_STAGE_CORE_TYPES_H
#define SRV_FACTS_CACHE_STAGE_CORE_TYPES_H

#include "run/stage.h"

/**
 * Measures the caches of each core type with the approach's function, and stores them; a type whose
 * curve is too short has no facts. Errors: SERVET_EUNMEASURED (not one curve was long enough to
 * show a cache), those of srv_measure_caches().
 */
int srv_measure_core_types(const srv_stage *stage, const srv_stage_place *place,
                           servet_error *error);

/** The largest working set of a core, in bytes, of a job that may use `memory` bytes: requirement
 * C1. */
double srv_largest_working_set(srv_machine *machine, const servet_measure_options *options,
                               int core, double memory);

#endif
