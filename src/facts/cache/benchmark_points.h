/* SPDX-License-Identifier: BSD-3-Clause */
/** The sizes of a curve that is being measured, with the visits so far. */
#ifndef SRV_FACTS_CACHE_BENCHMARK_POINTS_H
#define SRV_FACTS_CACHE_BENCHMARK_POINTS_H

#include "facts/cache/benchmark_plan.h"
#include "stats/interval.h"

enum { SRV_VISITS_MAX = 12 };

/** One size. */
typedef struct srv_point {
    double bytes;
    double visit[SRV_VISITS_MAX]; /**< ns per load in each visit */
    double ghz[SRV_VISITS_MAX];
    int visits;
    double cost;    /**< seconds of a visit; 0: none yet */
    bool disturbed; /**< a larger size is faster */
} srv_point;

/** All sizes, ascending; free with srv_points_free(). */
typedef struct srv_points {
    const srv_curve_plan *plan;
    srv_point *point;
    size_t count;
    double
        huge_share; /**< least share (0..1) of huge pages among the larger arrays; NaN: unknown */
} srv_points;

/** Starts with the sizes of the plan's grid, both ends included; false without memory. */
bool srv_points_lay(srv_points *points, const srv_curve_plan *plan);

/** Adds a size within the plan's range, in whole granules, unless it is there; false without
 * memory. */
bool srv_points_add(srv_points *points, double bytes);

/**
 * Visits a size for `seconds` of samples; each `placement` has other pages and another order.
 * `*cost` becomes what it took, s, and `*ended` when it ended, on the machine's clock. Errors:
 * those of the machine.
 */
int srv_points_visit(srv_points *points, const srv_point *point, int placement, double seconds,
                     srv_timing *timing, double *cost, double *ended, servet_error *error);

enum { SRV_POINT_TEXT_MAX = 32 };

/** The size for the progress. */
const char *srv_point_text(const srv_point *point, char text[SRV_POINT_TEXT_MAX]);

/** The median; with an even number of samples the lower one of the middle two, because disturbances
 * only make a visit slower. */
double srv_visits_median(const double samples[SRV_VISITS_MAX], int n);

/** Latency of a visited size and its 95 % interval; with plan->typical the median visit and the
 * range. */
srv_interval srv_point_latency(const srv_points *points, const srv_point *point);

/** True if the interval of its latency is narrow. */
bool srv_point_agrees(const srv_points *points, const srv_point *point);

void srv_points_free(srv_points *points);

#endif
