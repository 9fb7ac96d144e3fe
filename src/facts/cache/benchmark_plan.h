/* SPDX-License-Identifier: BSD-3-Clause */
/** Plan of a latency curve. */
#ifndef SRV_FACTS_CACHE_BENCHMARK_PLAN_H
#define SRV_FACTS_CACHE_BENCHMARK_PLAN_H

#include "sample/sampler.h"

typedef struct srv_curve_plan {
    srv_traversal traversal;     /**< all but bytes, seed and seconds */
    double min_bytes, max_bytes; /**< both ends are measured */
    double granule;              /**< sizes are multiples of this: a line, or a page */
    int points_per_octave;       /**< of the grid before it is refined */
    /** the size that follows in a grid of its own; NULL: geometric */
    double (*next)(double bytes);
    int rounds;      /**< visits to each size */
    bool typical;    /**< the latency of the median visit, what one run shows, and not
                          the mean over visits */
    int refinements; /**< of srv_bench_visits(): how often a moving interval may be halved */
    uint64_t seed;
    bool optional; /**< where there is no time, no point is owed */
    srv_sampler sampler;
} srv_curve_plan;

#endif
