/* SPDX-License-Identifier: BSD-3-Clause */
/** Operations by which threads synchronize, done by all cores at once. */
#ifndef SRV_HARDWARE_SYNC_H
#define SRV_HARDWARE_SYNC_H

#include "machine/hardware/thread_team.h"

/**
 * srv_machine_ops.synchronize. The shared number tells how many operations all threads have done:
 * the first thread reads the clock, does some of its own, and divides the time by what was added to
 * the number meanwhile. Locks and barriers are the ticket lock, the central and the dissemination
 * barrier of Mellor-Crummey and Scott, TOCS 9(1), 1991; numbers that only grow stand for reversed
 * senses. Errors: those of srv_sync_check(), SERVET_EUNSUPPORTED (this compiler has no hint for
 * spinning loops), SERVET_EARGUMENT (a core twice), SERVET_EMEMORY, SERVET_EMACHINE.
 */
int srv_sync_run(srv_topology *topology, const srv_clock *clock, const srv_sync *sync,
                 srv_spread *ns, servet_error *error);

#endif
