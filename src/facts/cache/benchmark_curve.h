/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measuring a latency curve: which sizes to ask for, how often, when to stop. What the curve means
 * is not decided here.
 *
 * The grid is geometric, unless the plan has its own, and refined where the curve moves. Every size is visited in several rounds,
 * each with another order and another place in memory, so that neither a disturbance nor one unlucky
 * set of physical pages decides; sizes on which the rounds disagree are visited again.
 */
#ifndef SRV_FACTS_CACHE_BENCHMARK_CURVE_H
#define SRV_FACTS_CACHE_BENCHMARK_CURVE_H

#include "machine/machine.h"

/** What to ask. */
typedef struct srv_curve_plan {
    srv_traversal traversal;      /**< all but bytes, seed and seconds */
    double min_bytes, max_bytes;  /**< both ends are measured */
    double granule;               /**< sizes are multiples of this: a line, or a page */
    int points_per_octave;        /**< of the grid before it is refined */
    double (*next)(double bytes); /**< the size that follows in a grid of its own; NULL: geometric */
    int rounds;                   /**< visits to each size */
    bool typical;                 /**< the latency of the median visit, what one run shows, and not
                                       the mean over visits */
    int refinements;              /**< how often a moving interval may be halved */
    uint64_t seed;
    double deadline;              /**< on the machine's clock, in seconds; 0: none */
    bool optional;                /**< where there is no time, no point is owed */
    /** Called before each visit; non-zero ends the benchmark. May be NULL. */
    int (*watch)(void *context, double bytes, double done);
    void *context;
} srv_curve_plan;

/** A measured curve and what else was seen on the way. */
typedef struct srv_series {
    servet_curve curve; /**< ns; low/high are the 95 % interval of the mean of the visits */
    double *ghz;        /**< core cycles per ns at each size; curve.n of them */
    double huge_share;  /**< least share (0..1) of huge pages among the larger arrays; NaN: unknown */
} srv_series;

/** Frees the arrays and leaves a series of no points. A zeroed one is fine. */
void srv_series_free(srv_series *series);

/**
 * Measures and hands over a series, which the caller frees. Where the deadline cuts it short, it has
 * fewer points, the largest sizes going first, but at least 4 unless the plan says that it is optional.
 * Errors: those of the machine, SERVET_EMEMORY, SERVET_EINTERRUPTED.
 */
int srv_bench_curve(srv_machine *machine, const srv_curve_plan *plan, srv_series *series,
                    servet_error *error);

#endif
