/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Communication facts of a profile: layers of pairs of cores with about the same message time, the
 * time of a message by its size in each layer, the slowdown of concurrent messages, whether several
 * messages to one process are better sent as one, collective operations, and how the network
 * degrades with distance and with the number of processes per node. No function here runs a
 * benchmark.
 *
 * Measured values are returned unchanged. Between two measured points values are interpolated
 * linearly, with the method SERVET_METHOD_INTERPOLATED; they are trusted if both points are. Values
 * beyond the measured points are not `trusted`.
 *
 * All functions return SERVET_EUNMEASURED if the fact was not measured, and SERVET_ERANGE if there
 * is no such layer or item. Layers count from 1, fastest first; other indices from 0.
 * servet_profile_count() and servet_profile_item() answer lists of structs; the comment of each
 * struct names the path of its list.
 */
#ifndef SERVET_NETWORK_H
#define SERVET_NETWORK_H

#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- the job that measured -------------------------------------------------------------------- */

/** Largest number of processes of a job that measures. */
enum { SERVET_RANKS_MAX = 1048576 };

/** Lists of structs of the job: the last word of their path, and the type. */
#define SERVET_NETWORK_LISTS(X)                                                                    \
    X(slow_links, servet_slow_link)                                                                \
    X(torus, servet_dimension)                                                                     \
    X(collectives, servet_collective)                                                              \
    X(node_rates, servet_node_rate)

/** The job that measured. Numbers of nodes below are those of this job. */
typedef struct servet_network {
    char benchmarks[SERVET_TEXT_MAX]; /**< benchmarks that were run, in order: "layers,curves" */
    int nodes;                        /**< number of nodes; servet_network_node() has their names */
    int ranks;                        /**< number of processes, 1..SERVET_RANKS_MAX */
    int nodes_asked;      /**< number of nodes between which layers were measured; groups
                               of layers between nodes contain only these */
    double message_bytes; /**< size of the messages that determined the layers, 0 if
                               layers were not measured; B */
} servet_network;

/** A core of a node of the job. */
typedef struct servet_place {
    int node; /**< number of the node in the job (from 0): see servet_network_node_of() */
    int core; /**< OS number */
} servet_place;

/** The job that measured, in `*network`. */
SERVET_API int servet_network_get(const servet_profile *profile, servet_network *network);

/** Host name of node `node` of the job; NULL if there is no such node. Owned by the profile. */
SERVET_API const char *servet_network_node(const servet_profile *profile, int node);

/**
 * The number of the node called `host` in the job, in `*node`; domains are compared as in
 * servet_profile_class_of(). Errors: SERVET_ENOTFOUND (the host was not a node of the job).
 */
SERVET_API int servet_network_node_of(const servet_profile *profile, const char *host, int *node);

/** A node with this slowness or more is slow. Differences by noise, and by the places of nodes in a
 * network, are smaller. */
#define SERVET_SLOW_NODE 1.5

/**
 * The time of the messages of node `node` (from 0) divided by the time of messages between other
 * nodes, in `*slowness`. A node with SERVET_SLOW_NODE or more is slow: it takes no part in the
 * measurements of SERVET_DEGRADATION_LIST, in which messages wait for each other. Errors:
 * SERVET_EUNMEASURED also if no node of the job is slow.
 */
SERVET_API int servet_network_slowness(const servet_profile *profile, int node,
                                       servet_value *slowness);

/**
 * A slow link: messages between two parts of the network take `factor` times as long as the other
 * messages of both parts. A part is a node, or the nodes of a switch. If a switch has a slow link
 * to the rest of the network, `to` is all nodes except `from`. A long way through a network is not
 * a slow link: a slow link is an exception at both ends. List "network.slow_links"; it is not
 * measured if fewer than four nodes were sound.
 */
