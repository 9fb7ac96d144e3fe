/* SPDX-License-Identifier: BSD-3-Clause */
/** Two cores that modify bytes near to each other (P-Ray, LCPC'08, 3.1). */
#ifndef SRV_HARDWARE_FALSE_SHARING_H
#define SRV_HARDWARE_FALSE_SHARING_H

#include "machine/hardware/thread_team.h"

/**
 * srv_machine_ops.pair. An increment is a load, a store and a fence that lets the store reach
 * the cache before the next load: without it a core adds to the store that it still holds back, and
 * hardly notices that the line is gone. A sample counts only if the other core got on meanwhile.
 * Errors: SERVET_EARGUMENT (no such distance, one core twice), SERVET_EMEMORY, SERVET_EMACHINE.
 */
int srv_false_sharing_run(srv_topology *topology, const srv_clock *clock,
                          const srv_false_sharing *pair, srv_timing *timing, servet_error *error);

#endif
