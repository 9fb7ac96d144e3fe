/* SPDX-License-Identifier: BSD-3-Clause */
/** Time to load a line that another core modified, for all pairs of cores. */
#ifndef SRV_FACTS_DISTANCE_STAGE_H
#define SRV_FACTS_DISTANCE_STAGE_H

#include "run/stage.h"

/** See srv_benchmark.run. */
int srv_measure_distances(const srv_stage *stage, const srv_stage_place *place,
                          servet_error *error);

#endif