typedef struct servet_slow_link {
    char from[SERVET_TEXT_MAX]; /**< nodes at one end, as ranges, "0-3,8"; cut at the end of the
                                   text */
    char to[SERVET_TEXT_MAX];   /**< nodes at the other end */
    servet_value factor;        /**< SERVET_SLOW_NODE or more */
    double confidence;          /**< 0..1 that it is slow */
    bool trusted;               /**< false: measured under noise, or not confirmed in time */
} servet_slow_link;

/**
 * A dimension of a torus of all nodes. Node n has the coordinate n % N1 in the first dimension, of
 * N1 nodes, then (n / N1) % N2 in the next one, and so on. It is searched in the times of short
 * messages, unless the nodes form several layers. List "network.torus"; empty if none was found.
 */
typedef struct servet_dimension {
    int nodes;         /**< along this dimension */
    servet_value step; /**< time that each link on the way adds; the same for all dimensions; s */
} servet_dimension;

/* --- layers ----------------------------------------------------------------------------------- */

/** A communication layer: pairs of cores with about the same message time (IPDPS'10, III.D). */
typedef struct servet_network_layer {
    bool between_nodes;     /**< false: within a node */
    servet_value latency;   /**< time of a message of servet_network.message_bytes; s */
    servet_value bandwidth; /**< bandwidth of such a message; B/s */
    double confidence;      /**< 0..1 that the layer is real */
    servet_place from, to;  /**< the typical pair, with which the curve was measured */
    bool trusted;           /**< false: the layer or its latency was measured under noise */
} servet_network_layer;

/**
 * Number of communication layers, in `*count`; 0 for a job of one process. The fastest layer is the
 * first one. Layers within nodes usually come before layers between nodes, but a network may be
 * faster than the memory between two sockets.
 */
SERVET_API int servet_network_layer_count(const servet_profile *profile, int *count);

/** Layer `layer` (from 1, fastest first). */
SERVET_API int servet_network_layer_get(const servet_profile *profile, int layer,
                                        servet_network_layer *answer);

/** Number of groups of a layer, in `*count`: sets of cores joined by pairs of this layer or a
 * faster one. Layers within nodes and layers between nodes are joined separately. */
SERVET_API int servet_network_group_count(const servet_profile *profile, int layer, int *count);

/**
 * Group `index` of a layer, in `*places`, owned by the profile: cores as "node:core" ranges, nodes
 * counted from 0. "0-3:0-15,5:0" means the cores 0-15 of each of the nodes 0-3, and core 0 of
 * node 5.
 */
SERVET_API int servet_network_group(const servet_profile *profile, int layer, int index,
                                    const char **places);

/**
 * The layer of a pair of cores, in `*layer`: the fastest one that has both in one group. A pair
 * within a node is in a layer within nodes, a pair of two nodes in a layer between nodes. Errors:
 * SERVET_EARGUMENT (both are the same core), SERVET_ERANGE (a core that the job did not use),
 * SERVET_EUNMEASURED (no group contains both).
 */
SERVET_API int servet_network_layer_of(const servet_profile *profile, servet_place a,
                                       servet_place b, int *layer);

/** The group of a layer that a core belongs to, in `*index`. Errors: SERVET_ERANGE (no such layer,
 * a core that the job did not use), SERVET_EUNMEASURED also for a core in no group of the layer. */
SERVET_API int servet_network_group_of(const servet_profile *profile, int layer, servet_place where,
                                       int *index);

/**
 * The cores of the job, ordered by the message time from a core: the first `size` into `places`,
 * and the number of all into `*count`. Cores of the fastest layer come first; within a layer, the
 * order is by node and core. Errors: SERVET_ERANGE (a core that the job did not use).
 */
SERVET_API int servet_network_nearest(const servet_profile *profile, servet_place where,
                                      servet_place places[], int size, int *count);

/* --- one message ------------------------------------------------------------------------------ */

