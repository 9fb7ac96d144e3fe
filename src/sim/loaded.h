/* SPDX-License-Identifier: BSD-3-Clause */
/** The load of generators on a model's memory, and how long it delays the loads of others. */
#ifndef SRV_MODEL_LOADED_H
#define SRV_MODEL_LOADED_H

#include "machine/machine.h"
#include "sim/model.h"

/** Result of a load. */
typedef struct srv_model_load {
    double rate;    /**< of all generators together, B/s */
    double wait_ns; /**< that a load of the chase waits longer than in a memory at rest */
} srv_model_load;

/**
 * A generator moves a burst at the rate that its core gets alone, then pauses; no more than its
 * share of the links and controllers that all of them use at once (srv_routes_memory()). A load of
 * the chase waits at the busiest link on its way. That is a queue with one server, which takes
 * s = line / bandwidth for a line: at a share u of the bandwidth it waits u s / (2 (1 - u))
 * (M/D/1), but no longer than for the lines that all generators on the link can have in flight,
 * which they have where they request more than the link carries. Errors: SERVET_EARGUMENT (no such
 * core, NUMA node or mix, a core twice), SERVET_EMEMORY.
 */
int srv_model_load_of(const srv_model *model, const srv_load_request *request,
                      srv_model_load *answer, servet_error *error);

#endif
