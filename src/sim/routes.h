/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Streams and messages that run at once on a model, as flows over the links that it shares: cores,
 * buses and memory controllers; message layers, network interfaces and the links between nodes.
 *
 * - A **stream** of a PU through memory uses its core (the PUs of a core share it) and one instance
 *   of every domain (srv_numa_domain()), and for remote memory the link that its NUMA node shares.
 * A domain may carry less in all for two and more streams than for one.
 * - A **message inside a node** uses the bandwidth that its layer shares within its group.
 * - A **message between nodes** uses the bandwidth that the layer between nodes shares, the sending
 *   node's interface outward, the receiving node's inward, and the links of the network:
 *   - crossbar: none;
 *   - torus: that of stats/torus.h; every link has two directions, each with the whole bandwidth;
 *   - tree: node n hangs on leaf switch n / dimensions[0], that one on switch n / dimensions[0] /
 *     dimensions[1], and so on. A message climbs to the first common switch. A switch's uplink
 *     carries what its ports below carry, divided by the level's oversubscription; above the
 *     highest level there is a crossbar.
 *
 * Each flow is limited by the bandwidth of one core, or of one message of its size, alone. A
 * bandwidth of 0 in the model limits nothing. Rates are max-min fair (sim/flows.h).
 */
#ifndef SRV_MODEL_ROUTES_H
#define SRV_MODEL_ROUTES_H

#include "sim/model.h"

/** A message from a PU of a node to another. */
typedef struct srv_message {
    int from_node, from_pu; /**< logical numbers, as everywhere in the model */
    int to_node, to_pu;
    double bytes;
} srv_message;

/** A stream of a PU through the memory of a NUMA node. */
typedef struct srv_access {
    int pu;   /**< logical number */
    int node; /**< from 0 */
} srv_access;

/** The rates in bytes/s, rates[0..n-1], of `n` streams at once on one node. Errors: SERVET_EMEMORY.
 */
int srv_routes_memory(const srv_model *model, const srv_access *accesses, int n, double *rates,
                      servet_error *error);

/**
 * The rates in bytes/s, rates[0..n-1], of `n` messages at once while all are in flight.
 * Errors: SERVET_EMACHINE where the model has no layer for one of them, SERVET_EMEMORY.
 */
int srv_routes_messages(const srv_model *model, const srv_message *messages, int n, double *rates,
                        servet_error *error);

/** Seconds before the first byte of a message arrives; NaN where the model has no layer for it. */
double srv_routes_latency(const srv_model *model, const srv_message *message);

/**
 * Seconds until `count` messages of one pair at `rate` bytes/s have arrived, each sent as soon as
 * it can be: `blocking`, by sends that wait where the protocol does. By LogGP the first takes its
 * latency and its bytes, each further one the gap or its bytes, whichever is longer (Alexandrov et
 * al., LogGP, SPAA'95); those that are waited for take as long as the first. NaN as above.
 */
double srv_routes_batch(const srv_model *model, const srv_message *message, double rate, int count,
                        bool blocking);

#endif
