/* SPDX-License-Identifier: BSD-3-Clause */
/** Several traversals at once: each on its core, in memory that it touched first. */
#ifndef SRV_HARDWARE_TRAVERSALS_H
#define SRV_HARDWARE_TRAVERSALS_H

#include "machine/hardware/thread_team.h"
#include "machine/hardware/traversal.h"

/**
 * Runs all traversals together; they share the memory that `like` may take, in equal parts.
 * Errors: those of srv_thread_team_run(), SERVET_EARGUMENT (no such traversal).
 */
int srv_hardware_traversals_run(const srv_hardware_traversal *like, const srv_traversal *traversals,
                                int count, srv_timing *timings, servet_error *error);

#endif
