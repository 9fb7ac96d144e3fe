/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What a profile knows of communication: layers of pairs of cores between which a message costs
 * alike, what a message of any size costs in each, how many at once slow each other down, and how a
 * network degrades with distance and with the processes of a node. None of it runs a benchmark.
 *
 * Values that were measured come back as they are. Between two measured ones the answer lies on a
 * straight line and has the method SERVET_METHOD_INTERPOLATED; it is trusted as far as both are.
 * Where an answer goes beyond what was measured, it is not `trusted`.
 *
 * All functions return SERVET_EUNMEASURED for what was not measured, and SERVET_ERANGE for a layer
 * or an item that there is not. Layers count from 1, fastest first; other indices from 0.
 */
#ifndef SERVET_NETWORK_H
#define SERVET_NETWORK_H

#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- the job that measured -------------------------------------------------------------------- */

/** No job that measures has more processes. */
enum { SERVET_RANKS_MAX = 1048576 };

/** The job. Nodes and cores below are its own. */
typedef struct servet_network {
    char benchmarks[SERVET_NAME_MAX]; /**< those that were run, in order: "layers,curves" */
    int nodes;                        /**< their names: servet_network_node() */
    int ranks;                        /**< processes, 1..SERVET_RANKS_MAX */
    int nodes_asked;                  /**< for layers between nodes; the others are in none of their
                                           groups */
    double message_bytes;             /**< of the messages that told the layers apart, 0 where
                                           layers were not asked for; B */
} servet_network;

/** A core of the job's nodes. */
typedef struct servet_place {
    int node; /**< number of the node in the job (from 0): see servet_network_node_of() */
    int core; /**< OS number */
} servet_place;

/** The job that measured, in `*network`. */
SERVET_API int servet_network_get(const servet_profile *profile, servet_network *network);

/** Host name of node `node` of the job; NULL for none. Owned by the profile. */
SERVET_API const char *servet_network_node(const servet_profile *profile, int node);

/**
 * The number of the node called `host` in the job, in `*node`; domains as in
 * servet_profile_class_of(). Errors: SERVET_ENOTFOUND (it took no part).
 */
SERVET_API int servet_network_node_of(const servet_profile *profile, const char *host, int *node);

/* --- layers ----------------------------------------------------------------------------------- */

/** Pairs of cores between which a message costs alike (IPDPS'10, III.D). */
typedef struct servet_network_layer {
    bool between_nodes;     /**< false: within a node */
    servet_value latency;   /**< of a message of servet_network.message_bytes; s */
    servet_value bandwidth; /**< of such a message; B/s */
    double confidence;      /**< 0..1 that it is a layer of its own */
    servet_place from, to;  /**< the typical pair: the curve is its */
    bool trusted;           /**< that there is this layer, with that latency */
} servet_network_layer;

/**
 * Number of layers of communication, in `*count`; 0 for a job of one process. Fastest first: with
 * most networks those within nodes, then those between nodes; but a network may be faster than the
 * memory between two sockets.
 */
SERVET_API int servet_network_layer_count(const servet_profile *profile, int *count);

/** Layer `layer` (from 1, fastest first). */
SERVET_API int servet_network_layer_get(const servet_profile *profile, int layer,
                                        servet_network_layer *answer);

/** Number of groups of a layer: sets of cores joined by pairs of this layer, or of a faster one of
 * its kind: within nodes, or between them. */
SERVET_API int servet_network_group_count(const servet_profile *profile, int layer, int *count);

/**
 * Group `index` of a layer, in `*places`, owned by the profile: cores as "node:core" ranges,
 * nodes from 0, so that "0-3:0-15,5:0" is the cores 0-15 of each of the nodes 0-3, and core 0 of
 * node 5.
 */
SERVET_API int servet_network_group(const servet_profile *profile, int layer, int index,
                                    const char **places);

/**
 * The layer of a pair of cores, in `*layer`: the fastest of its kind that has both in one group.
 * Errors: SERVET_EARGUMENT (both are one), SERVET_ERANGE (a core that took no part),
 * SERVET_EUNMEASURED (no group holds both).
 */
SERVET_API int servet_network_layer_of(const servet_profile *profile, servet_place a,
                                       servet_place b, int *layer);

