/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Costs of messages from the profile: of one message alone, and of concurrent messages on a shared
 * resource.
 */
#ifndef SRV_MAP_COST_MESSAGE_COSTS_H
#define SRV_MAP_COST_MESSAGE_COSTS_H

#include "servet/network.h"

/** Costs of the messages of a program. */
typedef struct srv_message_costs {
    const servet_profile *profile;
    double bytes;         /**< size of a typical message, for the slowdown of concurrent ones */
    double message_bytes; /**< like those that separated the layers */
    int cores;            /**< of a node that took part in the measurement */
    int ring; /**< nodes with which ratDist was measured; 0: the layers say the same, or it was not
                 measured */
} srv_message_costs;

/** The message costs of a profile. Errors: SERVET_EUNMEASURED (a layer has neither a curve nor a
 * latency). */
int srv_message_costs_begin(srv_message_costs *costs, const servet_profile *profile, double bytes,
                            servet_error *error);

/** Seconds of a message of `bytes` bytes in a layer (from 1), alone. */
double srv_message_costs_alone(const srv_message_costs *costs, int layer, double bytes);

/**
 * The busy part of the time alone: the seconds that a message adds to others in flight. The rest is
 * its latency, which they wait for together. Beyond the sizes of batches it is the time of its
 * bytes; without measured batches all of the time alone.
 */
double srv_message_costs_busy(const srv_message_costs *costs, int layer, double bytes);

/**
 * The share of its busy time that each of `messages` concurrent messages adds: their slowdown
 * divided by their number; 1 / messages if they do not disturb each other. At most 1 where the
 * slowdown is not trusted.
 */
double srv_message_costs_share(const srv_message_costs *costs, int layer, int messages);

/**
 * The same for messages of `processes` processes of a node to other nodes: by ratNC, or else as
 * srv_message_costs_share() of the nearest layer between nodes, `layer`. If ratNC compares
 * different nodes, the worse of both: a slowdown by links between these nodes is not that of the
 * access.
 */
double srv_message_costs_access(const srv_message_costs *costs, int layer, int processes);

/**
 * Ratio of the time of a message to the node `steps` steps away in the order of the job, if all
 * `costs->ring` nodes send one that far, to its time alone: by the bandwidths behind ratDist, and
 * the time alone in `layer`; 1 if not known.
 */
double srv_message_costs_distance(const srv_message_costs *costs, int layer, int steps);

#endif
