/* SPDX-License-Identifier: BSD-3-Clause */
/** Memory of one core, of several at once, and of NUMA nodes. */
#ifndef SRV_FACTS_MEMORY_STAGE_H
#define SRV_FACTS_MEMORY_STAGE_H

#include "facts/memory/benchmark.h"
#include "run/stage.h"

/** See srv_benchmark.run. */
int srv_measure_memory(const srv_stage *stage, const srv_stage_place *place, servet_error *error);

/**
 * Sets the sizes of arrays and lines in `plan`, from the caches of these cores that the profile has
 * or the system reports, and the memory that all arrays may take. Errors: those of the machine.
 */
int srv_memory_sizes(const servet_profile *profile, const char *node_class, srv_machine *machine,
                     const int *cores, int count, srv_memory_plan *plan, servet_error *error);

#endif
