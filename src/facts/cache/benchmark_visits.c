/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/benchmark_visits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Time for one visit's samples: some 50 of 20 us. Bursts of other threads last 5 ms and more: a
 * visit should fit between them. */
static const double VISIT_SECONDS = 1e-3;

/*
 * Placements, and quiet moments of each, for a size whose visit costs less than `cost_s` seconds.
 * Two moments distinguish a quiet visit from one whose disturbance the indicator missed.
 */
static const struct wanted {
    double seconds;
    int placements, moments;
    int visits; /* to a placement, after which it is known that there are no quiet ones */
} wanted_list[] = {{5e-3, 3, 2, 8}, {30e-3, 2, 1, 3}, {INFINITY, 1, 1, 2}};

/* A larger set is not faster: by so much, the smaller one was disturbed. */
static const double SLOWER = 1.05;

/* An interval over which the latency rises by more than this, and than its error, is halved. */
static const double MOVES = 1.06;

enum { SIZES_MIN = 4 }; /* there is no curve without them */
static const double HUGE_PAGE_MIN = 2.0 * (1 << 20);

/* One size. */
typedef struct size_state {
    double bytes, cost; /* cost: seconds of the shortest visit; 0: none yet */
    bool disturbed;     /* a larger one is faster */
} size_state;

typedef struct visits_bench {
    srv_machine *machine;
    const srv_curve_plan *plan;
    size_state *size; /* ascending */
    size_t count, room;
    srv_visits visits;
    double huge_share, largest;
    servet_error *error;
} visits_bench;

/* --- sizes ------------------------------------------------------------------------------------ */

/* Adds a size within the range, in whole granules, unless it is there; false without memory. */
static bool add_size(visits_bench *bench, double bytes)
{
    const srv_curve_plan *plan = bench->plan;
    bytes = fmin(fmax(bytes, plan->min_bytes), plan->max_bytes);
    bytes = fmax(1, floor(bytes / plan->granule + 0.5)) * plan->granule;
    size_t at = bench->count;
    while (at > 0 && bench->size[at - 1].bytes >= bytes)
        at--;
    if (at < bench->count && bench->size[at].bytes == bytes)
        return true;
    if (bench->count == bench->room) {
        size_t room = bench->room ? 2 * bench->room : 64;
        size_state *grown = realloc(bench->size, room * sizeof *grown);
        if (!grown)
            return false;
        bench->size = grown;
        bench->room = room;
    }
    memmove(bench->size + at + 1, bench->size + at, (bench->count - at) * sizeof *bench->size);
    bench->size[at] = (size_state){.bytes = bytes};
    bench->count++;
    return true;
}

static bool lay_grid(visits_bench *bench)
{
    const srv_curve_plan *plan = bench->plan;
    double step = exp2(1.0 / plan->points_per_octave);
    bool added = true;
    for (double bytes = plan->min_bytes; bytes < plan->max_bytes && added; bytes *= step)
        added = add_size(bench, bytes);
    return added && add_size(bench, plan->max_bytes);
}

/* Halves the intervals in which the curve rises, if a visit is short. */
static bool halve_moving(visits_bench *bench, const servet_curve *curve, double octaves)
{
    bool added = true;
    for (size_t i = 1; i < curve->n && added; i++) {
        bool wide = log2(curve->bytes[i] / curve->bytes[i - 1]) > 1.5 * octaves;
        bool moves =
            curve->latency[i] > MOVES * curve->latency[i - 1] && curve->low[i] > curve->high[i - 1];
        if (wide && moves && curve->bytes[i] <= bench->largest)
            added = add_size(bench, sqrt(curve->bytes[i] * curve->bytes[i - 1]));
    }
    return added;
}

/* --- visits ----------------------------------------------------------------------------------- */

/* Seconds of a visit to size number `at`: at most those of a larger size, because a single visit
 * may have been disturbed, or was the first to touch the memory; 0: unknown. */
static double cost_of(const visits_bench *bench, size_t at)
{
    double cost = bench->size[at].cost;
    for (size_t i = at + 1; i < bench->count && cost > 0; i++)
        if (bench->size[i].cost > 0)
            cost = fmin(cost, bench->size[i].cost);
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
    const size_state *size = &bench->size[at];
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
    for (size_t i = 0; i < bench->count; i++)
        done += next_placement(bench, i) < 0;
    return done / (double)bench->count;
}

