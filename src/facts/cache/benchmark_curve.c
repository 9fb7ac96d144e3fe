/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/benchmark_curve.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/cache/benchmark_points.h"

/* Time for one visit's samples: some 200 samples of 20 us, of which the median is exact to 0.1 %.
 */
static const double VISIT_SECONDS = 4e-3;

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
static const double HUGE_PAGE_MIN = 2.0 * (1 << 20);

typedef struct curve_bench {
    srv_machine *machine;
    const srv_curve_plan *plan;
    srv_points points;
    double huge_share;
    double cost_max; /* of a visit that is repeated or refined now */
    servet_error *error;
} curve_bench;

/* --- the grid --------------------------------------------------------------------------------- */

static bool lay_grid(curve_bench *bench)
{
    const srv_curve_plan *plan = bench->plan;
    double step = plan->next ? 0 : exp2(1.0 / plan->points_per_octave);
    bool added = true;
    double bytes = plan->min_bytes;
    while (bytes < plan->max_bytes && added) {
        added = srv_points_add(&bench->points, bytes);
        bytes = plan->next ? plan->next(bytes) : bytes * step;
    }
    return added && srv_points_add(&bench->points, plan->max_bytes);
}

/* --- visits ----------------------------------------------------------------------------------- */

static double share_done(const curve_bench *bench)
{
    double visits = 0;
    for (size_t i = 0; i < bench->points.count; i++)
        visits += fmin(bench->points.point[i].visits, bench->plan->rounds);
    return visits / (double)bench->points.count / bench->plan->rounds;
}

