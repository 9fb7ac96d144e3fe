/* SPDX-License-Identifier: BSD-3-Clause */
/** Cache sharing by the method of the papers of 2010. */
#ifndef SRV_FACTS_SERVET2010_STAGE_SHARING_H
#define SRV_FACTS_SERVET2010_STAGE_SHARING_H

#include "run/stage.h"

/**
 * Determines by the method of the papers of 2010 which cores share which cache, and stores it level
 * by level: all cores that have the level are measured in pairs, of any core type. A level without
 * time in the budget stays unmeasured; the measured pairs are kept in the raw file. Errors: those
 * of the machine and the benchmark, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_measure_sharing_2010(const srv_stage *stage, const srv_stage_place *place,
                             servet_error *error);

#endif
