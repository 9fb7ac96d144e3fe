/* SPDX-License-Identifier: BSD-3-Clause */
/** Computations in registers at once, each on its core. */
#ifndef SRV_HARDWARE_COMPUTE_H
#define SRV_HARDWARE_COMPUTE_H

#include "machine/hardware/thread_team.h"

/**
 * srv_machine_ops.compute. Of the instruction sets that a core has for a width it takes the
 * fastest, while the other cores compute, too; the widest of
 * several whose rates overlap. Errors:
 * those of srv_thread_team_run(), SERVET_EARGUMENT (no such computation), SERVET_EMEMORY.
 */
int srv_compute_run(srv_topology *topology, const srv_clock *clock,
                    const srv_computation *computations, int count, srv_computed *computed,
                    servet_error *error);

#endif
