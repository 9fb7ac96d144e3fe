/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/line/benchmark.h"

#include <math.h>

#include "sample/visit.h"

/* A median of three survives a visit that was disturbed as a whole. */
enum { VISITS = 3 };

/* Visits to large sets take long, and are hardly disturbed as a whole: no round begins later. */
static const double LONG_SECONDS = 0.7;

/* Number of partners tried for a core: spread evenly, they are in all parts of a node. */
enum { OTHERS_MAX = 16 };

typedef struct block_bench {
    const srv_sampler *sampler;
    srv_block_series *series;
    double probe_seconds; /* of the last probe */
    bool met;             /* whether the two cores ran at once so far */
} block_bench;

static int false_sharing(block_bench *on, double apart, double *ns, servet_error *error)
{
    srv_machine *machine = on->sampler->machine;
    srv_false_sharing probe = {on->series->core, on->series->other, apart, SRV_VISIT_SECONDS};
    srv_timing timing;
    double begun = srv_sampler_now(on->sampler);
    int code = machine->ops->false_sharing(machine, &probe, &timing, error);
    if (code != SERVET_OK)
        return code;
    *ns = timing.spread.median;
    on->met = on->met && !isnan(*ns);
    on->probe_seconds = srv_sampler_now(on->sampler) - begun;
    return SERVET_OK;
}

/* The other core with which contending for one line takes longest: it shares the least. */
static int choose_other(block_bench *on, const int *cores, int count, servet_error *error)
{
    int others = count - 1, tried = others < OTHERS_MAX ? others : OTHERS_MAX, best = cores[1];
    double most = 0;
    srv_loop loop = srv_loop_of(on->sampler, tried, 1, error);
    while (on->met && srv_loop_next(&loop)) {
        double ns = 0;
        if (!srv_loop_due(&loop, SRV_WANT_VISIT, on->probe_seconds, ""))
            break;
        on->series->other = cores[(int)((loop.row + 1LL) * others / tried)];
        loop.code = false_sharing(on, 1, &ns, error);
        best = ns > most ? on->series->other : best;
        most = fmax(most, ns);
    }
    on->series->other = best;
    return loop.code;
}

/* Visits all steps, round after round, as far as there is time for whole rounds. */
static int visit_steps(block_bench *on, double visits[SRV_BLOCK_STEPS][VISITS], int *rounds,
                       servet_error *error)
{
    srv_loop loop = srv_loop_of(on->sampler, SRV_BLOCK_STEPS, VISITS, error);
    while (on->met && srv_loop_next(&loop)) {
        srv_want want = loop.row == 0 ? SRV_WANT_VISIT : SRV_WANT_OWED;
        if (!srv_loop_due(&loop, want, SRV_BLOCK_STEPS * on->probe_seconds, ""))
            break;
        on->series->apart[loop.row] = (double)(1 << loop.row);
        loop.code =
            false_sharing(on, on->series->apart[loop.row], &visits[loop.row][loop.round], error);
    }
    *rounds = loop.visits / SRV_BLOCK_STEPS;
    return loop.code;
}

int srv_bench_block(const srv_sampler *sampler, const int *cores, int count,
                    srv_block_series *series, servet_error *error)
{
    block_bench on = {sampler, series, 0, true};
    double visits[SRV_BLOCK_STEPS][VISITS];
    int rounds = 0;
    *series = (srv_block_series){.core = cores[0], .other = cores[0]};
    if (count < 2)
        return SERVET_OK;
    int code = choose_other(&on, cores, count, error);
    if (code == SERVET_OK)
        code = visit_steps(&on, visits, &rounds, error);
    if (code != SERVET_OK || !on.met || rounds == 0)
        return code;
    series->count = SRV_BLOCK_STEPS;
    for (int i = 0; i < SRV_BLOCK_STEPS; i++)
        series->ns[i] = srv_spread_of(visits[i], (size_t)rounds).median;
    return SERVET_OK;
}

/* The least of a load so far, and of this visit. Other work only adds time: of the samples the
 * lower quartile counts, and of the visits the fastest one. */
static int load_ns(srv_machine *machine, const srv_traversal *traversal, double *least,
                   servet_error *error)
{
    srv_timing timing;
    int code = machine->ops->traverse(machine, traversal, 1, &timing, error);
    if (code == SERVET_OK)
        *least = fmin(*least, timing.spread.low);
    return code;
}

static srv_traversal set_of(const srv_line_plan *plan, double stride)
{
    srv_traversal set = plan->like;
    if (stride > plan->grows_from)
        set.bytes = fmin(set.bytes * stride / plan->grows_from, set.largest_bytes);
    set.chains = 1;
    set.seconds = SRV_VISIT_SECONDS;
    set.line_bytes = 2 * stride;
    set.stride = stride;
    return set;
}

/* One load of each block alone, then two: what the second adds is its own time. Both visit pages of
 * the same number, so translation falls out. */
static int visit(srv_machine *machine, const srv_line_plan *plan, int at, int place,
                 srv_line_series *series, servet_error *error)
{
    srv_traversal alone = set_of(plan, series->stride[at]), pairs = alone;
    alone.seed = pairs.seed += (uint64_t)place;
    alone.pattern = SRV_PATTERN_LINES;
    pairs.pattern = SRV_PATTERN_PAIRS;
    int code = load_ns(machine, &alone, &series->first[at], error);
    if (code == SERVET_OK)
        code = load_ns(machine, &pairs, &series->mean[at], error);
    series->second[at] = 2 * series->mean[at] - series->first[at];
    return code;
}

static void begin(srv_line_series *series, const srv_line_plan *plan, double now)
{
    series->begun = now;
    series->count = plan->count;
    for (int i = 0; i < plan->count; i++) {
        series->stride[i] = ldexp(plan->from, i);
        series->first[i] = series->mean[i] = INFINITY;
    }
}

int srv_bench_line(const srv_sampler *sampler, const srv_line_plan *plan, srv_line_series *series,
                   servet_error *error)
{
    double last = 0;
    srv_loop loop = srv_loop_of(sampler, plan->count, VISITS, error);
    bool is_new = series->count == 0;
    if (is_new)
        begin(series, plan, srv_sampler_now(sampler));
    while (srv_loop_next(&loop)) {
        bool is_owed = is_new && loop.round == 0;
        bool is_late = loop.row == 0 && srv_sampler_now(sampler) - series->begun > LONG_SECONDS;
        srv_want want = is_owed ? SRV_WANT_VISIT : SRV_WANT_SPARE;
        if ((is_late && !is_owed) || !srv_loop_due(&loop, want, last, ""))
            break;
        double before = srv_sampler_now(sampler);
        loop.code = visit(sampler->machine, plan, loop.row, loop.round, series, error);
        last = srv_sampler_now(sampler) - before;
    }
    series->visits += loop.visits;
    if (series->visits < plan->count)
        *series = (srv_line_series){0};
    return loop.code;
}