/**
 * Time of a message of `bytes` bytes between a pair of the layer, with no other messages, in
 * `*time`; s. It is read from the curve of the layer. Above the largest measured size, the
 * bandwidth of the largest message is assumed; below the smallest size, the time of the smallest
 * message. Errors: SERVET_EARGUMENT (`bytes` is negative or not finite).
 */
SERVET_API int servet_network_time(const servet_profile *profile, int layer, double bytes,
                                   servet_value *time);

/** `bytes` divided by that time; B/s. Errors: as servet_network_time(), SERVET_EARGUMENT also for 0
 *  bytes. */
SERVET_API int servet_network_bandwidth(const servet_profile *profile, int layer, double bytes,
                                        servet_value *bandwidth);

/** A measured point of a layer's curve. List "network.layers.points", sizes ascending. */
typedef struct servet_message {
    double bytes;
    servet_value time; /**< half a round trip; s */
} servet_message;

/**
 * A protocol of the MPI library, such as eager or rendezvous: a straight piece of the curve,
 * seconds = latency + bytes / bandwidth (Hockney's model). List "network.layers.protocols", sizes
 * ascending.
 */
typedef struct servet_protocol {
    servet_value from;      /**< smallest message sent by this protocol; B */
    servet_value latency;   /**< time of an empty message; s */
    servet_value bandwidth; /**< B/s; unknown if its messages are too small to determine it */
} servet_protocol;

/** Largest number of sizes of a curve that can be analyzed. The time of the analysis grows with the
 * square of this number. */
enum { SERVET_MESSAGE_SIZES_MAX = 4096 };

/**
 * The protocols of a curve that another tool measured: the time of a message (half a round trip) by
 * its size, as servet_curve_read_printed() reads it. The first `size` protocols go into
 * `protocols`, and the number of all into `*count`. Errors: SERVET_EARGUMENT (times in cycles;
 * fewer than three or more than SERVET_MESSAGE_SIZES_MAX sizes), SERVET_EMEMORY.
 */
SERVET_API int servet_analyze_messages(const servet_curve *curve, servet_protocol protocols[],
                                       int size, int *count, servet_error *error);

/* --- messages of many pairs at once ----------------------------------------------------------- */

/**
 * Slowdown of a message of `bytes` bytes when `messages` of them are sent at once, each between
 * another pair of the layer (IPDPS'10, III.D), in `*factor`: its time divided by the time of one
 * message alone. Between measured sizes, it is interpolated over the logarithm of the size; beyond
 * them, it is the slowdown of the nearest size. Errors: SERVET_EARGUMENT (`messages` < 1, `bytes`
 * negative or not finite), SERVET_ERANGE (more messages than were measured, because the layer has
 * no more pairs).
 */
SERVET_API int servet_network_slowdown(const servet_profile *profile, int layer, double bytes,
                                       int messages, servet_value *factor);

/**
 * Time of a message when `messages` of them are sent at once, in `*time`: servet_network_time()
 * times servet_network_slowdown(); s. Errors: those of these two functions.
 */
SERVET_API int servet_network_cost(const servet_profile *profile, int layer, double bytes,
                                   int messages, servet_value *time);

/** The same between two cores, in their layer. Errors: also those of servet_network_layer_of(). */
SERVET_API int servet_network_cost_between(const servet_profile *profile, servet_place a,
                                           servet_place b, double bytes, int messages,
                                           servet_value *time);

/** A measurement of concurrent messages. List "network.layers.together", ordered by size, then by
 * number of messages. */
typedef struct servet_together {
    int messages;       /**< messages that were sent at once */
    double bytes;       /**< size of each message */
    servet_value time;  /**< time of one of these messages; s */
    servet_value ratio; /**< this time divided by the time of one message alone */
} servet_together;

/* --- several messages to one process ---------------------------------------------------------- */

/** Payoff of one message instead of several with the same bytes, and its word. */
#define SERVET_PAYOFF_LIST(X)                                                                      \
    X(SERVET_PAYOFF_EVEN, "even")   /* no difference of 2 % and more beyond the noise */           \
    X(SERVET_PAYOFF_PAYS, "pays")   /* one message is faster */                                    \
    X(SERVET_PAYOFF_LOSES, "loses") /* several messages are faster */

