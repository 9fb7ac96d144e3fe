/* SPDX-License-Identifier: BSD-3-Clause */
/** Working sets of the cores of a job. */
#ifndef SRV_FACTS_CACHE_STAGE_CORE_TYPES_H
#define SRV_FACTS_CACHE_STAGE_CORE_TYPES_H

#include "run/stage.h"

/** The largest working set of a core, in bytes, of a job that may use `memory` bytes: requirement
 * C1. */
double srv_largest_working_set(srv_machine *machine, const servet_measure_options *options,
                               int core, double memory);

#endif
