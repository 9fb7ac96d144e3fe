/* SPDX-License-Identifier: BSD-3-Clause */
/** What messages cost by the profile: alone, and by how much a shared resource carries more of them
 *  at once than one. */
#ifndef SRV_MAP_COST_MESSAGE_COSTS_H
#define SRV_MAP_COST_MESSAGE_COSTS_H

#include "servet/network.h"

/** What the messages of a program cost. */
typedef struct srv_message_costs {
    const servet_profile *profile;
    double bytes;         /**< of a typical message: how much its like slow each other down */
    double message_bytes; /**< of those that separated the layers */
    int cores;            /**< of a node that took part in the measurement */
} srv_message_costs;

/** The message costs of a profile. Errors: SERVET_EUNMEASURED (a layer of which neither curve nor
 * latency is known). */
int srv_message_costs_begin(srv_message_costs *costs, const servet_profile *profile, double bytes,
                            servet_error *error);

/** Seconds of a message of `bytes` bytes in a layer (from 1), alone. */
double srv_message_costs_alone(const srv_message_costs *costs, int layer, double bytes);

/**
 * The share of its time alone that each of `messages` messages at once adds: their slowdown over
 * their number; 1 / messages where they do not disturb each other.
 */
double srv_message_costs_share(const srv_message_costs *costs, int layer, int messages);

/** The same for what `processes` processes of a node send to other nodes: by ratNC, or else as
 *  srv_message_costs_share() of the nearest layer between nodes, `layer`. */
double srv_message_costs_access(const srv_message_costs *costs, int layer, int processes);

#endif
