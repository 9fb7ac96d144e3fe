/* SPDX-License-Identifier: BSD-3-Clause */
/** Who shares a cache, as the papers of 2010 find it out. */
#ifndef SRV_FACTS_SERVET2010_STAGE_SHARING_H
#define SRV_FACTS_SERVET2010_STAGE_SHARING_H

#include "run/stage.h"

/**
 * Finds out, as the papers of 2010 do it, which cores share which cache, and stores it level by
 * level: all cores that have the level are asked in pairs, of whatever kind. A level that the
 * budget leaves no time for stays unmeasured; the pairs that were asked are kept in the raw file.
 * Errors: those of the machine and the benchmark, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_measure_sharing_2010(const srv_stage *stage, const srv_stage_place *place,
                             servet_error *error);

#endif
