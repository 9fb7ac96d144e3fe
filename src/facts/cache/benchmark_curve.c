/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/benchmark_curve.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/cache/benchmark_points.h"
#include "sample/quiet.h"
#include "sample/visit_seconds.h"

/* Sizes whose visit costs this much (hundreds of MiB, mostly to build the cycle) are repeated only
 * if their first visits disagree with those of the neighbours. */
static const double LONG_SECONDS = 0.1;

/* Sizes whose visit costs less than this come first: they cover most knees in little time, so that
 * a deadline omits repetitions of large sizes instead of the knee of a first-level cache. */
static const double SHORT_SECONDS = 0.02;

/* Range (octaves) in which the page placements of two sizes have similar effects. */
static const double NEAR_OCTAVES = 0.5;

/* Additional rounds for sizes that need them: short ones, and all; and for sizes slower than the
 * next larger one. */
enum { SHORT_EXTRA_ROUNDS = 7, EXTRA_ROUNDS = 2, BUMP_ROUNDS = 2 };
enum { POINTS_MIN = 4 };

typedef struct curve_bench {
    srv_points points;
    double cost_max; /* of a visit that is repeated now */
} curve_bench;

/* --- visits ----------------------------------------------------------------------------------- */

static double share_done(const curve_bench *bench)
{
    double visits = 0;
    int rounds = bench->points.plan->rounds;
    for (size_t i = 0; i < bench->points.count; i++)
        visits += fmin(bench->points.point[i].visits, rounds);
    return visits / (double)bench->points.count / rounds;
}

static int visit(curve_bench *bench, srv_point *point, servet_error *error)
{
    srv_timing timing;
    double ended;
    int code = srv_points_visit(&bench->points, point, point->visits, SRV_VISIT_SECONDS, &timing,
                                &point->cost, &ended, error);
    if (code != SERVET_OK)
        return code;
    point->ghz[point->visits] = timing.ghz;
    point->visit[point->visits++] =
        bench->points.plan->typical ? timing.spread.median : timing.mean;
    return SERVET_OK;
}

/* Expected duration of a visit: that of the last one, or of one to a neighbour. */
static double expected_cost(const curve_bench *bench, const srv_point *point)
{
    const srv_point *end = bench->points.point + bench->points.count;
    double bytes = point->bytes;
    if (point->visits)
        return point->cost;
    for (const srv_point *larger = point + 1; larger < end; larger++)
        if (larger->visits)
            return larger->cost;
    while (point > bench->points.point)
        if ((--point)->visits)
            return point->cost * bytes / point->bytes;
    return 0;
}

static bool unvisited(const curve_bench *bench, const srv_point *point)
{
    (void)bench;
    return point->visits == 0;
}

static bool behind(const curve_bench *bench, const srv_point *point)
{
    return point->visits > 0 && point->visits < bench->points.plan->rounds &&
           point->cost < bench->cost_max;
}

/* Visits that agree near a size whose visits differ may agree by chance. */
static bool disagreeing(const curve_bench *bench, const srv_point *point)
{
    if (point->visits == 0 || point->cost >= bench->cost_max)
        return false;
    for (size_t i = 0; i < bench->points.count; i++) {
        const srv_point *other = &bench->points.point[i];
        double reach = bench->points.plan->typical ? 0 : NEAR_OCTAVES;
        bool near = fabs(log2(other->bytes / point->bytes)) <= reach;
        if (near && other->visits > 1 && !srv_point_agrees(&bench->points, other))
            return true;
    }
    return false;
}

/* A latency above that of the next larger size is a disturbance: larger sets are not faster. */
static bool is_bump(const curve_bench *bench, const srv_point *point)
{
    const srv_point *next = point + 1, *end = bench->points.point + bench->points.count;
    return next < end && point->visits && next->visits &&
           srv_point_latency(&bench->points, point).value >
               srv_point_latency(&bench->points, next).value * SRV_VISITS_RATIO_MAX;
}

/* The first visit measures a point, further ones narrow its interval; there is no curve without a
 * few points. */
