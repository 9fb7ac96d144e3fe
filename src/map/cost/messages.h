/* SPDX-License-Identifier: BSD-3-Clause */
/** The messages of a program: program.h reads them, load.h predicts their time. */
#ifndef SRV_MAP_COST_MESSAGES_H
#define SRV_MAP_COST_MESSAGES_H

#include "map/cost/message_costs.h"
#include "map/traffic/graph.h"
#include "servet/map.h"

/** Messages that are sent at once. */
typedef struct srv_phase {
    srv_graph graph; /**< messages of each process */
    double bytes;    /**< size of a typical one */
} srv_phase;

/** The messages of a program. */
typedef struct srv_program {
    const servet_traffic *traffic;
    srv_phase *phases; /**< one at least */
    int count;
    srv_message_costs costs; /**< of the messages of any phase */
    double balance; /**< 0..1: the part of the slowdown on routes between nodes that messages to
                       very many partners do not have, because they use all routes evenly */
} srv_program;

#endif
