/* SPDX-License-Identifier: BSD-3-Clause */
/** What messages cost by the profile: alone, and by how much a shared resource carries more of them
 *  at once than one. */
#ifndef SRV_MAP_PRICES_H
#define SRV_MAP_PRICES_H

#include "servet/network.h"

/** Prices for messages of a program. */
typedef struct srv_prices {
    const servet_profile *profile;
    double bytes;         /**< of a typical message: how much its like slow each other down */
    double message_bytes; /**< of those that told the layers apart */
    int cores;            /**< of a node that took part in the measurement */
} srv_prices;

/** The prices of a profile. Errors: SERVET_EUNMEASURED (a layer of which neither curve nor latency
 * is known). */
int srv_prices_begin(srv_prices *prices, const servet_profile *profile, double bytes,
                     servet_error *error);

/** Seconds of a message of `bytes` bytes in a layer (from 1), alone. */
double srv_prices_alone(const srv_prices *prices, int layer, double bytes);

/**
 * The share of its time alone that each of `messages` messages at once adds: their slowdown over
 * their number; 1 / messages where they do not disturb each other.
 */
double srv_prices_share(const srv_prices *prices, int layer, int messages);

/** The same for what `processes` processes of a node send to other nodes: by ratNC, or else as
 *  srv_prices_share() of the nearest layer between nodes, `layer`. */
double srv_prices_access(const srv_prices *prices, int layer, int processes);

#endif