#define SERVET_NETWORK_ENUM_(name, text) name,
typedef enum servet_payoff {
    SERVET_PAYOFF_LIST(SERVET_NETWORK_ENUM_) SERVET_PAYOFF_COUNT
} servet_payoff;
#undef SERVET_NETWORK_ENUM_

/** The payoff's word ("pays"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_payoff_name(servet_payoff payoff);

/**
 * A batch: several messages of one size from one process to another, sent in three ways. Each time
 * is half of a round trip with the whole batch in both directions. Before the batch is sent as one
 * message, the sender writes the message, and the receiver reads it afterwards: that takes as long
 * as to copy the messages into a buffer and out of it. List "network.layers.batches", ordered by
 * number of messages, then by size.
 */
typedef struct servet_batch {
    int messages;         /**< number of messages in the batch, at least 2 */
    double bytes;         /**< size of each message */
    servet_value in_turn; /**< time by blocking sends, one after the other; s */
    servet_value at_once; /**< time by non-blocking sends that are waited for together; s */
    servet_value as_one;  /**< time of one message of messages * bytes bytes; s */
    servet_value gain;    /**< the smaller one of in_turn and at_once, divided by as_one */
    servet_payoff payoff; /**< whether one message is faster, by the interval of `gain` */
    bool trusted;         /**< false: measured under noise, or beyond the smallest size */
} servet_batch;

/**
 * A range of sizes in which batches of `messages` messages have the same payoff. The ranges of a
 * number of messages together contain all its measured sizes. Several ranges may pay: small
 * messages, and larger ones that the MPI library sends by a slower protocol. List
 * "network.layers.aggregation", ordered by number of messages, then by size.
 */
typedef struct servet_aggregation {
    int messages;
    double from, below;   /**< sizes of each message: from <= size < below; B */
    bool unbounded;       /**< the last range: it includes `below`, the largest measured size */
    servet_payoff payoff; /**< payoff of sending these messages as one (message aggregation) */
    servet_value gain;    /**< gain of the batches in the range: median, least low, greatest high */
    bool trusted;         /**< false: measured under noise */
} servet_aggregation;

/**
 * The costs of `messages` messages of `bytes` bytes each between two processes of a layer, one
 * after the other, at once and as one, and whether one pays, in `*batch`. A measured batch is
 * returned unchanged. Between measured sizes, and between measured numbers of messages, times are
 * interpolated linearly; the time of one message by the size of that message. If one message pays
 * at one end of the interpolation and not at the other, the interval of the gain contains both
 * gains, and the payoff is even. Below the smallest measured size, the times of the smallest size
 * are returned. Errors: SERVET_EARGUMENT (`messages` < 2, `bytes` negative or not finite),
 * SERVET_ERANGE (no such layer; more messages, or larger ones of that number, than were measured).
 */
SERVET_API int servet_network_aggregate(const servet_profile *profile, int layer, double bytes,
                                        int messages, servet_batch *batch);

/* --- collective operations -------------------------------------------------------------------- */

/** Collective operations of MPI, and their words. */
#define SERVET_COLLECTIVE_LIST(X)                                                                  \
    X(SERVET_COLLECTIVE_BARRIER, "barrier")                                                        \
    X(SERVET_COLLECTIVE_BROADCAST, "broadcast")                                                    \
    X(SERVET_COLLECTIVE_REDUCE, "reduce") /* sums of doubles, as in the next one */                \
    X(SERVET_COLLECTIVE_ALLREDUCE, "allreduce")                                                    \
    X(SERVET_COLLECTIVE_ALLGATHER, "allgather")                                                    \
    X(SERVET_COLLECTIVE_ALLTOALL, "alltoall")