static int visit(curve_bench *bench, srv_point *point)
{
    const srv_curve_plan *plan = bench->plan;
    if (plan->progress && plan->progress(plan->context, point->bytes, share_done(bench)))
        return srv_fail(bench->error, SERVET_EINTERRUPTED, "interrupted");
    srv_traversal traversal = plan->traversal;
    traversal.bytes = point->bytes;
    traversal.largest_bytes = plan->max_bytes;
    traversal.seed = plan->seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(point->visits + 1);
    traversal.seconds = VISIT_SECONDS;
    srv_timing timing;
    double start = bench->machine->ops->elapsed(bench->machine);
    int code = bench->machine->ops->traverse(bench->machine, &traversal, 1, &timing, bench->error);
    if (code != SERVET_OK)
        return code;
    point->cost = bench->machine->ops->elapsed(bench->machine) - start;
    point->ghz[point->visits] = timing.ghz;
    point->visit[point->visits++] = plan->typical ? timing.spread.median : timing.mean;
    if (point->bytes >= HUGE_PAGE_MIN)
        bench->huge_share = fmin(bench->huge_share, timing.huge_share);
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

/* True if there is time for a visit. The first visit measures the point, further ones narrow its
 * interval. */
static bool affordable(const curve_bench *bench, const srv_point *point)
{
    srv_deadline deadline = bench->plan->deadline;
    if (point->visits > 0)
        deadline = srv_deadline_spare(&deadline);
    return srv_deadline_fits(&deadline, bench->machine, expected_cost(bench, point));
}

/* Visits once more each point for which `wants` is true. */
static int go_round(curve_bench *bench, bool (*wants)(const curve_bench *, const srv_point *))
{
    int code = SERVET_OK;
    for (size_t i = 0; i < bench->points.count && code == SERVET_OK; i++) {
        srv_point *point = &bench->points.point[i];
        /* there is no curve without them */
        bool owed = !bench->plan->optional && i < POINTS_MIN && point->visits == 0;
        if (point->visits < SRV_VISITS_MAX && wants(bench, point) &&
            (owed || affordable(bench, point)))
            code = visit(bench, point);
    }
    return code;
}

static bool unvisited(const curve_bench *bench, const srv_point *point)
{
    (void)bench;
    return point->visits == 0;
}

static bool behind(const curve_bench *bench, const srv_point *point)
{
    return point->visits > 0 && point->visits < bench->plan->rounds &&
           point->cost < bench->cost_max;
}

/* Visits that agree near a size whose visits differ may agree by chance. */
static bool disagreeing(const curve_bench *bench, const srv_point *point)
{
    if (point->visits == 0 || point->cost >= bench->cost_max)
        return false;
    for (size_t i = 0; i < bench->points.count; i++) {
        const srv_point *other = &bench->points.point[i];
        double reach = bench->plan->typical ? 0 : NEAR_OCTAVES;
        bool near = fabs(log2(other->bytes / point->bytes)) <= reach;
        if (near && other->visits > 1 && !srv_point_agrees(&bench->points, other))
            return true;
    }
    return false;
}

/* A latency above that of the next larger size is a disturbance: larger sets are not faster. */
static int revisit_bumps(curve_bench *bench)
{
    int code = SERVET_OK;
    for (size_t i = 0; i + 1 < bench->points.count && code == SERVET_OK; i++) {
        srv_point *here = &bench->points.point[i], *next = &bench->points.point[i + 1];
        if (!here->visits || !next->visits || here->visits == SRV_VISITS_MAX)
            continue;
        if (srv_point_latency(&bench->points, here).value >
                srv_point_latency(&bench->points, next).value * SRV_DISAGREE &&
            affordable(bench, here))
            code = visit(bench, here);
    }
    return code;
}

static bool refine(curve_bench *bench)
{
    const srv_curve_plan *plan = bench->plan;
    double finest = exp2(-plan->refinements) / plan->points_per_octave; /* octaves */
    bool added = true;
    for (size_t i = bench->points.count - 1; i > 0 && added; i--) {
        const srv_point *low = &bench->points.point[i - 1], *high = &bench->points.point[i];
        if (log2(high->bytes / low->bytes) < 1.5 * finest)
            continue;
        if (low->visits && high->visits && high->cost < bench->cost_max &&
            srv_points_move(&bench->points, low, high))
            added = srv_points_add(&bench->points, sqrt(low->bytes * high->bytes));
    }
    return added;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int visit_all(curve_bench *bench)
{
    int code = go_round(bench, unvisited);
    for (int i = 1; i < bench->plan->rounds && code == SERVET_OK; i++)
        code = go_round(bench, behind);
    return code;
}

/* Repeats and refines where a visit costs less than `cost_max`. */
static int visit_up_to(curve_bench *bench, double cost_max)
{
    bench->cost_max = cost_max;
    int code = visit_all(bench);
    for (int i = 0; i < bench->plan->refinements && code == SERVET_OK; i++) {
        if (!refine(bench))
            return srv_fail_memory(bench->error);
        code = visit_all(bench);
    }
    return code;
}

/* Visits points that cost less than `cost_max` and do not agree yet, in `rounds` more rounds. */
static int settle(curve_bench *bench, double cost_max, int rounds)
{
    int code = SERVET_OK;
    bench->cost_max = cost_max;
    for (int i = 0; i < rounds && code == SERVET_OK; i++)
        code = go_round(bench, disagreeing);
    return code;
}

static int run(curve_bench *bench)
{
    if (!lay_grid(bench))
        return srv_fail_memory(bench->error);
    int code = visit_up_to(bench, SHORT_SECONDS);
    if (code == SERVET_OK)
        code = visit_up_to(bench, LONG_SECONDS);
    if (code == SERVET_OK)
        code = settle(bench, LONG_SECONDS, EXTRA_ROUNDS);
    if (code == SERVET_OK && !bench->plan->typical)
        code = settle(bench, SHORT_SECONDS, SHORT_EXTRA_ROUNDS);
    for (int i = 0; i < BUMP_ROUNDS && code == SERVET_OK; i++)
        code = revisit_bumps(bench);
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

static int hand_over(const curve_bench *bench, srv_series *series)
{
    srv_series made = {.curve = SERVET_CURVE_INIT};
    servet_curve *curve = &made.curve;
    if (!allocate(&made, bench->points.count)) {
        srv_series_free(&made);
        return srv_fail_memory(bench->error);
    }
    for (size_t i = 0; i < bench->points.count; i++) {
        const srv_point *point = &bench->points.point[i];
        if (!point->visits)
            continue;
        srv_mean latency = srv_point_latency(&bench->points, point);
        curve->bytes[curve->n] = point->bytes;
        curve->latency[curve->n] = srv_seconds(latency.value);
        curve->low[curve->n] = srv_seconds(latency.low);
        curve->high[curve->n] = srv_seconds(latency.high);
        made.ghz[curve->n++] = srv_visits_median(point->ghz, point->visits);
    }
    made.huge_share = isinf(bench->huge_share) ? NAN : bench->huge_share;
    *series = made;
    return SERVET_OK;
}

int srv_bench_curve(srv_machine *machine, const srv_curve_plan *plan, srv_series *series,
                    servet_error *error)
{
    curve_bench bench = {.machine = machine,
                         .plan = plan,
                         .points = {.plan = plan},
                         .huge_share = INFINITY,
                         .error = error};
    int code = run(&bench);
    if (code == SERVET_OK)
        code = hand_over(&bench, series);
    srv_points_free(&bench.points);
    return code;
}

void srv_series_free(srv_series *series)
{
    servet_curve_free(&series->curve);
    free(series->ghz);
    *series = (srv_series){.curve = SERVET_CURVE_INIT};
}
