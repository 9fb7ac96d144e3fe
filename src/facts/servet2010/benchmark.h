/* SPDX-License-Identifier: BSD-3-Clause */
/** The papers' measurements: their traversals of their sizes, and two of these at once. */
#ifndef SRV_FACTS_SERVET2010_BENCHMARK_H
#define SRV_FACTS_SERVET2010_BENCHMARK_H

#include "facts/cache/benchmark_curve.h"
#include "stats/grid2010.h"

/** The plan of mcalibrator (IPDPS'10, Fig. 1): arrays of min_bytes..max_bytes that double below 2
 * MiB and then grow by 1 MiB, traversed every 1 KiB on base pages. */
srv_curve_plan srv_2010_curve_plan(int core, double min_bytes, double max_bytes);

/** Turns a series of ns into one of core cycles, as the papers give it. */
void srv_2010_to_cycles(srv_series *series);

/** A core that traverses in pairs with others. */
typedef struct srv_2010_core {
    int number; /**< of the OS */
    int kind;   /**< 0 to SRV_CORE_TYPES_MAX - 1: cores of a type are alike, the time that the first
                   of   them takes alone stands for all */
    double bytes; /**< capacity of the cache as this core sees it; its array has 2/3 of that */
} srv_2010_core;

/** The cores that traverse in pairs. */
typedef struct srv_2010_sharing_plan {
    const srv_2010_core *cores;
    int core_count; /**< at least 1 */
    uint64_t seed;
    srv_sampler sampler;
} srv_2010_sharing_plan;

/** Traverses with every pair of cores at once (IPDPS'10, Fig. 5) and writes for each how much
 * longer a load takes than alone, the mean of both. `pairs` has room for
 * srv_pair_count(core_count), places in plan->cores. The first `*measured` of them have a value:
 * fewer after the deadline. Errors: those of the machine, SERVET_EINTERRUPTED. */
int srv_bench_2010_sharing(const srv_2010_sharing_plan *plan, srv_pair *pairs, size_t *measured,
                           servet_error *error);

#endif
