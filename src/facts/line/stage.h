/* SPDX-License-Identifier: BSD-3-Clause */
/** The coherence block, and the line of each cache. */
#ifndef SRV_FACTS_LINE_STAGE_H
#define SRV_FACTS_LINE_STAGE_H

#include "run/stage.h"

/** See srv_benchmark.run. */
int srv_measure_lines(const srv_stage *stage, const srv_stage_place *place, servet_error *error);

#endif
