/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds one core for each rank. */
#ifndef SRV_COMM_SLOTS_H
#define SRV_COMM_SLOTS_H

#include "comm/peers.h"
#include "servet/map.h"

/**
 * Finds slots for the ranks, in slots[0..peers->count-1]: each rank gets the first core that it may
 * run on and that no earlier rank has. Errors: SERVET_EARGUMENT (no core is left, or the system did
 * not report the binding of a rank), SERVET_EMEMORY.
 */
int srv_slots_take(const srv_peers *peers, servet_map_seat *slots, servet_error *error);

#endif
