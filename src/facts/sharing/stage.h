/* SPDX-License-Identifier: BSD-3-Clause */
/** Cache sharing. */
#ifndef SRV_FACTS_SHARING_STAGE_H
#define SRV_FACTS_SHARING_STAGE_H

#include "run/stage.h"

/** See srv_benchmark.run. */
int srv_measure_sharing(const srv_stage *stage, const srv_stage_place *place, servet_error *error);

#endif
