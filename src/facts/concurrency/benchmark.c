/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/concurrency/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "sample/visit.h"

/* Typical overhead of a visit: warming up, and building the set line by line. */
static const double WARM_SECONDS = 25e-3, LINE_SECONDS = 40e-9;

/* Number of cores from which their mean needs no second visit: each has memory of its own. */
enum { MANY = 16 };

/* Numbers of chains that are measured at first: powers of two and the numbers halfway between. */
static const int grid[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
enum { GRID_COUNT = sizeof grid / sizeof *grid };

/* More chains don't help where this many larger numbers are no faster than by this. */
enum { NO_BETTER = 2 };
static const double FASTER = 0.97;

/* Numbers are refined around the one that comes this near to the best. */
static const double NEAR_BEST = 1 / 0.95;

typedef struct bench {
    const srv_load_plan *plan;
    srv_load *loads;
    int n;
} bench;

/* Seconds of a visit to such a set. */
static double cost_of(const bench *on, double bytes)
{
    return SRV_VISIT_SECONDS + WARM_SECONDS + bytes / on->plan->traversal.line_bytes * LINE_SECONDS;
}

static void count_visit(bench *on, int i, double ns)
{
    double times[SRV_LOAD_VISITS_MAX];
    srv_load *load = &on->loads[i];
    load->visit[load->visits++] = ns;
    memcpy(times, load->visit, sizeof times);
    srv_sort(times, (size_t)load->visits);
    load->ns = srv_sorted_quantile(times, (size_t)load->visits, 0.5);
    load->low = times[0];
    load->high = times[load->visits - 1];
}

static srv_want want_visit(const srv_load *load)
{
    if (load->visits < SRV_LOAD_VISITS_LEAST)
        return SRV_WANT_VISIT;
    bool alike = load->high <= (1 + SRV_LOADS_ALIKE) * load->low;
    return alike || load->visits == SRV_LOAD_VISITS_MAX ? SRV_WANT_NOTHING : SRV_WANT_SPARE;
}

static const char *count_text(int count, const char *of, char text[32])
{
    snprintf(text, 32, "%d %s", count, of);
    return text;
}

/* Other work only ever slows a core down: the best visit counts, as with the memory kernels. */
enum { WIDE_VISITS = 3 };

/* A recording of an older version has no answer, nor has a model that does not state it. */
static int visit_wide(const srv_load_plan *plan, srv_spread *best, servet_error *error)
{
    srv_machine *machine = plan->sampler.machine;
    const srv_traversal *of = &plan->traversal;
    srv_stream stream = {.core = of->core,
                         .kernel = SERVET_KERNEL_READ,
                         .bytes = of->bytes,
                         .pages = of->pages,
                         .seconds = SRV_VISIT_SECONDS};
    srv_spread rate = {.median = 0};
    int code = machine->ops->stream(machine, &stream, 1, &rate, error);
    if (code == SERVET_OK && (best->n == 0 || rate.median > best->median))
        *best = rate;
    if (!srv_forgive(&code, SERVET_EUNSUPPORTED, error))
        (void)srv_forgive(&code, SERVET_EUNMEASURED, error);
    return code;
}

int srv_bench_loads(const srv_load_plan *plan, srv_spread *best, servet_error *error)
{
    bench on = {.plan = plan};
    char what[32];
    *best = (srv_spread){0};
    srv_loop loop = srv_loop_of(&plan->sampler, 1, WIDE_VISITS, error);
    while (srv_loop_next(&loop)) {
        srv_want want = loop.round < SRV_LOAD_VISITS_LEAST ? SRV_WANT_VISIT : SRV_WANT_SPARE;
        if (srv_loop_due(&loop, want, cost_of(&on, plan->traversal.bytes),
                         count_text(loop.round + 1, "widest loads", what)))
            loop.code = visit_wide(plan, best, error);
    }
    return loop.code;
}

/* --- chains ----------------------------------------------------------------------------------- */

static int visit_chains(bench *on, int i, servet_error *error)
{
    srv_load *load = &on->loads[i];
    srv_machine *machine = on->plan->sampler.machine;
    srv_traversal traversal = on->plan->traversal;
    srv_timing timing;
    traversal.chains = load->count;
    traversal.seed =
        on->plan->seed + (uint64_t)load->visits; /* of a round, so that a set can stay */
    traversal.seconds = SRV_VISIT_SECONDS;
    int code = machine->ops->traverse(machine, &traversal, 1, &timing, error);
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
    char what[32];
    srv_loop loop = srv_loop_of(&on->plan->sampler, GRID_COUNT, 1, error);
    *complete = false;
    while (!*complete && srv_loop_next(&loop)) {
        on->loads[on->n] = (srv_load){.count = grid[loop.row], .bytes = bytes};
        if (!srv_loop_due(&loop, SRV_WANT_VISIT, cost_of(on, bytes),
                          count_text(grid[loop.row], "chains", what)))
            break;
        loop.code = visit_chains(on, on->n++, error);
        *complete = on->n == GRID_COUNT || on->n - 1 - fastest(on) >= NO_BETTER;
    }
    return loop.code;
}

/* Visits `count` loads from `first` on until they are known, as far as there is time. */
static int repeat(bench *on, int first, int count, bool owed, servet_error *error)
{
    char what[32];
    int rounds = count > 0 ? SRV_LOAD_VISITS_MAX - on->loads[first].visits : 0;
    srv_loop loop = srv_loop_of(&on->plan->sampler, count, rounds, error);
    while (srv_loop_next(&loop)) {
        const srv_load *load = &on->loads[first + loop.row];
        srv_want want = want_visit(load);
        if (srv_loop_due(&loop, owed && want != SRV_WANT_NOTHING ? SRV_WANT_OWED : want,
                         cost_of(on, load->bytes), count_text(load->count, "chains", what)))
            loop.code = visit_chains(on, first + loop.row, error);
    }
    return loop.code;
}

/* Halves the interval before the first number that is nearly the best. */
static int refine(bench *on, servet_error *error)
{
    int code = SERVET_OK;
    while (code == SERVET_OK) {
        double near = NEAR_BEST * on->loads[fastest(on)].ns;
        int next = 0;
        while (on->loads[next].ns > near)
            next++;
        if (next == 0 || on->loads[next].count - on->loads[next - 1].count < 2 ||
            !srv_sampler_fits(&on->plan->sampler, cost_of(on, on->plan->traversal.bytes)))
            break;
        /* Makes room for a number behind load `i`. */
        int i = next - 1;
        for (int k = on->n++; k > i + 1; k--)
            on->loads[k] = on->loads[k - 1];
        on->loads[i + 1] =
            (srv_load){.count = ((on->loads[next].count + on->loads[next - 1].count) / 2),
                       .bytes = on->plan->traversal.bytes};
        code = repeat(on, next, 1, true, error);
    }
    return code;
}

int srv_bench_chains(const srv_load_plan *plan, srv_load loads[SRV_CHAINS_MAX], int *n,
                     servet_error *error)
{
    bench on = {.plan = plan, .loads = loads};
    bool complete;
    int code = climb(&on, &complete, error);
    if (code == SERVET_OK && complete)
        code = repeat(&on, 0, on.n, false, error);
    if (code == SERVET_OK && complete)
        code = refine(&on, error);
    *n = complete ? on.n : 0;
    return code;
}

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
    srv_machine *machine = on->plan->sampler.machine;
    for (int k = 0; k < load->count; k++) {
        traversals[k] = on->plan->traversal;
        traversals[k].core = cores[k];
        traversals[k].bytes = load->bytes;
        traversals[k].seed = on->plan->seed + (uint64_t)(k * SRV_LOAD_VISITS_MAX + load->visits);
        traversals[k].seconds = SRV_VISIT_SECONDS;
    }
    int code = machine->ops->traverse(machine, traversals, load->count, timings, error);
    if (code == SERVET_OK)
        count_visit(on, i, mean_of(timings, load->count));
    return code;
}

int srv_bench_threads(const srv_load_plan *plan, const int *cores, srv_load *loads, int n,
                      servet_error *error)
{
    bench on = {.plan = plan, .loads = loads, .n = n};
    srv_loop loop = srv_loop_of(&plan->sampler, n, SRV_LOAD_VISITS_MAX, error);
    char what[32];
    int most = 1;
    for (int i = 0; i < n; i++)
        most = loads[i].count > most ? loads[i].count : most;
    srv_traversal *traversals = calloc((size_t)most, sizeof *traversals);
    srv_timing *timings = calloc((size_t)most, sizeof *timings);
    loop.code = traversals && timings ? SERVET_OK : srv_fail_memory(error);
    while (srv_loop_next(&loop)) {
        const srv_load *load = &loads[loop.row];
        bool enough = load->visits > 0 && load->count >= MANY;
        if (srv_loop_due(&loop, enough ? SRV_WANT_NOTHING : want_visit(load),
                         cost_of(&on, load->bytes), count_text(load->count, "threads", what)))
            loop.code = visit_threads(&on, loop.row, cores, traversals, timings, error);
    }
    free(traversals);
    free(timings);
    return loop.code;
}
