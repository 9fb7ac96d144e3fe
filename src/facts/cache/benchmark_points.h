/* SPDX-License-Identifier: BSD-3-Clause */
/** The sizes of a curve that is being measured, with the visits so far. */
#ifndef SRV_FACTS_CACHE_BENCHMARK_POINTS_H
#define SRV_FACTS_CACHE_BENCHMARK_POINTS_H

#include "facts/cache/benchmark_plan.h"

enum { SRV_VISITS_MAX = 12 };

/** Visits that differ by more than this factor were disturbed or had other pages; both require more
 * visits. */
#define SRV_DISAGREE 1.05

/** One size. */
typedef struct srv_point {
    double bytes;
    double visit[SRV_VISITS_MAX]; /**< ns per load in each visit */
    double ghz[SRV_VISITS_MAX];
    int visits;
    double cost; /**< seconds of the last visit */
} srv_point;

/** All sizes, ascending. Starts with its plan alone; free with srv_points_free(). */
typedef struct srv_points {
    const srv_curve_plan *plan;
    srv_point *point;
    size_t count, room;
} srv_points;

/** Adds a size within the plan's range, in whole granules, unless it is there; false without
 * memory. */
bool srv_points_add(srv_points *points, double bytes);

/** The median; with an even number of samples the lower one of the middle two, because disturbances
 * only make a visit slower. */
double srv_visits_median(const double samples[SRV_VISITS_MAX], int n);

/** Latency of a visited size and its 95 % interval; with plan->typical the median visit and the
 * range. */
srv_mean srv_point_latency(const srv_points *points, const srv_point *point);

/** True if the interval of its latency is narrow. */
bool srv_point_agrees(const srv_points *points, const srv_point *point);

/** True if the latency rises between two visited sizes by more than it is uncertain. */
bool srv_points_move(const srv_points *points, const srv_point *small, const srv_point *large);

void srv_points_free(srv_points *points);

#endif
