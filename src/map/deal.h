/* SPDX-License-Identifier: BSD-3-Clause */
/** Deals the seats of a site out to the processes of a program, by what they send to each other. */
#ifndef SRV_MAP_DEAL_H
#define SRV_MAP_DEAL_H

#include "map/load.h"

/**
 * Gives each process r of the program a seat, seat_of[r], with room for all; as many seats as
 * processes. Little is sent over slow layers; where it makes no difference, ranks ascend with the
 * numbers of the seats. Errors: SERVET_ERANGE (too many pairs of processes), SERVET_EMEMORY.
 */
int srv_deal(const srv_program *program, const srv_site *site, int *seat_of, servet_error *error);

#endif
