/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "facts/cache/benchmark_curve.h"
#include "sample/visit.h"

/* Placements, and quiet moments of each, for a size whose visit costs less than `cost_s` seconds.
 * Two moments distinguish a quiet visit from one whose disturbance the indicator missed. */
static const struct wanted {
    double seconds;
    int placements, moments;
    int visits; /* to a placement, after which it is known that there are no quiet ones */
} wanted_list[] = {{5e-3, 3, 2, 8}, {30e-3, 2, 1, 3}, {INFINITY, 1, 1, 2}};

/* An interval over which the latency rises by more than this, and than its error, is halved. */
static const double MOVES = 1.06;

enum { SIZES_MIN = 4 }; /* there is no curve without them */

typedef struct visits_bench {
    srv_points points;
    srv_visits visits;
    double largest; /* that is visited on more than one placement */
} visits_bench;

/* Halves the intervals in which the curve rises, if a visit is short. */
static bool halve_moving(visits_bench *bench, const servet_curve *curve, double octaves)
{
    bool added = true;
    for (size_t i = 1; i < curve->n && added; i++) {
        bool wide = log2(curve->bytes[i] / curve->bytes[i - 1]) > 1.5 * octaves;
        bool moves =
            curve->latency[i] > MOVES * curve->latency[i - 1] && curve->low[i] > curve->high[i - 1];
        if (wide && moves && curve->bytes[i] <= bench->largest)
            added = srv_points_add(&bench->points, sqrt(curve->bytes[i] * curve->bytes[i - 1]));
    }
    return added;
}

/* --- visits ----------------------------------------------------------------------------------- */

/* Seconds of a visit to size number `at`: at most those of a larger size, because a single visit
 * may have been disturbed, or was the first to touch the memory; 0: unknown. */
static double cost_of(const visits_bench *bench, size_t at)
{
    double cost = bench->points.point[at].cost;
    for (size_t i = at + 1; i < bench->points.count && cost > 0; i++)
        if (bench->points.point[i].cost > 0)
            cost = fmin(cost, bench->points.point[i].cost);
    return cost;
}

static const struct wanted *wanted_of(const visits_bench *bench, size_t at)
{
    const struct wanted *wanted = wanted_list;
    while (cost_of(bench, at) >= wanted->seconds)
        wanted++;
    return wanted;
}

/* The visits to a size and placement, or the quiet ones of them. */
static int visits_to(const visits_bench *bench, double bytes, int placement, bool quiet)
{
    int n = 0;
    for (size_t i = 0; i < bench->visits.count; i++) {
        const srv_visit *visit = &bench->visits.visit[i];
        n += visit->bytes == bytes && visit->placement == placement && (visit->quiet || !quiet);
    }
    return n;
}

/* The placement for the next visit to a size; -1: the size is complete. */
static int next_placement(const visits_bench *bench, size_t at)
{
    const srv_point *size = &bench->points.point[at];
    const struct wanted *wanted = wanted_of(bench, at);
    int extra = size->disturbed, next = -1, fewest = wanted->visits;
    for (int placement = 0; placement < wanted->placements; placement++) {
        int all = visits_to(bench, size->bytes, placement, false);
        if (all < fewest &&
            visits_to(bench, size->bytes, placement, true) < wanted->moments + extra) {
            fewest = all;
            next = placement;
        }
    }
    return next;
}

static double share_done(const visits_bench *bench)
{
    double done = 0;
    for (size_t i = 0; i < bench->points.count; i++)
        done += next_placement(bench, i) < 0;
    return done / (double)bench->points.count;
}

static int visit(visits_bench *bench, srv_point *size, int placement, servet_error *error)
{
    srv_timing timing;
    double cost, ended;
    int code = srv_points_visit(&bench->points, size, placement, SRV_MOMENT_SECONDS, &timing, &cost,
                                &ended, error);
    if (code != SERVET_OK)
        return code;
    const srv_curve_plan *plan = bench->points.plan;
    size->cost = size->cost > 0 ? fmin(size->cost, cost) : cost;
    bool cyclic =
        plan->traversal.pattern != SRV_PATTERN_RANDOM; /* samples are different parts of a round */
    srv_visit made = {.bytes = size->bytes,
                      .placement = placement,
                      .seconds = ended,
                      .ns = cyclic ? timing.mean : timing.spread.median,
                      .error = timing.error,
                      .busy = timing.busy,
                      .ghz = timing.ghz};
    return srv_visits_add(&bench->visits, &made, error);
}

