/* SPDX-License-Identifier: BSD-3-Clause */
/** Several jobs at once: a thread for each, bound to its core. */
#ifndef SRV_HARDWARE_THREAD_TEAM_H
#define SRV_HARDWARE_THREAD_TEAM_H

#include <stdbool.h>

#include "machine/hardware/clock.h"
#include "machine/hardware/topology.h"

/**
 * The work of a thread of a team, step by step; `self` is the state of its job. All threads begin a
 * step together, so that nothing is sampled while one of them still prepares, and each keeps on
 * until the slowest has its samples, so that nothing is sampled while one of them rests.
 */
typedef struct srv_thread_team_job {
    /** On the bound thread, whose core runs at its full frequency: memory that is touched first,
     * here. An error ends the work of the whole team before it warms. */
    int (*prepare)(void *self, servet_error *error);
    void (*warm)(void *self);
    void (*sample)(void *self);
    void (*keep_on)(void *self); /**< about as long as a sample, untimed; again and again */
    void (*finish)(void *self);  /**< also after an error of prepare() */
} srv_thread_team_job;

/** A worker of a team. */
typedef struct srv_thread_task {
    int core; /**< OS number of the PU; no other worker's */
    void *self;
} srv_thread_task;

/**
 * Runs `count` workers at once, each its task of the same job. Errors: SERVET_EARGUMENT (no worker,
 * two on one core), SERVET_EMEMORY, SERVET_EMACHINE (a core that cannot be used, no thread
 * available), those of prepare().
 */
int srv_thread_team_run(srv_topology *topology, const srv_clock *clock,
                        const srv_thread_team_job *job, const srv_thread_task *tasks, int count,
                        servet_error *error);

#endif
