/* SPDX-License-Identifier: BSD-3-Clause */
/** Pairs of cores that contend for memory. */
#ifndef SRV_FACTS_MEMORY_BENCHMARK_PAIRS_H
#define SRV_FACTS_MEMORY_BENCHMARK_PAIRS_H

#include "facts/memory/benchmark.h"

/** Two cores (places in the plan, a < b) that are slower together. */
typedef struct srv_contention {
    int a, b;
    double share;           /**< what the slower one keeps of its rate alone */
    double rate, low, high; /**< of the slower one: median and quartiles; B/s */
} srv_contention;

typedef struct srv_contentions {
    srv_contention *pair; /**< all that were found, in the order in which they were */
    size_t count;
    size_t probes;     /**< measured */
    size_t unmeasured; /**< pairs without a result: the deadline came first, or the limit of
                         SRV_CONTENTION_PROBES */
} srv_contentions;

/** Limit of probes for `n` cores: all pairs of small nodes, and linear beyond. */
#define SRV_CONTENTION_PROBES(n) ((n) > 40 ? 24 * (size_t)(n) : 960)

#endif
