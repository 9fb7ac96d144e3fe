/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/benchmark_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/units.h"
#include "sample/visit.h"

/* --- sizes ------------------------------------------------------------------------------------ */

static const double HUGE_PAGE_MIN = 2.0 * (1 << 20);

bool srv_points_add(srv_points *points, double bytes)
{
    const srv_curve_plan *plan = points->plan;
    bytes = fmin(fmax(bytes, plan->min_bytes), plan->max_bytes);
    bytes = fmax(1, floor(bytes / plan->granule + 0.5)) * plan->granule;
    size_t at = points->count;
    while (at > 0 && points->point[at - 1].bytes >= bytes)
        at--;
    if (at < points->count && points->point[at].bytes == bytes)
        return true;
    srv_point *grown = srv_grow(points->point, points->count, sizeof *grown);
    if (!grown)
        return false;
    points->point = grown;
    memmove(points->point + at + 1, points->point + at,
            (points->count - at) * sizeof *points->point);
    points->point[at] = (srv_point){.bytes = bytes};
    points->count++;
    return true;
}

bool srv_points_lay(srv_points *points, const srv_curve_plan *plan)
{
    double step = plan->next ? 0 : exp2(1.0 / plan->points_per_octave), bytes = plan->min_bytes;
    bool added = true;
    *points = (srv_points){.plan = plan, .huge_share = NAN};
    while (bytes < plan->max_bytes && added) {
        added = srv_points_add(points, bytes);
        bytes = plan->next ? plan->next(bytes) : bytes * step;
    }
    return added && srv_points_add(points, plan->max_bytes);
}

int srv_points_visit(srv_points *points, const srv_point *point, int placement, double seconds,
                     srv_timing *timing, double *cost, double *ended, servet_error *error)
{
    const srv_curve_plan *plan = points->plan;
    srv_machine *machine = plan->sampler.machine;
    srv_traversal traversal = plan->traversal;
    traversal.bytes = point->bytes;
    traversal.largest_bytes = plan->max_bytes;
    traversal.seed = plan->seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(placement + 1);
    traversal.seconds = seconds;
    double start = srv_sampler_now(&plan->sampler);
    int code = machine->ops->traverse(machine, &traversal, 1, timing, error);
    if (code != SERVET_OK)
        return code;
    *ended = srv_sampler_now(&plan->sampler);
    *cost = *ended - start;
    if (point->bytes >= HUGE_PAGE_MIN)
        points->huge_share = fmin(points->huge_share, timing->huge_share); /* NaN is no minimum */
    return SERVET_OK;
}

const char *srv_point_text(const srv_point *point, char text[SRV_POINT_TEXT_MAX])
{
    snprintf(text, SRV_POINT_TEXT_MAX, "%.0f KiB", point->bytes / 1024);
    return text;
}

/* The median, of an even number the lower middle one: disturbances only make a visit slower. */
static double visits_median(const double samples[SRV_VISITS_MAX], int n)
{
    double sorted[SRV_VISITS_MAX];
    memcpy(sorted, samples, sizeof sorted);
    srv_sort(sorted, (size_t)n);
    return sorted[(n - 1) / 2];
}

/* Longest undisturbed visit: a set twice as large takes longer, whatever its pages. */
static double undisturbed_max(const srv_points *points, const srv_point *point)
{
    /* The next visited size from twice that of the point on; the largest one if there is none. */
    const srv_point *end = points->point + points->count, *larger = point;
    for (const srv_point *at = point; at < end && larger->bytes < 2 * point->bytes; at++)
        if (at->visits)
            larger = at;
    return visits_median(larger->visit, larger->visits) * SRV_VISITS_RATIO_MAX;
}

static srv_interval typical_of(const srv_point *point)
{
    srv_interval all = srv_mean_of(point->visit, (size_t)point->visits);
    for (int i = 0; i < point->visits; i++) {
        all.low = fmin(all.low, point->visit[i]);
        all.high = fmax(all.high, point->visit[i]);
    }
    all.value = visits_median(point->visit, point->visits);
    return all;
}

/* The point's latency. Near a capacity it depends on the pages of the visit, so it is the mean over
 * placements and not that of the most frequent one, without disturbed visits. A single visit far
 * above the others may be either: it widens the interval and does not count. */
static srv_interval point_latency(const srv_points *points, const srv_point *point)
{
    double kept[SRV_VISITS_MAX], most = undisturbed_max(points, point);
    size_t n = 0;
    if (points->plan->typical)
        return typical_of(point);
    for (int i = 0; i < point->visits; i++)
        if (point->visit[i] <= most)
            kept[n++] = point->visit[i];
    if (n == 0)
        kept[n++] = visits_median(point->visit, point->visits);
    srv_sort(kept, n);
    srv_interval all = srv_mean_of(kept, n), counted = srv_mean_of(kept, srv_without_lone(kept, n));
    return (srv_interval){counted.value, fmin(all.low, counted.value), all.high};
}

static bool point_agrees(const srv_points *points, const srv_point *point)
{
    srv_interval latency = point_latency(points, point);
    return latency.high <= latency.low * SRV_VISITS_RATIO_MAX;
}

void srv_points_free(srv_points *points)
{
    free(points->point);
    *points = (srv_points){.plan = points->plan};
}

/* Visits that cost more are repeated only if the first ones disagree with the neighbours'. */
static const double LONG_SECONDS = 0.1;

/* Sizes whose visit costs less than this come first: they cover most knees in little time, so that
 * a deadline omits repetitions of large sizes instead of the knee of a first-level cache. */
static const double SHORT_SECONDS = 0.02;

/* Range (octaves) in which the page placements of two sizes have similar effects. */
static const double NEAR_OCTAVES = 0.5;

/* Additional rounds: for short sizes, for all, and for sizes slower than the next larger one. */
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
        if (near && other->visits > 1 && !point_agrees(&bench->points, other))
            return true;
    }
    return false;
}

/* A latency above that of the next larger size is a disturbance: larger sets are not faster. */
static bool is_bump(const curve_bench *bench, const srv_point *point)
{
    const srv_point *next = point + 1, *end = bench->points.point + bench->points.count;
    return next < end && point->visits && next->visits &&
           point_latency(&bench->points, point).value >
               point_latency(&bench->points, next).value * SRV_VISITS_RATIO_MAX;
}

/* The first visit measures a point, further ones narrow its interval. */
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
        srv_interval latency = point_latency(points, point);
        curve->bytes[curve->n] = point->bytes;
        curve->latency[curve->n] = srv_seconds(latency.value);
        curve->low[curve->n] = srv_seconds(latency.low);
        curve->high[curve->n] = srv_seconds(latency.high);
        made.ghz[curve->n++] = visits_median(point->ghz, point->visits);
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
