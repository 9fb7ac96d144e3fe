/* SPDX-License-Identifier: BSD-3-Clause */
/** The sets of cores that synchronize: one core, a pair of each distance layer, and the largest
 * group of each. */
#ifndef SRV_FACTS_SYNC_STAGE_SETS_H
#define SRV_FACTS_SYNC_STAGE_SETS_H

#include "run/stage.h"
#include "servet/analyze.h"

enum { SRV_SYNC_SETS_MAX = 1 + 2 * SERVET_LAYERS_MAX };

/** A set of cores. */
typedef struct srv_sync_set {
    int layer; /**< 0: one core */
    int count;
    int *cores; /**< OS numbers, ascending */
} srv_sync_set;

/** Sets in the order of their size, then of their layers; a zeroed one is valid. */
typedef struct srv_sync_sets {
    srv_sync_set set[SRV_SYNC_SETS_MAX];
    int count;
} srv_sync_sets;

/**
 * Lists the sets by the distances that the profile has. Of PUs that the operating system reports to
 * share an L1, the first one stands for their core, except in the pair of their own layer. The
 * caller finishes `sets`, also after a failure. Errors: those of the machine, SERVET_EMEMORY.
 */
int srv_sync_sets_list(const srv_stage *stage, const srv_stage_place *place, srv_sync_sets *sets,
                       servet_error *error);

/** Frees what they own. */
void srv_sync_sets_finish(srv_sync_sets *sets);

#endif
