/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Predicts the time of the messages of a program from given slots: the model of servet_map_cost.
 */
#ifndef SRV_MAP_COST_LOAD_H
#define SRV_MAP_COST_LOAD_H

#include "map/cost/messages.h"
#include "map/tree/slot_tree.h"
#include "servet/map.h"

/** The load of a placement: its times, which are compared, and the resource that limits it. */
typedef struct srv_map_load {
    double seconds, work;
    servet_limit limit;
    int limit_at;  /**< a node: the slots' number for it; other resources: as in servet_map_cost */
    double routes; /**< the longest time of traffic that shares routes between nodes, if its
                      senders had one partner each; s */
    double partners; /**< partners of each of these senders */
} srv_map_load;

/** Sets `*load` to the load if process r runs on slot slot_of[r] (NULL: slot r): the sums of all
 * phases, and the limit of the longest one. Errors: SERVET_EMEMORY. */
int srv_load_of(const srv_program *program, const srv_slot_tree *tree, const int *slot_of,
                srv_map_load *load, servet_error *error);

/** Returns true if a placement is worth to be taken instead of `before`. The routes of a torus
 * follow from a convention, so that a gain there must be larger than their error. */
bool srv_load_gains(const srv_program *program, const srv_map_load *load,
                    const srv_map_load *before);

#endif
