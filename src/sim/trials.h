/* SPDX-License-Identifier: BSD-3-Clause */
/** Trials of eviction in the simulated hierarchy, load by load. */
#ifndef SRV_MODEL_TRIALS_H
#define SRV_MODEL_TRIALS_H

#include "machine/machine.h"
#include "sim/hierarchy.h"

/** The state of the trials of a probe, whose PUs have entered the hierarchy. */
typedef struct srv_trials {
    srv_hierarchy *hierarchy;
    const srv_eviction *eviction;
    /** places of the lines in an element, in the order of visits: see below */
    const uint64_t *line;
    int together;  /**< lines of an element of which one is simulated: see below */
    int pu, other; /**< logical numbers; `other` -1: none */
    double now_ns; /**< on a clock of its own */
} srv_trials;

/**
 * Offsets of the lines of an element, in the order of visits, of which one in `together` is
 * simulated; the caller frees them. NULL without memory.
 */
uint64_t *srv_trials_lines(const srv_eviction *eviction, int together);

/**
 * The number of lines of an element that take the time of one of them, which is simulated. They lie
 * in sets of their own, so one is enough where all decisions of the caches are determined; with set
 * duelling each policy must lead in one; and of lines that others replace some are simulated for
 * their mean. 1: all are simulated, as beside siblings and where replacement is random.
 */
int srv_trials_together(const srv_model *model, const srv_eviction *eviction);

/** Loads every line of every element once, as writing the memory does. */
void srv_trials_fill(srv_trials *trials);

/** Runs a trial; `ns` receives the times of its elements in the timed round. */
void srv_trials_run(srv_trials *trials, int trial, float *ns);

#endif
