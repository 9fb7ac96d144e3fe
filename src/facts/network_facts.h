/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Facts about the communication in a job: layers of pairs that cost alike, curves of each
 * layer, many messages at once, and how a network degrades with distance and with the number of
 * processes per node.
 */
#ifndef SRV_FACTS_NETWORK_FACTS_H
#define SRV_FACTS_NETWORK_FACTS_H

#include "facts/messages/detect_protocol.h"
#include "machine/machine.h"
#include "machine/network.h"
#include "machine/noise.h"
#include "servet/network.h"

/** The benchmarks in the order in which they run: name, and the word for it. */
#define SRV_NETWORK_BENCHMARK_LIST(X)                                                              \
    X(SRV_NETWORK_LAYERS, "layers")           /* pairs that cost alike */                          \
    X(SRV_NETWORK_CURVES, "curves")           /* times against sizes; needs layers */              \
    X(SRV_NETWORK_SCALABILITY, "scalability") /* many messages at once; needs layers */            \
    X(SRV_NETWORK_DISTANCE, "distance")       /* ratDist */                                        \
    X(SRV_NETWORK_ACCESS, "access")           /* ratNC; needs layers, to spread processes */       \
    X(SRV_NETWORK_AGGREGATION, "aggregation") /* batches of messages; needs layers */

#define SRV_NETWORK_ENUM_(name, text) name,
typedef enum srv_network_benchmark {
    SRV_NETWORK_BENCHMARK_LIST(SRV_NETWORK_ENUM_) SRV_NETWORK_BENCHMARK_COUNT
} srv_network_benchmark;
#undef SRV_NETWORK_ENUM_

/** The benchmark's word ("layers"); "?" for a number that is none. Static storage. */
const char *srv_network_benchmark_name(srv_network_benchmark benchmark);

/* --- facts ------------------------------------------------------------------------------------ */

enum { SRV_NETWORK_LAYERS_MAX = 2 * SERVET_LAYERS_MAX };

/** A point of a curve. */
typedef struct srv_message_point {
    double bytes;
    servet_value time;  /**< of a message, half a round trip; s */
    servet_modes modes; /**< of that time */
} srv_message_point;

/** A number of messages of a size at once, each from another core of the layer. */
typedef struct srv_messages_together {
    int messages;
    double bytes;
    servet_value time;  /**< of one of them; s */
    servet_value ratio; /**< to that of one message alone */
} srv_messages_together;

/**
 * Pairs of cores between which a message costs alike. Fastest first: with most networks those
 * within nodes, then those between nodes; but a network may be faster than the memory between two
 * sockets.
 */
typedef struct srv_network_layer {
    bool between_nodes;
    servet_value latency;   /**< of a message of srv_network_facts.message_bytes; s */
    servet_value bandwidth; /**< of such a message; B/s */
    servet_modes modes;     /**< of the latency */
    double confidence;      /**< 0..1 that it is a layer of its own */
    srv_sets
        groups; /**< sets of cores joined by pairs of this layer, or of a faster one of its kind, as
                   ranges of cores of ranges of nodes (srv_places_write()): "0-3:0-15" */
    srv_rank_pair pair;       /**< a typical pair, by ranks */
    srv_message_point *curve; /**< of that pair, sizes ascending; NULL: not measured */
    int curve_count;
    srv_protocol protocol[SRV_PROTOCOLS_MAX]; /**< the curve in straight pieces; where one ends and
                                                 the next begins, the library switches protocols */
    int protocol_count;
    srv_messages_together *together; /**< sizes ascending, of each the numbers ascending */
    int together_count;
    servet_batch *batches; /**< of that pair, messages ascending, of each the sizes; NULL: not
                              measured */
    int batch_count;
    servet_aggregation *aggregation; /**< of these, ranges of sizes with one payoff */
    int aggregation_count;
    char doubt[SRV_NETWORK_BENCHMARK_COUNT]
              [SERVET_TEXT_MAX]; /**< by the benchmark that saw it disturbed, why; else "" */
} srv_network_layer;

enum { SRV_NETWORK_SLOW_LINKS_MAX = 16 };

/** A link whose messages take longer than others of both its ends. */
typedef struct srv_network_slow_link {
    servet_slow_link fact;
    unsigned char *ends; /**< of each node: 1, 2: at the link's first, second end; 0: at neither.
                            The fact may name fewer of them */
    srv_rank_pair pair;  /**< ranks that showed it; of a recalled one 0 */
} srv_network_slow_link;

/** A ratio of bandwidths, at a distance or for a number of processes per node. */
typedef struct srv_network_ratio {
    int at;                 /**< the distance, or the number of processes per node */
    int nodes;              /**< that took part */
    servet_value bandwidth; /**< of one message while all go; B/s */
    servet_value ratio;     /**< bandwidth at 1, over this one */
} srv_network_ratio;

typedef struct srv_network_ratios {
    double bytes;             /**< of the messages */
    srv_network_ratio *ratio; /**< at 1, .. ascending; NULL: not measured, as on one node */
    int count;
    bool constant_total; /**< as many processes for every ratio (S3, 4.2); false: there were too few
                            nodes for that, all of them took part every time */
    char doubt[SERVET_TEXT_MAX]; /**< why they are not trusted; else "" */
} srv_network_ratios;

/** All of it. What is not in `done` was not measured. */
typedef struct srv_network_facts {
    unsigned done; /**< 1u << srv_network_benchmark of those that ran; what there was no time for is
                        missing all the same */
    unsigned
        cut; /**< 1u << srv_network_benchmark of those that the time limit shortened or left out */
    int node_count, rank_count; /**< of the job */
    int nodes_asked; /**< for the layers between nodes, a sample where time was short: others are
                          in no group of those */
    /** of each node: by how many times its messages with others take longer than theirs with each
     * other, with the interval over its partners; unknown: it was not measured. NULL: no layers
     * between nodes */
    servet_value *slowness;
    srv_network_slow_link slow_link[SRV_NETWORK_SLOW_LINKS_MAX];
    int slow_link_count;
    bool links_known;     /**< there were sound nodes enough to tell */
    double message_bytes; /**< of the messages that made the layers */
    srv_network_layer layer[SRV_NETWORK_LAYERS_MAX];
    int layer_count;
    srv_network_ratios distance, access;
    srv_seen *seen; /**< of the core of each rank, the worst that was seen in this measurement;
                       NULL: none was sampled */
} srv_network_facts;

/** Frees what it holds; a zeroed one is valid. */
void srv_network_facts_finish(srv_network_facts *facts);

/** True if the node is known to be slow: noise, and the places of nodes in a network, make less of
 * a difference. */
bool srv_network_is_slow(const srv_network_facts *facts, int node);

/** Adds a link whose ends, of facts->node_count nodes, are 0 so far; NULL without memory. There
 * must be room for it. */
srv_network_slow_link *srv_network_add_slow_link(srv_network_facts *facts);

void srv_network_forget_slow_links(srv_network_facts *facts);

/** True if messages between these nodes go over a link that is known to be slow. */
bool srv_network_is_slow_way(const srv_network_facts *facts, int from, int to);

/** Marks all batches of a layer, and what was decided by them, as not trusted. */
void srv_network_distrust_batches(srv_network_layer *layer);

/** Numbers the layers by their latencies, the fastest first. Those of a kind keep their order, for
 * each has groups made of those before. */
void srv_network_order_layers(srv_network_facts *facts);

/** Drops what is known of layers. */
void srv_network_forget_layers(srv_network_facts *facts);

#endif
