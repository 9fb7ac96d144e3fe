/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Concurrent traversals, in the steps of hardware (hardware/traversal.c, thread_team.c): a sweep, a
 * warm-up, then samples while all continue. Only the number of loads is limited to those that the
 * answer needs.
 */
#ifndef SRV_MODEL_SIMULATED_RUN_H
#define SRV_MODEL_SIMULATED_RUN_H

#include "machine/samples.h"
#include "sim/simulated_traversal.h"

/** One of the traversals. The caller starts the traversal and sets `seconds`. */
typedef struct srv_simulated_run {
    srv_simulated_traversal traversal;
    double seconds; /**< to sample, on hardware */
    int sample_count;
    double warm_ns; /**< of the first run: on the virtual clock before the first sample */
    double sample_ns[SRV_SAMPLES_MAX]; /**< the answer: ns per load in each sample */

    size_t slot;        /**< next slot of the sweep */
    size_t steps, left; /**< of the current stretch */
    size_t enough;      /**< steps after which a sample's mean no longer changes */
    double began_ns;    /**< start of the stretch on the traversal's clock */
    double ns_per_load; /**< in the last stretch that ended */
    int taken;          /**< samples so far */
    /** of the first sample, on the machine's clock, where there is a sibling */
    double clock_ns;
    unsigned changes; /**< of the sibling, the number of known ones */
    double unsettled; /**< steps until the caches have settled after the last change */
    bool others;      /**< the sibling was active just before or after the samples */
    bool rests;       /**< waits for the others */
} srv_simulated_run;

/**
 * Executes the runs, interleaved by their clocks: the run that is behind takes the next step. Ends
 * early, without all samples,
 * once srv_hierarchy_ended().
 */
void srv_simulated_runs_execute(srv_simulated_run *runs, int count);

#endif