#define SERVET_NETWORK_ENUM_(name, text) name,
typedef enum servet_collective_op {
    SERVET_COLLECTIVE_LIST(SERVET_NETWORK_ENUM_) SERVET_COLLECTIVE_COUNT
} servet_collective_op;
#undef SERVET_NETWORK_ENUM_

/** The operation's word ("allreduce"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_collective_name(servet_collective_op op);

/**
 * A measured collective operation: of all cores of the job, of one group of a layer, or of all its
 * groups at once. The time ends when the last rank has finished. List "network.collectives",
 * ordered by operation, ranks, groups and size.
 */
typedef struct servet_collective {
    servet_collective_op op;
    int ranks;    /**< ranks of the operation, in the order of nodes and cores; with several
                       groups, the ranks of the largest one */
    int groups;   /**< groups of a layer that did the operation at once, each on its own */
    double bytes; /**< bytes that the root sends to each rank, or that each rank contributes to a
                       sum; for allgather, the bytes of each rank; for alltoall, the bytes from
                       each rank to each other one; 0 for a barrier */
    servet_value time; /**< s */
} servet_collective;

/**
 * The time of a collective operation of `ranks` ranks, which fill cores in the order of the nodes
 * of the job, in `*time`; s. `bytes` has the meaning of servet_collective.bytes. If this number of
 * ranks was measured, the time is read from the measured sizes as servet_network_time() reads a
 * curve; otherwise servet_network_collective_predict() predicts it for one group. Errors: those of
 * servet_network_collective_predict().
 */
SERVET_API int servet_network_collective(const servet_profile *profile, servet_collective_op op,
                                         double bytes, int ranks, servet_value *time);

/**
 * Predicts, from the message times of the layers, the time of a collective operation that `groups`
 * groups of `ranks` ranks do at once, in `*time`; s. The method is SERVET_METHOD_INTERPOLATED; the
 * value is not trusted. It is the time of the fastest algorithm among those that MPI libraries use
 * (Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations in MPICH,
 * IJHPCA 19(1), 2005): binomial tree, or scatter and ring; recursive doubling, or halving and
 * doubling, or ring; Bruck, ring, or pairwise exchange; dissemination for a barrier (Hensgen,
 * Finkel, Manber, IJPP 17(1), 1988). A round of an algorithm takes as long as a message in the
 * layer that joins its ranks, slowed down by the other messages of the round, as far as concurrent
 * messages were measured. Arithmetic takes no time. Errors: SERVET_EARGUMENT (no such operation,
 * `bytes` negative or not finite, `ranks` or `groups` < 1), SERVET_ERANGE (more ranks than the job
 * had), SERVET_EUNMEASURED (also if a layer has no curve).
 */
SERVET_API int servet_network_collective_predict(const servet_profile *profile,
                                                 servet_collective_op op, double bytes, int ranks,
                                                 int groups, servet_value *time);

/* --- random halves ---------------------------------------------------------------------------- */

/**
 * Bandwidth of random halves of the nodes (Hoefler, Schneider, Lumsdaine, Multistage Switches are
 * not Crossbars, Cluster 2008): each node of one half exchanges messages with a node of the other
 * one, in both directions, all at once.
 */
typedef struct servet_bisection {
    int nodes;     /**< nodes of both halves; of an odd number one pauses in each division */
    int processes; /**< of each node, each with a partner */
    double bytes;  /**< size of each message */
    servet_value bandwidth; /**< of all messages in one direction, while as many go in the other
                               one: the median of several divisions; B/s */
    servet_value usual;     /**< of servet_node_rate.bandwidth: the median of all nodes; B/s */
} servet_bisection;

/** The random halves, in `*halves`. */
SERVET_API int servet_network_bisection(const servet_profile *profile, servet_bisection *halves);

