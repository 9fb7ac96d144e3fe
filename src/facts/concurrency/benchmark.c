/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/concurrency/benchmark.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

/* Time on samples of one visit: some hundred of 20 us (share/doc/measuring.md). */
static const double VISIT_SECONDS = 8e-3;

/* Typical overhead of a visit: warming up, and building the set line by line. */
static const double WARM_SECONDS = 25e-3, LINE_SECONDS = 40e-9;

/* Each number is visited twice, on other memory, and again if these differ by more than this: the
 * range of five visits shows how certain their median is, that of two or three hardly. */
enum { VISITS_LEAST = 2, VISITS_MAX = 5 };

/* Number of cores from which their mean needs no second visit: each has memory of its own. */
enum { MANY = 16 };

/* Numbers of chains that are measured at first: powers of two and the numbers halfway between. */
static const int grid[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
enum { GRID_COUNT = sizeof grid / sizeof *grid };

/* More chains don't help any more where this many larger numbers, the last one nearly twice as
 * large, are no faster than by this. */
enum { NO_BETTER = 2 };
static const double FASTER = 0.97;

/* Numbers are refined around the one that comes this near to the best. */
static const double NEAR_BEST = 1 / 0.95;

typedef struct bench {
    srv_machine *machine;
    const srv_load_plan *plan;
    double visit[SRV_CHAINS_MAX][VISITS_MAX];
    srv_load *loads;
    int n;
} bench;

/* True if there is no time for a visit to such a set, after `visits` of the planned ones. */
static bool time_is_up(const bench *on, double bytes, int visits)
{
    srv_deadline deadline = on->plan->deadline;
    double cost =
        VISIT_SECONDS + WARM_SECONDS + bytes / on->plan->traversal.line_bytes * LINE_SECONDS;
    if (visits >= VISITS_LEAST)
        deadline = srv_deadline_spare(&deadline);
    return !srv_deadline_fits(&deadline, on->machine, cost);
}

static int tell(const bench *on, int count, double done, servet_error *error)
{
    const srv_load_plan *plan = on->plan;
    if (plan->progress && plan->progress(plan->context, count, done) != 0)
        return srv_fail(error, SERVET_EINTERRUPTED, "interrupted while measuring %d loads", count);
    return SERVET_OK;
}

/* Counts a visit to load `i`. */
static void count_visit(bench *on, int i, double ns)
{
    double times[VISITS_MAX];
    srv_load *load = &on->loads[i];
    on->visit[i][load->visits++] = ns;
    for (int k = 0; k < load->visits; k++)
        times[k] = on->visit[i][k];
    srv_sort(times, (size_t)load->visits);
    load->ns = srv_sorted_quantile(times, (size_t)load->visits, 0.5);
    load->low = times[0];
    load->high = times[load->visits - 1];
}

static bool wants_visit(const srv_load *load, int visit)
{
    return visit < VISITS_MAX && load->visits == visit &&
           (visit < VISITS_LEAST || load->high > (1 + SRV_LOADS_ALIKE) * load->low);
}

/* --- widest loads ----------------------------------------------------------------------------- */

/* Other work only ever slows a core down: the best visit counts, as with the memory kernels. */
enum { WIDE_VISITS = 3 };

/* A recording of an older version has no answer, nor has a model that does not state it. */
static int visit_wide(bench *on, srv_spread *best, servet_error *error)
{
    const srv_traversal *of = &on->plan->traversal;
    srv_stream stream = {.core = of->core,
                         .kernel = SERVET_KERNEL_READ,
                         .bytes = of->bytes,
                         .pages = of->pages,
                         .seconds = VISIT_SECONDS};
    srv_spread rate;
    servet_error local = SERVET_ERROR_INIT;
    int code = on->machine->ops->stream(on->machine, &stream, 1, &rate, &local);
    if (code == SERVET_EUNSUPPORTED || code == SERVET_EUNMEASURED)
        return SERVET_OK;
    if (code != SERVET_OK)
        return srv_fail(error, code, "%s", local.text);
    if (best->n == 0 || rate.median > best->median)
        *best = rate;
    return SERVET_OK;
}

int srv_bench_loads(srv_machine *machine, const srv_load_plan *plan, srv_spread *best,
                    servet_error *error)
{
    bench on = {.machine = machine, .plan = plan};
    int code = SERVET_OK;
    *best = (srv_spread){0};
    for (int i = 0; i < WIDE_VISITS && code == SERVET_OK; i++)
        if (!time_is_up(&on, plan->traversal.bytes, i)) {
            code = tell(&on, i + 1, (double)i / WIDE_VISITS, error);
            if (code == SERVET_OK)
                code = visit_wide(&on, best, error);
        }
    return code;
}

/* --- chains ----------------------------------------------------------------------------------- */

static int visit_chains(bench *on, int i, double done, servet_error *error)
{
    srv_load *load = &on->loads[i];
    srv_traversal traversal = on->plan->traversal;
    srv_timing timing;
    traversal.chains = load->count;
    traversal.seed =
        on->plan->seed + (uint64_t)load->visits; /* of a round, so that a set can stay */
    traversal.seconds = VISIT_SECONDS;
    int code = tell(on, load->count, done, error);
    if (code == SERVET_OK)
        code = on->machine->ops->traverse(on->machine, &traversal, 1, &timing, error);
    if (code == SERVET_OK)
        count_visit(on, i, timing.mean);
    return code;
}

/* The fastest number of chains; among nearly equal ones the smallest. */
static int fastest(const bench *on)
{
    int best = 0;
    for (int i = 1; i < on->n; i++)
        if (on->loads[i].ns < FASTER * on->loads[best].ns)
            best = i;
    return best;
}

/* The first round: until more chains do not help. */
static int climb(bench *on, bool *complete, servet_error *error)
{
    double bytes = on->plan->traversal.bytes;
    int code = SERVET_OK;
    *complete = false;
    while (code == SERVET_OK && !*complete && !time_is_up(on, bytes, 0)) {
        on->loads[on->n] = (srv_load){.count = grid[on->n], .bytes = bytes};
        code = visit_chains(on, on->n, (double)on->n / (VISITS_MAX * GRID_COUNT), error);
        on->n++;
        *complete = on->n == GRID_COUNT || on->n - 1 - fastest(on) >= NO_BETTER;
    }
    return code;
}

/* Further rounds. */
static int repeat(bench *on, servet_error *error)
{
    int code = SERVET_OK;
    for (int visit = 1; visit < VISITS_MAX; visit++)
        for (int i = 0; i < on->n && code == SERVET_OK; i++)
            if (wants_visit(&on->loads[i], visit) && !time_is_up(on, on->loads[i].bytes, visit))
                code = visit_chains(on, i, (double)visit / VISITS_MAX, error);
    return code;
}

/* Makes room for a number behind load `i`. */
static void insert(bench *on, int i, int count)
{
    for (int k = on->n++; k > i + 1; k--) {
        on->loads[k] = on->loads[k - 1];
        for (int visit = 0; visit < VISITS_MAX; visit++)
            on->visit[k][visit] = on->visit[k - 1][visit];
    }
    on->loads[i + 1] = (srv_load){.count = count, .bytes = on->plan->traversal.bytes};
}

/* The numbers between the last one that is clearly slower than the best and the next one, by
 * halves. */
static int refine(bench *on, servet_error *error)
{
    int code = SERVET_OK;
    while (code == SERVET_OK) {
        double near = NEAR_BEST * on->loads[fastest(on)].ns;
        int next = 0;
        while (on->loads[next].ns > near)
            next++;
        if (next == 0 || on->loads[next].count - on->loads[next - 1].count < 2 ||
            time_is_up(on, on->plan->traversal.bytes, 0))
            break;
        insert(on, next - 1, (on->loads[next].count + on->loads[next - 1].count) / 2);
        for (int visit = 0; code == SERVET_OK && wants_visit(&on->loads[next], visit); visit++)
            code = visit_chains(on, next, 1, error);
    }
    return code;
}

int srv_bench_chains(srv_machine *machine, const srv_load_plan *plan,
                     srv_load loads[SRV_CHAINS_MAX], int *n, servet_error *error)
{
    bench on = {.machine = machine, .plan = plan, .loads = loads};
    bool complete;
    int code = climb(&on, &complete, error);
    if (code == SERVET_OK && complete)
        code = repeat(&on, error);
    if (code == SERVET_OK && complete)
        code = refine(&on, error);
    *n = complete ? on.n : 0;
    return code;
}

/* --- threads ---------------------------------------------------------------------------------- */

/* One core's time for a load: the mean of all. */
static double mean_of(const srv_timing *timings, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += timings[i].mean;
    return sum / count;
}

static int visit_threads(bench *on, int i, const int *cores, srv_traversal *traversals,
                         srv_timing *timings, servet_error *error)
{
    const srv_load *load = &on->loads[i];
    int code = tell(on, load->count, (double)i / on->n, error);
    for (int k = 0; k < load->count; k++) {
        traversals[k] = on->plan->traversal;
        traversals[k].core = cores[k];
        traversals[k].bytes = load->bytes;
        traversals[k].seed = on->plan->seed + (uint64_t)(k * VISITS_MAX + load->visits);
        traversals[k].seconds = VISIT_SECONDS;
    }
    if (code == SERVET_OK)
        code = on->machine->ops->traverse(on->machine, traversals, load->count, timings, error);
    if (code == SERVET_OK)
        count_visit(on, i, mean_of(timings, load->count));
    return code;
}

int srv_bench_threads(srv_machine *machine, const srv_load_plan *plan, const int *cores,
                      srv_load *loads, int n, servet_error *error)
{
    bench on = {.machine = machine, .plan = plan, .loads = loads, .n = n};
    int most = 1;
    for (int i = 0; i < n; i++)
        most = loads[i].count > most ? loads[i].count : most;
    srv_traversal *traversals = calloc((size_t)most, sizeof *traversals);
    srv_timing *timings = calloc((size_t)most, sizeof *timings);
    int code = traversals && timings ? SERVET_OK : srv_fail_memory(error);
    for (int visit = 0; visit < VISITS_MAX; visit++)
        for (int i = 0; i < n && code == SERVET_OK; i++)
            if (wants_visit(&loads[i], visit) && (visit == 0 || loads[i].count < MANY) &&
                !time_is_up(&on, loads[i].bytes, visit))
                code = visit_threads(&on, i, cores, traversals, timings, error);
    free(traversals);
    free(timings);
    return code;
}
