/* SPDX-License-Identifier: BSD-3-Clause */
/** Measures the time of a line that one core has modified on its way to another one, for all pairs
 * of cores (P-Ray, LCPC'08, 3.3). It does not decide which distances are alike. */
#ifndef SRV_FACTS_DISTANCE_BENCHMARK_H
#define SRV_FACTS_DISTANCE_BENCHMARK_H

#include "sample/sampler.h"

typedef struct srv_distance_plan {
    const int
        *cores; /**< OS numbers; where time is too short for all, the last ones are left out */
    int count;
    uint64_t seed;
    srv_sampler sampler;
} srv_distance_plan;

/** A matrix of costs. */
typedef struct srv_distances {
    int count;    /**< measured cores: the first ones of the plan */
    int at_once;  /**< pairs measured at once */
    double *cost; /**< ns, by rows: at [reader * count + owner]; 0: not measured */
    bool *loose;  /**< in the same order: samples of the pair scattered to the last, in both
                       directions */
} srv_distances;

/** Measures all pairs: disjoint ones at once, up to the number that do not disturb each other; each
 * in both directions and again as time allows, averaged over visits with other memory. Pairs whose
 * samples scatter are measured again. The caller finishes `distances`. Errors: those of the
 * machine, SERVET_EINTERRUPTED, SERVET_EMEMORY. */
int srv_bench_distances(const srv_distance_plan *plan, srv_distances *distances,
                        servet_error *error);

/** The probe of one pair, without its seed, for repeats. */
srv_line_transfer srv_distance_transfer(int owner, int reader);

/** Frees what it holds; a zeroed one is valid. */
void srv_distances_finish(srv_distances *distances);

#endif
