/* SPDX-License-Identifier: BSD-3-Clause */
/** Assigns processes to the slots of a tree by their traffic. */
#ifndef SRV_MAP_ASSIGN_ASSIGN_H
#define SRV_MAP_ASSIGN_ASSIGN_H

#include "map/cost/load.h"

/**
 * Assigns each process r of the program to a slot, slot_of[r]; there is one slot for each process.
 * Minimizes the traffic over slow layers; among equal results, ranks ascend with the numbers of the
 * slots. Sets `*better` if this is better than slot r for each rank r, and `*load` to the load of
 * the better one. If `*better` is false, the content of slot_of[] is undefined. Uniform traffic is
 * not assigned. Errors: SERVET_ERANGE (too many pairs of processes), SERVET_EMEMORY.
 */
int srv_assign_better(const srv_program *program, const srv_slot_tree *tree, int *slot_of,
                      srv_map_load *load, bool *better, servet_error *error);

#endif
