/* SPDX-License-Identifier: BSD-3-Clause */
/** Sets of lines that one core transfers to another one (P-Ray, LCPC'08, 3.3). */
#ifndef SRV_HARDWARE_LINE_TRANSFER_H
#define SRV_HARDWARE_LINE_TRANSFER_H

#include "machine/hardware/thread_team.h"

/**
 * srv_machine_ops.transfer_lines. Owner and reader meet at flags between rounds, so that all stores
 * of the owner are done when the reader begins, and only the reader's loads are timed: a chain in
 * which each load needs the answer of the one before, as long as the set. Errors: SERVET_EARGUMENT
 * (no such set, a core twice), SERVET_EMEMORY, SERVET_EMACHINE.
 */
int srv_line_transfer_run(srv_topology *topology, const srv_clock *clock,
                          const srv_line_transfer *transfers, int count, srv_timing *timings,
                          servet_error *error);

#endif