/* Expected duration: that of the last visit, or in proportion that of one to a smaller set. */
static double expected_cost(const visits_bench *bench, size_t at)
{
    const srv_point *size = bench->points.point;
    double bytes = size[at].bytes;
    for (; at > 0 && size[at].cost <= 0; at--)
        ;
    return size[at].cost * bytes / size[at].bytes;
}

/* Every placement is planned to be visited; further visits wait for quiet moments. */
static srv_want want_visit(const visits_bench *bench, size_t at, int placement)
{
    const srv_point *size = &bench->points.point[at];
    if (placement < 0)
        return SRV_WANT_NOTHING;
    if (!bench->points.plan->optional && at < SIZES_MIN && size->cost <= 0)
        return SRV_WANT_OWED;
    return visits_to(bench, size->bytes, placement, false) > 0 ? SRV_WANT_SPARE : SRV_WANT_VISIT;
}

/* Visits once each incomplete size; `*visited` becomes the number of visits. */
static int go_round(visits_bench *bench, int *visited, servet_error *error)
{
    char what[SRV_POINT_TEXT_MAX];
    const srv_curve_plan *plan = bench->points.plan;
    srv_loop loop = srv_loop_of(&plan->sampler, (int)bench->points.count, 1, error);
    double done = share_done(bench);
    while (srv_loop_next(&loop)) {
        size_t at = (size_t)loop.row;
        srv_point *size = &bench->points.point[at];
        int placement = next_placement(bench, at);
        if (srv_loop_due_at(&loop, want_visit(bench, at, placement), expected_cost(bench, at),
                            srv_point_text(size, what), done))
            loop.code = visit(bench, size, placement, error);
    }
    *visited = loop.visits;
    return loop.code;
}

static void mark_disturbed(visits_bench *bench, const servet_curve *curve)
{
    for (size_t i = 0, k = 0; i < bench->points.count; i++) {
        srv_point *size = &bench->points.point[i];
        while (k < curve->n && curve->bytes[k] < size->bytes)
            k++;
        bool is_there = k + 1 < curve->n && curve->bytes[k] == size->bytes;
        size->disturbed =
            is_there && curve->latency[k] > SRV_VISITS_RATIO_MAX * curve->latency[k + 1];
    }
}

/* Plans the next visits; after round `round` of the first ones the grid is refined. */
static int take_stock(visits_bench *bench, int round, servet_error *error)
{
    const srv_curve_plan *plan = bench->points.plan;
    servet_curve curve = SERVET_CURVE_INIT;
    int code = srv_visits_verify(&bench->visits, error);
    if (code == SERVET_OK)
        code = srv_visits_curve(&bench->visits, &curve, error);
    if (code != SERVET_OK)
        return code;
    mark_disturbed(bench, &curve);
    double largest = 0;
    for (size_t i = 0; i < bench->points.count; i++)
        if (wanted_of(bench, i)->placements > 1)
            largest = bench->points.point[i].bytes;
    bench->largest = largest;
    int refined =
        round - wanted_list->placements + 1; /* number of earlier times, if it is not negative */
    double octaves = exp2(-(refined + 1)) / plan->points_per_octave;
    bool added =
        refined < 0 || refined >= plan->refinements || halve_moving(bench, &curve, octaves);
    servet_curve_free(&curve);
    return added ? SERVET_OK : srv_fail_memory(error);
}

static int run(visits_bench *bench, servet_error *error)
{
    int visited = 1, code = SERVET_OK;
    for (int round = 0; visited > 0 && code == SERVET_OK; round++) {
        code = go_round(bench, &visited, error);
        if (code == SERVET_OK)
            code = take_stock(bench, round, error);
    }
    return code;
}

int srv_bench_visits(const srv_curve_plan *plan, srv_visits *visits, double *huge_share,
                     servet_error *error)
{
    visits_bench bench = {0};
    int code = srv_points_lay(&bench.points, plan) ? run(&bench, error) : srv_fail_memory(error);
    double huge = bench.points.huge_share;
    srv_points_free(&bench.points);
    if (code != SERVET_OK) {
        srv_visits_free(&bench.visits);
        return code;
    }
    *visits = bench.visits;
    *huge_share = huge;
    return SERVET_OK;
}
