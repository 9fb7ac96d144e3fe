/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/line/benchmark.h"

#include <math.h>

#include "core/error.h"

/* A median of three survives a visit that was disturbed as a whole. */
enum { VISITS = 3 };
static const double VISIT_SECONDS = 3e-3;

/* Visits to large sets take long, and are hardly disturbed as a whole. */
static const double LONG_SECONDS = 0.1;

/* Number of partners tried for a core: spread evenly, they are in all parts of a node. */
enum { OTHERS_MAX = 16 };

/* Share of the work that choosing one of them is. */
static const double CHOICE = 0.3;

static double now(srv_machine *machine)
{
    return machine->ops->elapsed(machine);
}

static int check_progress(const srv_line_progress *progress, double done, servet_error *error)
{
    if (progress->progress && progress->progress(progress->context, done))
        return srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
    return SERVET_OK;
}

/* --- blocks ----------------------------------------------------------------------------------- */

typedef struct block_bench {
    srv_machine *machine;
    const srv_line_progress *progress;
    srv_block_series *series;
    servet_error *error;
    double probe_seconds; /* of the last probe */
    bool met;             /* whether the two cores ran at once so far */
} block_bench;

static int false_sharing(block_bench *on, double apart, double done, double *ns)
{
    srv_false_sharing probe = {on->series->core, on->series->other, apart, VISIT_SECONDS};
    srv_timing timing;
    double begun = now(on->machine);
    int code = check_progress(on->progress, done, on->error);
    if (code == SERVET_OK)
        code = on->machine->ops->false_sharing(on->machine, &probe, &timing, on->error);
    if (code != SERVET_OK)
        return code;
    *ns = timing.spread.median;
    on->met = on->met && !isnan(*ns);
    on->probe_seconds = now(on->machine) - begun;
    return SERVET_OK;
}

static bool is_time_for(const block_bench *on, int probes)
{
    return srv_deadline_fits(&on->progress->deadline, on->machine, probes * on->probe_seconds);
}

/* The other core with which contending for one line takes longest: it shares the least. */
static int choose_other(block_bench *on, const int *cores, int count)
{
    int others = count - 1, tried = others < OTHERS_MAX ? others : OTHERS_MAX;
    int code = SERVET_OK, best = cores[1];
    double most = 0;
    for (int i = 0; i < tried && code == SERVET_OK && on->met && is_time_for(on, 1); i++) {
        double ns = 0;
        on->series->other = cores[(int)((long long)(i + 1) * others / tried)];
        code = false_sharing(on, 1, CHOICE * i / tried, &ns);
        best = ns > most ? on->series->other : best;
        most = fmax(most, ns);
    }
    on->series->other = best;
    return code;
}

/* One visit to all steps. */
static int visit_steps(block_bench *on, int number, double visits[SRV_BLOCK_STEPS][VISITS])
{
    int code = SERVET_OK;
    for (int i = 0; i < SRV_BLOCK_STEPS && code == SERVET_OK && on->met; i++) {
        on->series->apart[i] = (double)(1 << i);
        code = false_sharing(on, on->series->apart[i], CHOICE + (1 - CHOICE) * number / VISITS,
                             &visits[i][number]);
    }
    return code;
}

int srv_bench_block(srv_machine *machine, const int *cores, int count,
                    const srv_line_progress *progress, srv_block_series *series,
                    servet_error *error)
{
    block_bench on = {machine, progress, series, error, 0, true};
    double visits[SRV_BLOCK_STEPS][VISITS];
    int done = 0, code = SERVET_OK;
    *series = (srv_block_series){.core = cores[0], .other = cores[0]};
    if (count < 2)
        return SERVET_OK;
    code = choose_other(&on, cores, count);
    while (done < VISITS && code == SERVET_OK && on.met && is_time_for(&on, SRV_BLOCK_STEPS))
        code = visit_steps(&on, done++, visits);
    if (code != SERVET_OK || !on.met || done == 0)
        return code;
    series->count = SRV_BLOCK_STEPS;
    for (int i = 0; i < SRV_BLOCK_STEPS; i++)
        series->ns[i] = srv_spread_of(visits[i], (size_t)done).median;
    return SERVET_OK;
}

/* --- lines ------------------------------------------------------------------------------------ */

static int load_ns(srv_machine *machine, srv_traversal traversal, double *ns, servet_error *error)
{
    srv_timing timing;
    int code = machine->ops->traverse(machine, &traversal, 1, &timing, error);
    if (code == SERVET_OK)
        *ns = timing.mean;
    return code;
}

static srv_traversal set_of(const srv_line_plan *plan, double stride, int visit)
{
    srv_traversal set = plan->like;
    if (stride > plan->grows_from)
        set.bytes = fmax(set.bytes, fmin(set.bytes * stride / plan->grows_from, set.largest_bytes));
    set.chains = 1;
    set.seconds = VISIT_SECONDS;
    set.seed += (uint64_t)visit;
    set.line_bytes = 2 * stride;
    set.stride = stride;
    return set;
}

/* One load of each block alone, then two: what the second adds is its own time. Both series visit
 * the same pages, so translation falls out. */
static int visit(srv_machine *machine, const srv_traversal *set, double *first, double *second,
                 servet_error *error)
{
    srv_traversal alone = *set, pairs = *set;
    double mean = 0;
    alone.pattern = SRV_PATTERN_LINES;
    pairs.pattern = SRV_PATTERN_PAIRS;
    int code = load_ns(machine, alone, first, error);
    if (code == SERVET_OK)
        code = load_ns(machine, pairs, &mean, error);
    *second = 2 * mean - *first;
    return code;
}

static int measure_stride(srv_machine *machine, const srv_line_plan *plan, srv_line_series *series,
                          servet_error *error)
{
    double first[VISITS], second[VISITS], begun = now(machine);
    int n = 0, code = SERVET_OK, at = series->count;
    while (n < VISITS && code == SERVET_OK && (n == 0 || now(machine) - begun < LONG_SECONDS)) {
        srv_traversal set = set_of(plan, series->stride[at], n);
        code = visit(machine, &set, &first[n], &second[n], error);
        n++;
    }
    if (code != SERVET_OK)
        return code;
    series->first[at] = srv_spread_of(first, (size_t)n).median;
    series->second[at] = srv_spread_of(second, (size_t)n).median;
    return SERVET_OK;
}

int srv_bench_line(srv_machine *machine, const srv_line_plan *plan,
                   const srv_line_progress *progress, srv_line_series *series, servet_error *error)
{
    int code = SERVET_OK;
    double stride = plan->from, last_seconds = 0;
    *series = (srv_line_series){0};
    while (series->count < plan->count && code == SERVET_OK &&
           srv_deadline_fits(&progress->deadline, machine, last_seconds)) {
        double begun = now(machine);
        series->stride[series->count] = stride;
        code = check_progress(progress, (double)series->count / plan->count, error);
        if (code == SERVET_OK)
            code = measure_stride(machine, plan, series, error);
        last_seconds = now(machine) - begun;
        series->count++;
        stride *= 2;
    }
    if (series->count < plan->count)
        series->count = 0;
    return code;
}
