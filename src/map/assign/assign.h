/* SPDX-License-Identifier: BSD-3-Clause */
/** Assigns processes to the slots of a tree by their traffic. */
#ifndef SRV_MAP_ASSIGN_ASSIGN_H
#define SRV_MAP_ASSIGN_ASSIGN_H

#include "map/cost/load.h"

/**
 * Gives each process r of the program a slot, slot_of[r]; there is one slot for each process.
 * Minimizes the traffic over slow layers; among equal results, ranks ascend with the numbers of the
 * slots. Errors: SERVET_ERANGE (too many pairs of processes), SERVET_EMEMORY.
 */
int srv_assign(const srv_program *program, const srv_slot_tree *tree, int *slot_of,
               servet_error *error);

#endif
