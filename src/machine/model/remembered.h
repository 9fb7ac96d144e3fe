/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Answers to traversals that were simulated: on a model on which no time passes but that of the
 * probe, the same traversal simulates the same loads again.
 */
#ifndef SRV_MODEL_REMEMBERED_H
#define SRV_MODEL_REMEMBERED_H

#include "machine/model/model.h"
#include "machine/model/simulated_run.h"

/** What was answered; each has a place, from which a later one drives it out. */
enum { SRV_REMEMBERED_MAX = 512 };

typedef struct srv_remembered {
    srv_traversal probe;
    srv_simulated_run run; /**< before the noise; without memory of its own */
    double warm_ns;        /**< see srv_simulated_runs_execute() */
} srv_remembered;

/** A zeroed list is valid. */
typedef struct srv_remembered_list {
    srv_remembered *at[SRV_REMEMBERED_MAX];
} srv_remembered_list;

/** What was answered to this traversal; NULL: nothing, or it is forgotten. */
const srv_remembered *srv_remembered_find(const srv_remembered_list *list,
                                          const srv_traversal *probe);

/** Keeps an answer, if the model gives the same one at any time; without memory it keeps none. */
void srv_remembered_keep(srv_remembered_list *list, const srv_model *model,
                         const srv_traversal *probe, const srv_simulated_run *run, double warm_ns);

/** Frees its memory. */
void srv_remembered_forget(srv_remembered_list *list);

#endif
