/* SPDX-License-Identifier: BSD-3-Clause */
/** Sizes of the arrays with which memory is measured. */
#ifndef SRV_FACTS_MEMORY_STAGE_SIZES_H
#define SRV_FACTS_MEMORY_STAGE_SIZES_H

#include "facts/memory/benchmark.h"

/**
 * Sets the sizes of arrays and lines in `plan`, from the caches of these cores that the profile has
 * or the system reports, and the memory that all arrays may take. Errors: those of the machine.
 */
int srv_memory_sizes(const servet_profile *profile, const char *node_class, srv_machine *machine,
                     const int *cores, int count, srv_memory_plan *plan, servet_error *error);

#endif
