/* SPDX-License-Identifier: BSD-3-Clause */
/** Measuring loads in flight: 1, 2, 3, ... independent chains of loads in one working set, then the
 * same on 2, 3, ... cores at once (P-Ray, LCPC'08, 3.4), and the widest loads in the order of
 * addresses. What saturation is, is not decided here. */
#ifndef SRV_FACTS_CONCURRENCY_BENCHMARK_H
#define SRV_FACTS_CONCURRENCY_BENCHMARK_H

#include "sample/sampler.h"

/** Plan of the measurement. */
typedef struct srv_load_plan {
    srv_traversal traversal; /**< all but seed and seconds */
    uint64_t seed;
    srv_sampler sampler;
} srv_load_plan;

/** Visits that differ by no more than this are alike: two are enough, and what rests on them is no
 * surer than that. */
#define SRV_LOADS_ALIKE 0.02

/** Each number is visited twice, on other memory, and again if these are not alike: the range of
 * five visits shows how certain their median is, that of two or three hardly. */
enum { SRV_LOAD_VISITS_LEAST = 2, SRV_LOAD_VISITS_MAX = 5 };

/** A core's time for a load with `count` chains, or on `count` cores at once. */
typedef struct srv_load {
    int count;
    double bytes;                      /**< of the working set of one core */
    double ns, low, high;              /**< a median of visits, and their range */
    int visits;                        /**< 0: there was no time */
    double visit[SRV_LOAD_VISITS_MAX]; /**< ns of each */
} srv_load;

/** Measures the widest loads of plan->traversal.core, in the order of addresses, in a set of
 * plan->traversal.bytes: the best of some visits in B/s; best->n is 0 where the machine does not
 * answer, or there was no time. Errors: those of the machine, SERVET_EINTERRUPTED. */
int srv_bench_loads(const srv_load_plan *plan, srv_spread *best, servet_error *error);

/** Measures with more and more chains (plan->traversal.chains is ignored) until more do not help,
 * then refines the end. loads[0..*n-1] are by ascending counts; *n is 0 if the deadline came before
 * the end was found. Errors: those of the machine, SERVET_EINTERRUPTED. */
int srv_bench_chains(const srv_load_plan *plan, srv_load loads[SRV_CHAINS_MAX], int *n,
                     servet_error *error);

/** Measures with the first loads[i].count of `cores` at once, each on a set of loads[i].bytes of
 * its own, i = 0..n-1 (plan->traversal.bytes and .core are ignored); those after the deadline have
 * no visits. Errors: as above, SERVET_EMEMORY. */
int srv_bench_threads(const srv_load_plan *plan, const int *cores, srv_load *loads, int n,
                      servet_error *error);

#endif
