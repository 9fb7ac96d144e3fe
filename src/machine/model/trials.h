/* SPDX-License-Identifier: BSD-3-Clause */
/** Trials of eviction in the simulated hierarchy, load by load. */
#ifndef SRV_MODEL_TRIALS_H
#define SRV_MODEL_TRIALS_H

#include "machine/machine.h"
#include "machine/model/hierarchy.h"

/** The state of the trials of a probe, whose PUs have entered the hierarchy. */
typedef struct srv_trials {
    srv_hierarchy *hierarchy;
    const srv_eviction *eviction;
    /** where the lines of an element lie in it, as they are visited: see below */
    const uint64_t *line;
    int pu, other; /**< logical numbers; `other` -1: none */
    double now_ns; /**< on a clock of its own */
} srv_trials;

/**
 * Offsets of the lines of an element, in the order of visits; the caller frees them. NULL without
 * memory.
 */
uint64_t *srv_trials_lines(const srv_eviction *eviction);

/** Loads every line of every element once, as writing the memory does. */
void srv_trials_fill(srv_trials *trials);

/** Runs a trial; `ns` receives the times of its elements in the timed round. */
void srv_trials_run(srv_trials *trials, int trial, float *ns);

#endif
