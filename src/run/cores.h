/* SPDX-License-Identifier: BSD-3-Clause */
/** The cores of a place, and which of them share caches by the profile. */
#ifndef SRV_RUN_CORES_H
#define SRV_RUN_CORES_H

#include "run/stage.h"

/** A core of a place's class, for queries. */
servet_at srv_place_at(const srv_stage_place *place, int core);

/** OS numbers of the cores of all types, ascending; the caller frees them. Errors: SERVET_EMEMORY.
 */
int srv_cores_of(const srv_stage_place *place, int **cores, int *count, servet_error *error);

/**
 * How many cores with smaller numbers share the nearest shared cache of a core with it: 0 for one
 * core of each such group, and for all cores where nothing is known.
 */
int srv_cores_before(const srv_stage_place *place, int core);

/**
 * The last cache level on the way to memory that two cores do not share; 0: they share all, or it
 * is unknown of a level.
 */
int srv_cores_apart(const srv_stage_place *place, int core, int other);

/** The quietest core of a set: all are alike, so it represents them. */
int srv_quietest_core(srv_machine *machine, const char *cores, int *core, servet_error *error);

#endif
