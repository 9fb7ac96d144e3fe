/* SPDX-License-Identifier: BSD-3-Clause */
/** Several traversals at once: each on its core, in memory that it touched first. */
#ifndef SRV_HARDWARE_WALKS_H
#define SRV_HARDWARE_WALKS_H

#include "machine/hardware/team.h"
#include "machine/hardware/walk.h"

/**
 * Runs all traversals together; they share the memory that `like` may take, in equal parts.
 * Errors: those of srv_team_run(), SERVET_EARGUMENT (no such traversal).
 */
int srv_walks_run(const srv_walk *like, const srv_traversal *traversals, int count,
                  srv_timing *timings, servet_error *error);

#endif
