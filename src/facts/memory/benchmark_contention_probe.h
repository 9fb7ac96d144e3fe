/* SPDX-License-Identifier: BSD-3-Clause */
/** State and probes of a search for contention. */
#ifndef SRV_FACTS_MEMORY_BENCHMARK_CONTENTION_PROBE_H
#define SRV_FACTS_MEMORY_BENCHMARK_CONTENTION_PROBE_H

#include <stdint.h>

#include "facts/memory/benchmark_pairs.h"

/** Knowledge about a pair. */
enum { SRV_PAIR_UNKNOWN, SRV_PAIR_FREE, SRV_PAIR_SLOW };

typedef struct srv_search {
    const srv_memory_plan *plan;
    const double *alone;
    double whole;
    int n, step;       /**< cores; see scatter() */
    int most;          /**< cores at once whose arrays fit into memory */
    uint8_t *known;    /**< by rows, symmetric */
    int *tie;          /**< the same number: tied by slow pairs, directly or not */
    int *batch;        /**< places measured at once */
    srv_spread *rates; /**< of those */
    size_t unknown;    /**< pairs */
    srv_contentions *found;
    servet_error *error;
} srv_search;

/** Knowledge about a pair of places. */
int srv_search_known(const srv_search *on, int a, int b);

/** True if the deadline or the limit of probes is reached. */
bool srv_search_must_end(const srv_search *on);

/** Settles the pair batch[0], batch[1]. Errors: those of srv_bench_contention(). */
int srv_search_probe_pair(srv_search *on);

/**
 * Measures the first `size` of the batch at once: cores that keep their rate do not contend with
 * each other. A few that lose are measured in pairs. `*fine`: not too many ran at once. The batch
 * is overwritten.
 */
int srv_search_probe_batch(srv_search *on, int size, bool *fine);

#endif
