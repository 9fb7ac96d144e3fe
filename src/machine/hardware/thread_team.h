/* SPDX-License-Identifier: BSD-3-Clause */
/** Several jobs at once: a thread for each, bound to its core. */
#ifndef SRV_HARDWARE_THREAD_TEAM_H
#define SRV_HARDWARE_THREAD_TEAM_H

#include <stdbool.h>

#include "machine/hardware/clock.h"
#include "machine/hardware/topology.h"

/**
 * The work of a thread of a team, step by step; `self` is the state of its job, which begins with
 * the OS number of its PU (int). All threads begin a step together, so that nothing is sampled
 * while one of them still prepares, and each keeps on until the slowest has its samples, so that
 * nothing is sampled while one of them rests.
 */
typedef struct srv_thread_team_job {
    /** On the bound thread, whose core runs at its full frequency: memory that is touched first,
     * here. An error ends the work of the whole team before it warms. NULL: nothing to do. */
    int (*prepare)(void *self, servet_error *error);
    void (*warm)(void *self); /**< NULL: nothing to do */
    void (*sample)(void *self);
    /** about as long as a sample, untimed; again and again; NULL: the thread rests */
    void (*keep_on)(void *self);
    void (*finish)(void *self); /**< also after an error of prepare(); NULL: nothing to do */
} srv_thread_team_job;

/**
 * Runs a thread for each of `count` states of `size` bytes, all at once, on different PUs. Errors:
 * SERVET_EMEMORY, SERVET_EMACHINE (a core that cannot be used, no thread available), those of
 * prepare().
 */
int srv_thread_team_run(srv_topology *topology, const srv_clock *clock,
                        const srv_thread_team_job *job, void *states, size_t size, int count,
                        servet_error *error);

#endif