static int visit(visits_bench *bench, size_state *size, int placement)
{
    const srv_curve_plan *plan = bench->plan;
    if (plan->progress && plan->progress(plan->context, size->bytes, share_done(bench)))
        return srv_fail(bench->error, SERVET_EINTERRUPTED, "interrupted");
    srv_traversal traversal = plan->traversal;
    traversal.bytes = size->bytes;
    traversal.largest_bytes = plan->max_bytes;
    traversal.seed = plan->seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(placement + 1);
    traversal.seconds = VISIT_SECONDS;
    srv_timing timing;
    double start = bench->machine->ops->elapsed(bench->machine);
    int code = bench->machine->ops->traverse(bench->machine, &traversal, 1, &timing, bench->error);
    if (code != SERVET_OK)
        return code;
    double now = bench->machine->ops->elapsed(bench->machine);
    size->cost = size->cost > 0 ? fmin(size->cost, now - start) : now - start;
    if (size->bytes >= HUGE_PAGE_MIN)
        bench->huge_share = fmin(bench->huge_share, timing.huge_share);
    bool cyclic =
        traversal.pattern != SRV_PATTERN_RANDOM; /* samples are different parts of a round */
    srv_visit made = {.bytes = size->bytes,
                      .placement = placement,
                      .seconds = now,
                      .ns = cyclic ? timing.mean : timing.spread.median,
                      .error = timing.error,
                      .busy = timing.busy,
                      .ghz = timing.ghz};
    return srv_visits_add(&bench->visits, &made, bench->error);
}

/* Expected duration of a visit: that of the last one, or, in proportion, of one to a smaller set.
 */
static double expected_cost(const visits_bench *bench, size_t at)
{
    double bytes = bench->size[at].bytes;
    for (; at > 0 && bench->size[at].cost <= 0; at--)
        ;
    return bench->size[at].cost * bytes / bench->size[at].bytes;
}

/* Every placement is planned to be visited; further visits wait for quiet moments. */
static bool affordable(const visits_bench *bench, size_t at, int placement)
{
    srv_deadline deadline = bench->plan->deadline;
    if (visits_to(bench, bench->size[at].bytes, placement, false) > 0)
        deadline = srv_deadline_spare(&deadline);
    return srv_deadline_fits(&deadline, bench->machine, expected_cost(bench, at));
}

/* Visits once each incomplete size; returns the number of visits, or an error code. */
static int go_round(visits_bench *bench)
{
    int visited = 0;
    for (size_t i = 0; i < bench->count; i++) {
        int placement = next_placement(bench, i);
        bool owed = !bench->plan->optional && i < SIZES_MIN && bench->size[i].cost <= 0;
        if (placement < 0 || !(owed || affordable(bench, i, placement)))
            continue;
        int code = visit(bench, &bench->size[i], placement);
        if (code != SERVET_OK)
            return code;
        visited++;
    }
    return visited;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Sizes that a larger one is faster than. */
static void mark_disturbed(visits_bench *bench, const servet_curve *curve)
{
    for (size_t i = 0, k = 0; i < bench->count; i++) {
        while (k < curve->n && curve->bytes[k] < bench->size[i].bytes)
            k++;
        bool is_there = k + 1 < curve->n && curve->bytes[k] == bench->size[i].bytes;
        bench->size[i].disturbed = is_there && curve->latency[k] > SLOWER * curve->latency[k + 1];
    }
}

/* The largest size that is visited on more than one placement. */
static double largest_repeated(const visits_bench *bench)
{
    double largest = 0;
    for (size_t i = 0; i < bench->count; i++)
        if (wanted_of(bench, i)->placements > 1)
            largest = bench->size[i].bytes;
    return largest;
}

/* Plans the next visits from those so far; after round `round` of the first ones the grid is
 * refined. */
static int take_stock(visits_bench *bench, int round)
{
    servet_curve curve = SERVET_CURVE_INIT;
    int code = srv_visits_verify(&bench->visits, bench->error);
    if (code == SERVET_OK)
        code = srv_visits_curve(&bench->visits, &curve, bench->error);
    if (code != SERVET_OK)
        return code;
    mark_disturbed(bench, &curve);
    bench->largest = largest_repeated(bench);
    int refined =
        round - wanted_list->placements + 1; /* number of earlier times, if it is not negative */
    double octaves = exp2(-(refined + 1)) / bench->plan->points_per_octave;
    bool added =
        refined < 0 || refined >= bench->plan->refinements || halve_moving(bench, &curve, octaves);
    servet_curve_free(&curve);
    return added ? SERVET_OK : srv_fail_memory(bench->error);
}

static int run(visits_bench *bench)
{
    if (!lay_grid(bench))
        return srv_fail_memory(bench->error);
    int visited = 1, code = SERVET_OK;
    for (int round = 0; visited > 0 && code == SERVET_OK; round++) {
        visited = go_round(bench);
        code = visited < 0 ? visited : take_stock(bench, round);
    }
    return code;
}

int srv_bench_visits(srv_machine *machine, const srv_curve_plan *plan, srv_visits *visits,
                     double *huge_share, servet_error *error)
{
    visits_bench bench = {.machine = machine, .plan = plan, .huge_share = INFINITY, .error = error};
    int code = run(&bench);
    free(bench.size);
    if (code != SERVET_OK) {
        srv_visits_free(&bench.visits);
        return code;
    }
    *visits = bench.visits;
    *huge_share = isinf(bench.huge_share) ? NAN : bench.huge_share;
    return SERVET_OK;
}