static srv_want want_visit(const curve_bench *bench, int at)
{
    if (bench->points.point[at].visits > 0)
        return SRV_WANT_SPARE;
    return !bench->points.plan->optional && at < POINTS_MIN ? SRV_WANT_OWED : SRV_WANT_VISIT;
}

/* Visits the points that `wants` is true for, in up to `rounds` rounds. */
static int visit_all(curve_bench *bench, int rounds,
                     bool (*wants)(const curve_bench *, const srv_point *), servet_error *error)
{
    char what[SRV_POINT_TEXT_MAX];
    const srv_curve_plan *plan = bench->points.plan;
    srv_loop loop = srv_loop_of(&plan->sampler, (int)bench->points.count, rounds, error);
    while (srv_loop_next(&loop)) {
        srv_point *point = &bench->points.point[loop.row];
        bool wanted = point->visits < SRV_VISITS_MAX && wants(bench, point);
        if (wanted &&
            srv_loop_due_at(&loop, want_visit(bench, loop.row), expected_cost(bench, point),
                            srv_point_text(point, what), share_done(bench)))
            loop.code = visit(bench, point, error);
    }
    return loop.code;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Repeats visits, short ones first. */
static int run(curve_bench *bench, servet_error *error)
{
    const srv_curve_plan *plan = bench->points.plan;
    const struct {
        double cost_max;
        int rounds;
        bool (*wants)(const curve_bench *, const srv_point *);
    } steps[] = {
        {0, 1, unvisited},
        {SHORT_SECONDS, plan->rounds - 1, behind},
        {0, 1, unvisited},
        {LONG_SECONDS, plan->rounds - 1, behind},
        {LONG_SECONDS, EXTRA_ROUNDS, disagreeing},
        {SHORT_SECONDS, plan->typical ? 0 : SHORT_EXTRA_ROUNDS, disagreeing},
        {0, BUMP_ROUNDS, is_bump},
    };
    int code = SERVET_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == SERVET_OK; i++) {
        bench->cost_max = steps[i].cost_max;
        code = visit_all(bench, steps[i].rounds, steps[i].wants, error);
    }
    return code;
}

static bool allocate(srv_series *series, size_t n)
{
    servet_curve *curve = &series->curve;
    double **columns[] = {&curve->bytes, &curve->latency, &curve->low, &curve->high, &series->ghz};
    bool allocated = true;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        allocated = (*columns[i] = calloc(n, sizeof **columns[i])) && allocated;
    return allocated;
}

static int hand_over(const srv_points *points, srv_series *series, servet_error *error)
{
    srv_series made = {.curve = SERVET_CURVE_INIT, .huge_share = points->huge_share};
    servet_curve *curve = &made.curve;
    if (!allocate(&made, points->count)) {
        srv_series_free(&made);
        return srv_fail_memory(error);
    }
    for (size_t i = 0; i < points->count; i++) {
        const srv_point *point = &points->point[i];
        if (!point->visits)
            continue;
        srv_interval latency = srv_point_latency(points, point);
        curve->bytes[curve->n] = point->bytes;
        curve->latency[curve->n] = srv_seconds(latency.value);
        curve->low[curve->n] = srv_seconds(latency.low);
        curve->high[curve->n] = srv_seconds(latency.high);
        made.ghz[curve->n++] = srv_visits_median(point->ghz, point->visits);
    }
    *series = made;
    return SERVET_OK;
}

int srv_bench_curve(const srv_curve_plan *plan, srv_series *series, servet_error *error)
{
    curve_bench bench;
    int code = srv_points_lay(&bench.points, plan) ? run(&bench, error) : srv_fail_memory(error);
    if (code == SERVET_OK)
        code = hand_over(&bench.points, series, error);
    srv_points_free(&bench.points);
    return code;
}

void srv_series_free(srv_series *series)
{
    servet_curve_free(&series->curve);
    free(series->ghz);
    *series = (srv_series){.curve = SERVET_CURVE_INIT};
}