/** The group of a layer that a core belongs to, in `*index`. Errors: SERVET_ERANGE (no such layer, a
 *  core that took no part), SERVET_EUNMEASURED also for a core that no group of it holds. */
SERVET_API int servet_network_group_of(const servet_profile *profile, int layer, servet_place where,
                                       int *index);

/**
 * The cores of the job nearest to a core, as messages go: `*count` of them into `places`, at most
 * `size`, those of the fastest layer first, of one layer by node and core. Errors: SERVET_ERANGE
 * (a core that took no part).
 */
SERVET_API int servet_network_nearest(const servet_profile *profile, servet_place where,
                                      servet_place places[], int size, int *count);

/* --- one message ------------------------------------------------------------------------------ */

/**
 * Seconds that a message of `bytes` bytes takes between a pair of the layer, alone, in `*time`.
 * From the curve of the layer; for more bytes than were asked, the bandwidth of the largest message
 * goes on, for fewer the time of the smallest. Errors: SERVET_EARGUMENT (`bytes` is negative or not
 * finite).
 */
SERVET_API int servet_network_time(const servet_profile *profile, int layer, double bytes,
                                   servet_value *time);

/** Bytes over that time; B/s. Errors: SERVET_EARGUMENT also for 0 bytes. */
SERVET_API int servet_network_bandwidth(const servet_profile *profile, int layer, double bytes,
                                        servet_value *bandwidth);

/** A measured point of a layer's curve. */
typedef struct servet_message {
    double bytes;
    servet_value time; /**< half a round trip; s */
} servet_message;

/** Number of points of a layer's curve. */
SERVET_API int servet_network_point_count(const servet_profile *profile, int layer, int *count);

/** Point `index` of a layer's curve, sizes ascending. */
SERVET_API int servet_network_point(const servet_profile *profile, int layer, int index,
                                    servet_message *point);

/**
 * A protocol of the MPI library, a straight piece of the curve: seconds = latency + bytes /
 * bandwidth (Hockney's model). Where one ends and the next begins, the library switches.
 */
typedef struct servet_protocol {
    servet_value from;      /**< the smallest message that is sent so; B */
    servet_value latency;   /**< of a message of no bytes; s */
    servet_value bandwidth; /**< B/s; unknown where its messages are too small to tell */
} servet_protocol;

/** Number of protocols of a layer. */
SERVET_API int servet_network_protocol_count(const servet_profile *profile, int layer, int *count);

/** Protocol `index` of a layer, sizes ascending. */
SERVET_API int servet_network_protocol(const servet_profile *profile, int layer, int index,
                                       servet_protocol *protocol);

/* --- many messages at once -------------------------------------------------------------------- */

/**
 * By how much (a factor) a message of `bytes` bytes takes longer while `messages` of them go at
 * once, each between another pair of the layer (IPDPS'10, III.D), in `*factor`; 1 for one. Between
 * sizes that were asked it follows their logarithm; beyond them that of the nearest size holds.
 * Errors: SERVET_EARGUMENT (`messages` < 1, `bytes` as above), SERVET_ERANGE (more messages than
 * were asked: the layer had no more pairs).
 */
SERVET_API int servet_network_slowdown(const servet_profile *profile, int layer, double bytes,
                                       int messages, servet_value *factor);

/**
 * The cost of a message while `messages` of them go at once: seconds of it alone, times the
 * slowdown. Errors: those of both.
 */
SERVET_API int servet_network_cost(const servet_profile *profile, int layer, double bytes,
                                   int messages, servet_value *time);

/** The same between two cores: the cost in their layer. Errors: also those of
 *  servet_network_layer_of(). */
SERVET_API int servet_network_cost_between(const servet_profile *profile, servet_place a,
                                           servet_place b, double bytes, int messages,
                                           servet_value *time);

/** So many messages of a size at once, as measured. */
typedef struct servet_together {
    int messages;
    double bytes;
    servet_value time;  /**< of one of them; s */
    servet_value ratio; /**< to that of one message alone */
} servet_together;

/** Number of such measurements. */
SERVET_API int servet_network_together_count(const servet_profile *profile, int layer, int *count);

/** Measurement `index`: sizes ascending, of each the messages. */
SERVET_API int servet_network_together(const servet_profile *profile, int layer, int index,
                                       servet_together *together);

