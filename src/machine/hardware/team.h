/* SPDX-License-Identifier: BSD-3-Clause */
/** Several traversals at once: a thread for each, bound to its core, in memory that it touched
 * first. */
#ifndef SRV_HARDWARE_TEAM_H
#define SRV_HARDWARE_TEAM_H

#include "machine/hardware/clock.h"
#include "machine/hardware/topology.h"

/** What every thread of a team uses; each takes a like share of the memory. */
typedef struct srv_team_setting {
    srv_topology *topology;
    const srv_clock *clock;
    double memory_bytes, page_bytes;
} srv_team_setting;

/**
 * Runs all traversals together: they start when the last one stands ready, and each walks on until
 * the slowest has its samples, so that no sample was taken while one of them rested.
 * Errors: SERVET_EARGUMENT (two on one core, no such traversal), SERVET_EMEMORY, SERVET_EMACHINE (a
 * core that cannot be used, no thread to be had).
 */
int srv_team_traverse(const srv_team_setting *setting, const srv_traversal *traversals, int count,
                      srv_timing *timings, servet_error *error);

#endif
