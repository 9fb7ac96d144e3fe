/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Costs of messages from the profile: of one message alone, and of concurrent messages on a shared
 * resource.
 */
#ifndef SRV_MAP_COST_MESSAGE_COSTS_H
#define SRV_MAP_COST_MESSAGE_COSTS_H

#include "map/nodes/known_torus.h"
#include "servet/network.h"

/** Costs of the messages of a program. */
typedef struct srv_message_costs {
    const servet_profile *profile;
    double bytes;         /**< size of a typical message, for the slowdown of concurrent ones */
    double message_bytes; /**< size of the messages that determined the layers */
    int cores;            /**< cores of a node that took part in the measurement */
    int ring; /**< nodes with which ratDist was measured; 0: it was not measured, or layers or
                 a torus replace it */
    srv_known_torus known;
    double link; /**< share of its busy time that a message adds to the others on a link */
    double ends; /**< share of it for which a message in a torus keeps its ends busy: 1, or less if
                    links limit messages, because a message alone fills one */
} srv_message_costs;

/** The message costs of a profile. Errors: SERVET_EUNMEASURED (a layer has neither a curve nor a
 * latency), SERVET_EMEMORY. */
int srv_message_costs_begin(srv_message_costs *costs, const servet_profile *profile, double bytes,
                            servet_error *error);

/** Seconds of a message of `bytes` bytes in a layer (from 1), alone. */
double srv_message_costs_alone(const srv_message_costs *costs, int layer, double bytes);

/**
 * The busy part of the time alone: the seconds that a message adds to other messages in flight. The
 * rest is its latency, which overlaps with theirs. Beyond the sizes of batches, the busy part is
 * the time of the message's bytes; without measured batches, it is the whole time alone.
 */
double srv_message_costs_busy(const srv_message_costs *costs, int layer, double bytes);

/**
 * The share of its busy time that each of `messages` concurrent messages adds: their slowdown
 * divided by their number; 1 / messages if they do not disturb each other. It is at most 1 if the
 * slowdown is not trusted.
 */
double srv_message_costs_share(const srv_message_costs *costs, int layer, int messages);

/**
 * The share for messages of `processes` processes of a node to other nodes: from ratNC, or else
 * srv_message_costs_share() of the nearest layer between nodes, `layer`. If ratNC was measured with
 * different nodes, the larger share is returned, because links between these nodes may have slowed
 * messages down.
 */
double srv_message_costs_access(const srv_message_costs *costs, int layer, int processes);

/**
 * The factor by which a message takes longer than alone if all `costs->ring` nodes send one to the
 * node `steps` steps away in the order of the job. It is computed from the bandwidths behind
 * ratDist, and from the time alone in `layer`; 1 if it is not known.
 */
double srv_message_costs_distance(const srv_message_costs *costs, int layer, int steps);

#endif
