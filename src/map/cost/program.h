/* SPDX-License-Identifier: BSD-3-Clause */
/** The messages of a program, as the model of servet_map_cost needs them. */
#ifndef SRV_MAP_COST_PROGRAM_H
#define SRV_MAP_COST_PROGRAM_H

#include "map/cost/messages.h"

/**
 * Reads the traffic of a program; call srv_program_finish() also after a failure. Errors: those of
 * srv_message_costs_begin() and srv_graph_begin().
 */
int srv_program_begin(srv_program *program, const servet_profile *profile,
                      const servet_traffic *traffic, servet_error *error);

/** Frees what srv_program_begin() allocated. */
void srv_program_finish(srv_program *program);

#endif
