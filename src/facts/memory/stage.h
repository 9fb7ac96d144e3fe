/* SPDX-License-Identifier: BSD-3-Clause */
/** Memory of one core, of several at once, and of NUMA nodes. */
#ifndef SRV_FACTS_MEMORY_STAGE_H
#define SRV_FACTS_MEMORY_STAGE_H

#include "run/stage.h"

/** See srv_benchmark.run. */
int srv_measure_memory(const srv_stage *stage, const srv_stage_place *place, servet_error *error);

#endif
