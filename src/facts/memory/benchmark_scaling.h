/* SPDX-License-Identifier: BSD-3-Clause */
/** A kernel on more and more cores at once (IPDPS'10, III.C). */
#ifndef SRV_FACTS_MEMORY_BENCHMARK_SCALING_H
#define SRV_FACTS_MEMORY_BENCHMARK_SCALING_H

#include "facts/memory/benchmark_contention.h"

/** The bandwidth that each of `cores` active cores gets; B/s. */
typedef struct srv_scaling {
    int cores;
    double each, low, high; /**< mean over the cores of the medians and of the quartiles */
} srv_scaling;

enum { SRV_SCALING_MAX = 64 };

/**
 * Runs the kernel on places[0], places[0..1], and so on to all `n`: at every number of few cores,
 * then at steps of a third to a half, and at every number around the smallest that gets the share
 * `enough` (0..1) of the best total. points[0..*count-1] are ascending; fewer where the deadline
 * came first, and then perhaps not to all `n`. Errors: those of the machine, SERVET_EINTERRUPTED,
 * SERVET_EMEMORY.
 */
int srv_bench_scaling(const srv_memory_plan *plan, const int *places, int n, double enough,
                      srv_scaling points[SRV_SCALING_MAX], int *count, servet_error *error);

/** Sets of cores that share a NUMA node or a cache. */
typedef struct srv_neighbours {
    const int *cores; /**< OS numbers of the plan's cores */
    srv_sets sets;    /**< of OS numbers */
} srv_neighbours;

/**
 * Orders places[0..n-1] so that contending cores come last: next is always the one that loses the
 * least beside those before it, by the pairs `found`, then the one with the fewest of them in its
 * sets, all together. Errors: SERVET_EMEMORY.
 */
int srv_scaling_order(const srv_contentions *found, const srv_neighbours *near, int *places, int n,
                      servet_error *error);

#endif
