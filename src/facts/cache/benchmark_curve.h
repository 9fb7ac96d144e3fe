/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measures a latency curve: selects the sizes, the number of visits, and when to stop.
 *
 * The grid is geometric, unless the plan has its own. Every size is visited in several rounds, each
 * with another order and another place in memory, so that neither a disturbance nor one unlucky set
 * of physical pages decides; sizes on which the rounds disagree are visited again.
 */
#ifndef SRV_FACTS_CACHE_BENCHMARK_CURVE_H
#define SRV_FACTS_CACHE_BENCHMARK_CURVE_H

#include "facts/cache/benchmark_plan.h"
#include "servet/analyze.h"

/** A measured curve and what else was seen on the way. */
typedef struct srv_series {
    servet_curve curve; /**< s; low/high are the 95 % interval of the mean of the visits */
    double *ghz;        /**< core cycles per ns at each size; curve.n of them */
    /** least share (0..1) of huge pages among the larger arrays; NaN: unknown */
    double huge_share;
} srv_series;

/** Frees the arrays and leaves a series of no points. A zeroed one is valid. */
void srv_series_free(srv_series *series);

/**
 * Measures a series, which the caller frees. A deadline removes the largest sizes, but leaves at
 * least 4 points unless the plan is optional. Errors: those of the machine, SERVET_EMEMORY,
 * SERVET_EINTERRUPTED.
 */
int srv_bench_curve(const srv_curve_plan *plan, srv_series *series, servet_error *error);

#endif
