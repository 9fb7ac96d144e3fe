/* SPDX-License-Identifier: BSD-3-Clause */
/** Measures a latency curve: selects the sizes, the number of visits, and when to stop.
 *
 * The grid is geometric, unless the plan has its own. Every size is visited in several rounds, each
 * with another order and another place in memory, so that neither a disturbance nor one unlucky set
 * of physical pages decides; sizes on which the rounds disagree are visited again. */
#ifndef SRV_FACTS_CACHE_BENCHMARK_CURVE_H
#define SRV_FACTS_CACHE_BENCHMARK_CURVE_H

#include "sample/sampler.h"
#include "servet/analyze.h"
#include "stats/interval.h"
#include "stats/visits.h"

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

/** Visits a size for `seconds` of samples; each `placement` has other pages and another order.
 * `*cost` becomes what it took, s, and `*ended` when it ended, on the machine's clock. Errors:
 * those of the machine. */
int srv_points_visit(srv_points *points, const srv_point *point, int placement, double seconds,
                     srv_timing *timing, double *cost, double *ended, servet_error *error);

enum { SRV_POINT_TEXT_MAX = 32 };

/** The size for the progress. */
const char *srv_point_text(const srv_point *point, char text[SRV_POINT_TEXT_MAX]);

void srv_points_free(srv_points *points);

/** A measured curve and what else was seen on the way. */
typedef struct srv_series {
    servet_curve curve; /**< s; low/high are the 95 % interval of the mean of the visits */
    double *ghz;        /**< core cycles per ns at each size; curve.n of them */
    /** least share (0..1) of huge pages among the larger arrays; NaN: unknown */
    double huge_share;
} srv_series;

/** Frees the arrays and leaves a series of no points. A zeroed one is valid. */
void srv_series_free(srv_series *series);

/** Measures a series, which the caller frees. A deadline removes the largest sizes, but leaves at
 * least 4 points unless the plan is optional. Errors: those of the machine, SERVET_EMEMORY,
 * SERVET_EINTERRUPTED. */
int srv_bench_curve(const srv_curve_plan *plan, srv_series *series, servet_error *error);

/** Measures sizes as the plan says (all but `rounds`, `typical` and `next`); the caller frees the
 * visits. It goes on until each size has its quiet visits, fewer where one takes long, or its
 * maximum of visits, or until the deadline. `huge_share` as in srv_series. Errors: those of
 * srv_bench_curve(). */
int srv_bench_visits(const srv_curve_plan *plan, srv_visits *visits, double *huge_share,
                     servet_error *error);

#endif
