/* SPDX-License-Identifier: BSD-3-Clause */
/** Memory-level parallelism of each cache level and of memory. */
#ifndef SRV_FACTS_CONCURRENCY_STAGE_H
#define SRV_FACTS_CONCURRENCY_STAGE_H

#include "run/stage.h"

/** See srv_benchmark.run. */
int srv_measure_concurrency(const srv_stage *stage, const srv_stage_place *place,
                            servet_error *error);

#endif
