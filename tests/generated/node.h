/* SPDX-License-Identifier: BSD-3-Clause */
/** A generated node: parts that real nodes have, in any combination. */
#ifndef SRV_TESTS_NODE_H
#define SRV_TESTS_NODE_H

#include <jansson.h>

#include "compare.h"
#include "condition.h"

/** A cache of every core; groups of neighbours share an instance. */
typedef struct node_cache {
    double bytes;
    int ways, slices, cycles, cores; /**< cores that share an instance */
    const char *inclusion, *replacement;
} node_cache;

enum { NODE_LEVELS_MAX = 3, NODE_TLBS_MAX = 2, NODE_DOMAINS_MAX = 2 };

/** The parts of a node. PUs are numbered like cores: groups are neighbours. */
typedef struct node {
    int packages, clusters, cores,
        smt;                      /**< clusters per package, cores per cluster, PUs per core */
    bool smt_last;                /**< the OS counts second PUs after all first ones */
    double ghz, line, page, huge; /**< huge 0: no such pages */
    int levels, tlbs, domains;
    node_cache cache[NODE_LEVELS_MAX];
    int tlb_entries[NODE_TLBS_MAX], tlb_cycles[NODE_TLBS_MAX];
    bool prefetch;
    double memory_ns, remote_ns;          /**< remote: of the other package */
    double core_rate, remote_rate;        /**< B/s of one core alone */
    double domain_rate[NODE_DOMAINS_MAX]; /**< of a cluster (0: no limit), of a package */
    double transfer_ns[4];                /**< within a core, cluster, package, node */
    condition noise;
} node;

/** Node number `index`, measured under this condition. Beside foreign threads its cores have one PU
 * each. */
node node_generate(int index, const condition *noise);

/** Its model, for servet-model(5); the caller releases it. NULL without memory. */
json_t *node_model(const node *made, int index);

/** The facts that a correct profile of the node has. */
void node_truths(const node *made, truths *all);

#endif
