/* SPDX-License-Identifier: BSD-3-Clause */
/** A generated cluster: networks as they are built, of any size and speed, some with one
 * node or link that is slow. What it costs to send messages is worked out here, not by the
 * simulator. */
#ifndef SRV_TESTS_NETWORK_H
#define SRV_TESTS_NETWORK_H

#include <jansson.h>

#include "compare.h"
#include "condition.h"
#include "machine/network.h"
#include "servet/network.h"

/* scale.c has larger ones. */
#ifdef NETWORK_LARGE
enum { NETWORK_NODES_MAX = 10000, NETWORK_LINKS_MAX = 1 << 18, NETWORK_PATH_MAX = 48 };
#else
enum { NETWORK_NODES_MAX = 64, NETWORK_LINKS_MAX = 1024, NETWORK_PATH_MAX = 24 };
#endif

enum { NETWORK_CORES_MAX = 8, NETWORK_DIMENSIONS_MAX = 3, NETWORK_LAYERS_MAX = 3 };

typedef enum network_kind {
    NETWORK_STAR,
    NETWORK_TREE,
    NETWORK_TORUS,
    NETWORK_DRAGONFLY,
    NETWORK_KIND_COUNT
} network_kind;

/** The first size, and the bandwidth of a message alone in B/s. */
typedef struct network_protocol {
    double from, latency_us, rate;
} network_protocol;

/** Messages within groups of a number of cores; 0: between nodes. */
typedef struct network_layer {
    int within, protocols;
    network_protocol protocol[2];
} network_layer;

/** A slow node: both factors are of time. */
typedef struct network_slow {
    int node; /**< of the network; -1: none */
    int link; /**< of a link: see servet-model(5) */
    double latency, byte;
} network_slow;

typedef struct network {
    network_kind kind;
    int nodes, cores;
    int job_nodes; /**< nodes of the job */
    int dimensions[NETWORK_DIMENSIONS_MAX], dimension_count;
    double oversubscription[NETWORK_DIMENSIONS_MAX];
    double link_rate, nic_rate, hop_us; /**< nic_rate 0: no limit */
    int layers;
    network_layer layer[NETWORK_LAYERS_MAX]; /**< the last one is between nodes */
    int place[NETWORK_NODES_MAX]; /**< node of the network that each of the job is; the rest are
                                     other jobs' */
    network_slow sick, worn;      /**< a node, a link */
    condition noise;
} network;

/** Network number `index`, measured under this condition. */
network network_generate(int index, const condition *noise);

/** Its model, for servet-model(5); the caller releases it. NULL without memory. */
json_t *network_model(const network *made, int index);

/** The ranks of its job, one a core, job_nodes * cores of them; the caller frees them. */
srv_rank *network_ranks(const network *made);

/** The facts that a correct profile has. Only the pairs of its curves are taken from the profile.
 */
void network_truths(const network *made, const servet_profile *profile, truths *all);

#endif