/**
 * A node in these divisions, with another partner in each. A node is an outlier if it is further
 * from the median of all nodes than the deviations of the nodes make likely, and by a factor of
 * SERVET_SLOW_NODE (bandwidth) or by 5 % (time). With fewer than six divisions none is. List
 * "network.node_rates"; item N is node N - 1 of the job.
 */
typedef struct servet_node_rate {
    servet_value bandwidth; /**< of its messages in each direction, the median of the divisions;
                               B/s; unknown if it paused in all of them */
    servet_value lost;      /**< share of time (0..1) that a spinning thread on its cores did not
                               run; the interval is that of the samples */
    bool slow;              /**< an outlier: its bandwidth is less than that of other nodes */
    bool noisy;             /**< an outlier: its cores lose more time than those of other nodes */
} servet_node_rate;

/* --- degradation ------------------------------------------------------------------------------ */

/** Causes of degradation: ratDist and ratNC of "The Servet 3.0 Benchmark Suite". */
#define SERVET_DEGRADATION_LIST(X)                                                                 \
    X(SERVET_DEGRADATION_DISTANCE, "distance") /* between nodes, by their order in the job */      \
    X(SERVET_DEGRADATION_ACCESS, "access")     /* number of processes per node that send at once */

#define SERVET_NETWORK_ENUM_(name, text) name,
typedef enum servet_degradation {
    SERVET_DEGRADATION_LIST(SERVET_NETWORK_ENUM_) SERVET_DEGRADATION_COUNT
} servet_degradation;
#undef SERVET_NETWORK_ENUM_

/** The degradation's name ("distance"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_degradation_name(servet_degradation degradation);

/** Largest distance, and largest number of processes per node. */
enum { SERVET_RATIO_MAX = 65536 };

/** How a degradation was measured. */
typedef struct servet_ratios {
    double bytes; /**< size of the messages */
    int largest;  /**< largest distance, or number of processes per node, that was measured; >= 1 */
    bool constant_total; /**< every ratio was measured with the same number of processes; false:
                            there were too few nodes for that, and all nodes took part every time */
} servet_ratios;

/** A ratio of bandwidths. */
typedef struct servet_ratio {
    int at;    /**< the distance, or the number of processes per node */
    int nodes; /**< nodes that took part; if interpolated, those of the next smaller `at` measured
                */
    servet_value bandwidth; /**< bandwidth of one message while all are sent; B/s */
    servet_value ratio;     /**< bandwidth at 1 divided by this bandwidth */
    bool trusted;           /**< the same as ratio.trusted */
} servet_ratio;

/** How a degradation was measured. Errors: SERVET_EARGUMENT (no such degradation), here and below.
 */
SERVET_API int servet_network_ratios(const servet_profile *profile, servet_degradation degradation,
                                     servet_ratios *ratios);

/**
 * ratDist at distance `at`, or ratNC of `at` processes per node, from 1. Errors: SERVET_ERANGE
 * (`at` is above the largest measured one).
 */
SERVET_API int servet_network_ratio(const servet_profile *profile, servet_degradation degradation,
                                    int at, servet_ratio *ratio);

/* --- measured more than once ------------------------------------------------------------------ */

/**
 * Number of measurements of a degradation, in `*count`; each has another number of nodes or another
 * message size. They are ordered by number of nodes, largest first, then by message size, largest
 * first. The functions above use the first one.
 */
SERVET_API int servet_network_ratios_count(const servet_profile *profile,
                                           servet_degradation degradation, int *count);

/** Like servet_network_ratios(), of measurement `index`. */
SERVET_API int servet_network_ratios_at(const servet_profile *profile,
                                        servet_degradation degradation, int index,
                                        servet_ratios *ratios);

/** Like servet_network_ratio(), of measurement `index`; `nodes` of the ratio at 1 is the number of
 * nodes of the measurement. */
SERVET_API int servet_network_ratio_at(const servet_profile *profile,
                                       servet_degradation degradation, int index, int at,
                                       servet_ratio *ratio);

#ifdef __cplusplus
}
#endif
#endif