/** When so many messages are better gathered into one of all their bytes. */
typedef struct servet_gather {
    int messages;
    double below;   /**< smaller ones (of each of them, B) are; 0: none */
    bool unbounded; /**< all that were asked are: `below` is the largest of them */
    bool trusted;   /**< the advice */
} servet_gather;

/** Number of such pieces of advice. */
SERVET_API int servet_network_gather_count(const servet_profile *profile, int layer, int *count);

/** Advice `index`: messages ascending. */
SERVET_API int servet_network_gather(const servet_profile *profile, int layer, int index,
                                     servet_gather *gather);

/** What so many messages cost as they are, and as one. */
typedef struct servet_gathering {
    bool gather;           /**< one message is faster */
    servet_value apart;    /**< the cost of one of the messages while all go at once; s */
    servet_value together; /**< of one message of all their bytes, alone; s */
    bool trusted;          /**< the advice: both times are */
} servet_gathering;

/**
 * Whether `messages` messages of `bytes` bytes each in a layer are better gathered into one
 * (IPDPS'10, III.D). Errors: those of servet_network_cost().
 */
SERVET_API int servet_network_gathering(const servet_profile *profile, int layer, double bytes,
                                        int messages, servet_gathering *advice);

/* --- degradation ------------------------------------------------------------------------------ */

/** By what a network degrades: ratDist and ratNC of the papers. */
#define SERVET_DEGRADATION_LIST(X)                                                                 \
    X(SERVET_DEGRADATION_DISTANCE, "distance") /* of the nodes, in their order in the job */       \
    X(SERVET_DEGRADATION_ACCESS, "access")     /* processes of a node that send at once */

#define SERVET_NETWORK_ENUM_(name, text) name,
typedef enum servet_degradation {
    SERVET_DEGRADATION_LIST(SERVET_NETWORK_ENUM_) SERVET_DEGRADATION_COUNT
} servet_degradation;
#undef SERVET_NETWORK_ENUM_

/** The degradation's name ("distance"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_degradation_name(servet_degradation degradation);

/** Distances and numbers of processes go up to here. */
enum { SERVET_RATIO_MAX = 65536 };

/** How it was measured. */
typedef struct servet_ratios {
    double bytes; /**< of the messages */
    int largest;  /**< distance, or number of processes per node, that was asked; 1 at least */
    bool constant_total; /**< as many processes took part for every ratio; false: there were too few
                              nodes for that, and all of them did */
} servet_ratios;

/** A ratio of bandwidths. */
typedef struct servet_ratio {
    int at;                 /**< the distance, or the number of processes per node */
    int nodes;              /**< that took part; of the nearest measured one below */
    servet_value bandwidth; /**< of one message while all go; B/s */
    servet_value ratio;     /**< bandwidth at 1, over this one */
    bool trusted;           /**< the ratio */
} servet_ratio;

/** How a degradation was measured. Errors: SERVET_EARGUMENT (no degradation), here and below. */
SERVET_API int servet_network_ratios(const servet_profile *profile, servet_degradation degradation,
                                     servet_ratios *ratios);

/**
 * ratDist or ratNC `at` a distance or a number of processes per node, from 1. Errors: SERVET_ERANGE
 * (above the largest that was asked).
 */
SERVET_API int servet_network_ratio(const servet_profile *profile, servet_degradation degradation,
                                    int at, servet_ratio *ratio);

/* --- measured more than once ------------------------------------------------------------------ */

/**
 * Number of times that a degradation was measured, each on another number of nodes or with messages
 * of another size, in `*count`. The first one is what the functions above answer from: that on most
 * nodes, and of those the one with the largest messages. The others follow in this order.
 */
SERVET_API int servet_network_ratios_count(const servet_profile *profile,
                                           servet_degradation degradation, int *count);

/** As servet_network_ratios(), of measurement `index`. */
SERVET_API int servet_network_ratios_at(const servet_profile *profile,
                                        servet_degradation degradation, int index,
                                        servet_ratios *ratios);

/** As servet_network_ratio(), of measurement `index`; the ratio at 1 says how many nodes it was on.
 */
SERVET_API int servet_network_ratio_at(const servet_profile *profile,
                                       servet_degradation degradation, int index, int at,
                                       servet_ratio *ratio);

#ifdef __cplusplus
}
#endif
#endif
