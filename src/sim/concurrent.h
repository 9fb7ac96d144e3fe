/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Runs threads of a probe at the same time in the simulated hierarchy. Threads that must have the
 * same results as others, or as those of an earlier probe, are not simulated.
 */
#ifndef SRV_MODEL_CONCURRENT_H
#define SRV_MODEL_CONCURRENT_H

#include "sim/coherence.h"
#include "sim/remembered.h"
#include "sim/simulated_run.h"

/** All that probes are simulated in. */
typedef struct srv_simulation {
    const srv_model *model;
    srv_hierarchy *hierarchy;
    srv_remembered_list found;
} srv_simulation;

/**
 * Runs traversals, at least one, at `clock_ns` on the clock of the machine; `runs[i]`, zeroed, is
 * then that of `traversals[i]`: finished, and without noise. Errors: SERVET_EARGUMENT (no such core
 * or NUMA node), SERVET_EMEMORY, SERVET_EUNSUPPORTED, SERVET_EINTERRUPTED (srv_hierarchy_ended()).
 */
int srv_concurrent_traverse(srv_simulation *simulation, const srv_traversal *traversals, int count,
                            double clock_ns, srv_simulated_run *runs, servet_error *error);

/** Transfers lines; errors: those of srv_coherence_check() and srv_coherence_transfer(). */
int srv_concurrent_transfer(srv_simulation *simulation, const srv_line_transfer *transfers,
                            int count, srv_coherence_cost *costs, servet_error *error);

#endif
