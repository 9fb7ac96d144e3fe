/* SPDX-License-Identifier: BSD-3-Clause */
/** Options of a measurement of communication. */
#ifndef SRV_RUN_NETWORK_OPTIONS_H
#define SRV_RUN_NETWORK_OPTIONS_H

#include "machine/network.h"
#include "servet/measure.h"

struct srv_network_costs;

/**
 * The benchmarks in the order in which they run, as rows of their table (run/plan.h): name, the
 * word for it, what it measures, those that it needs, its stage, its cost, whose noise makes its
 * facts doubtful, its raw series, and the facts that it stores. Most others need layers. If a layer
 * is not trusted, their number is not, either.
 */
#define SRV_NETWORK_BENCHMARK_LIST(X)                                                              \
    X(SRV_NETWORK_LAYERS, "layers", "layers of communication", 0, srv_network_measure_layers,      \
      srv_network_cost_layers, SRV_WITNESS_LAYER, "layers-*.csv",                                  \
      "network.layers.#.latency_us network.layers.#.bandwidth network.layers.#.confidence "        \
      "network.layers.#.groups network.layers.#.from network.layers.#.to network.layers.count "    \
      "network.torus")                                                                             \
    X(SRV_NETWORK_CURVES, "curves", "message sizes", SRV_BIT(SRV_NETWORK_LAYERS),                  \
      srv_network_measure_curves, srv_network_cost_curves, SRV_WITNESS_PAIR,                       \
      "messages-repeats.csv", "network.layers.#.points network.layers.#.protocols")                \
    X(SRV_NETWORK_SCALABILITY, "scalability", "messages at once", SRV_BIT(SRV_NETWORK_LAYERS),     \
      srv_network_measure_scalability, srv_network_cost_scalability, SRV_WITNESS_MANY, "",         \
      "network.layers.#.together")                                                                 \
    X(SRV_NETWORK_DISTANCE, "distance", "distances between nodes", 0,                              \
      srv_network_measure_distance, srv_network_cost_distance, SRV_WITNESS_FIRST, "",              \
      "network.distance")                                                                          \
    X(SRV_NETWORK_ACCESS, "access", "processes at the network", SRV_BIT(SRV_NETWORK_LAYERS),       \
      srv_network_measure_access, srv_network_cost_access, SRV_WITNESS_ALL, "", "network.access")  \
    X(SRV_NETWORK_AGGREGATION, "aggregation", "batches of messages", SRV_BIT(SRV_NETWORK_LAYERS),  \
      srv_network_measure_aggregation, srv_network_cost_aggregation, SRV_WITNESS_PAIR, "",         \
      "network.layers.#.batches network.layers.#.aggregation")                                     \
    X(SRV_NETWORK_COLLECTIVES, "collectives", "collective operations",                             \
      SRV_BIT(SRV_NETWORK_LAYERS) | SRV_BIT(SRV_NETWORK_CURVES), srv_network_measure_collectives,  \
      srv_network_cost_collectives, SRV_WITNESS_ALL, "", "network.collectives")                    \
    X(SRV_NETWORK_BISECTION, "bisection", "random halves of the nodes", 0,                         \
      srv_network_measure_bisection, srv_network_cost_bisection, SRV_WITNESS_ALL, "bisection.csv", \
      "network.bisection network.node_rates")

#define SRV_NETWORK_ENUM_(name, ...) name,
typedef enum srv_network_benchmark {
    SRV_NETWORK_BENCHMARK_LIST(SRV_NETWORK_ENUM_) SRV_NETWORK_BENCHMARK_COUNT
} srv_network_benchmark;
#undef SRV_NETWORK_ENUM_

/** The benchmark's word ("layers"); "?" for a number that is none. Static storage. */
const char *srv_network_benchmark_name(srv_network_benchmark benchmark);

/** Options of a measurement of the network. Start from SRV_NETWORK_OPTIONS_INIT. */
typedef struct srv_network_options {
    unsigned only; /**< 1u << srv_network_benchmark of those wanted, which run with those that they
                        need; 0: all */
    double layer_bytes;    /**< of messages that separate layers: the size of the L1 (IPDPS'10,
                              III.D),      default 32 KiB */
    double message_bytes;  /**< of distance and access; 0: srv_messaging_largest() between nodes */
    int nodes;             /**< of distance and access: the first ones of the job; 0: all */
    double budget_seconds; /**< on the network's clock, from the call on; 0: no limit */
    double spent_seconds;  /**< of a budget before the call, for what is said of it */
    const srv_buffers *buffers; /**< of all messages; NULL: warm, for distance and access rotated */
    const char *raw_dir;        /**< existing folder for the raw series, or NULL to keep none */
    const srv_sets *objects; /**< sets of PUs of a node that the OS reports to share something, for
                                where layers within nodes were not found; NULL: not known */
    /** See servet_measure_options. */
    int (*progress)(void *context, const servet_progress *progress);
    /** Called after each benchmark: a run can continue after a kill from what the profile has now.
     * Other than SERVET_OK ends the measurement. May be NULL. */
    int (*keep)(void *context, servet_error *error);
    /** Called for each benchmark with a probe that is not on record (SERVET_EUNMEASURED): it stays
     * unmeasured, and the next one follows. NULL: that is a failure. */
    void (*missing)(void *context, srv_network_benchmark benchmark, const char *why);
    /** Called with the costs, as estimated from a few messages, before anything is measured. May be
     * NULL. */
    void (*planned)(void *context, const struct srv_network_costs *costs);
    void *context;
} srv_network_options;

#define SRV_NETWORK_OPTIONS_INIT                                                                   \
    {                                                                                              \
        0, 32768, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL                       \
    }

#endif
