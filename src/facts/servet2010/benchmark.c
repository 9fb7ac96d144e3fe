/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/servet2010/benchmark.h"

#include <stdio.h>

#include "sample/visit.h"
#include "stats/grid2010.h"

/* "Big enough to avoid influences of the hardware prefetcher": beyond 512 bytes and any line. */
static const double STRIDE = 1024;

static srv_traversal traversal_on(int core)
{
    return (srv_traversal){.core = core,
                           .pattern = SRV_PATTERN_STRIDE,
                           .line_bytes = STRIDE,
                           .stride = STRIDE,
                           .chains = 1,
                           .pages = SERVET_PAGES_BASE};
}

srv_curve_plan srv_2010_curve_plan(int core, double min_bytes, double max_bytes)
{
    return (srv_curve_plan){.traversal = traversal_on(core),
                            .min_bytes = min_bytes,
                            .max_bytes = max_bytes,
                            .granule = STRIDE,
                            .next = srv_grid2010_next,
                            .rounds = 3,
                            .typical = true};
}

void srv_2010_to_cycles(srv_series *series)
{
    servet_curve *curve = &series->curve;
    for (size_t i = 0; i < curve->n; i++) {
        double hertz = series->ghz[i] * 1e9;
        curve->latency[i] *= hertz;
        curve->low[i] *= hertz;
        curve->high[i] *= hertz;
    }
    curve->unit = SERVET_UNIT_CYCLE;
}

/* Two such arrays do not fit in the cache, one does. */
static const double SHARE = 2.0 / 3;

/* A pair that is slower than this together is measured again: the median of three visits is neither
 * one disturbance nor one unlucky set of pages. Far below any threshold, far above noise. */
static const double SUSPECT = 1.2;

enum { VISITS = 3 };

typedef struct pair_bench {
    const srv_2010_sharing_plan *plan;
    double alone[SRV_CORE_TYPES_MAX]; /* ns per load of one core of each core type; 0: not measured
                                         yet */
    servet_error *error;
} pair_bench;

/* One visit: mean ns per load of the cores, or how much longer than alone. */
static int visit(const pair_bench *bench, const srv_2010_core *const *cores, int count,
                 bool relative, int number, double *mean)
{
    srv_traversal traversals[2];
    srv_timing timings[2];
    for (int i = 0; i < count; i++) {
        uint64_t place = 2 * (uint64_t)number + (uint64_t)i + 1;
        traversals[i] = traversal_on(cores[i]->number);
        traversals[i].bytes = STRIDE * (double)(long)(SHARE * cores[i]->bytes / STRIDE);
        traversals[i].seed = bench->plan->seed + UINT64_C(0x9e3779b97f4a7c15) * place;
        traversals[i].seconds = SRV_VISIT_SECONDS;
    }
    srv_machine *machine = bench->plan->sampler.machine;
    int code = machine->ops->traverse(machine, traversals, count, timings, bench->error);
    *mean = 0;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        *mean += timings[i].spread.median / (relative ? bench->alone[cores[i]->kind] : 1) / count;
    return code;
}

/* The median of several visits, or the first one where that is at most `fine`. */
static int settle(const pair_bench *bench, const srv_2010_core *const *cores, int count,
                  bool relative, double fine, double *mean)
{
    double visits[VISITS];
    int n = 0, code;
    do
        code = visit(bench, cores, count, relative, n, &visits[n]);
    while (code == SERVET_OK && visits[0] > fine && ++n < VISITS);
    if (code != SERVET_OK)
        return code;
    *mean = n < VISITS ? visits[0] : srv_spread_of(visits, VISITS).median;
    return SERVET_OK;
}

/* The first core of each kind alone: what pairs are compared with. */
static int measure_alone(pair_bench *bench)
{
    const srv_2010_sharing_plan *plan = bench->plan;
    int code = SERVET_OK;
    for (int i = 0;
         i < plan->core_count && code == SERVET_OK && srv_sampler_fits(&plan->sampler, 0); i++) {
        const srv_2010_core *core = &plan->cores[i];
        if (bench->alone[core->kind] == 0)
            code = settle(bench, &core, 1, false, 0, &bench->alone[core->kind]);
    }
    return code;
}

int srv_bench_2010_sharing(const srv_2010_sharing_plan *plan, srv_pair *pairs, size_t *measured,
                           servet_error *error)
{
    pair_bench bench = {.plan = plan, .error = error};
    char what[64];
    int n = 0;
    for (int a = 0; a < plan->core_count; a++)
        for (int b = a + 1; b < plan->core_count; b++)
            pairs[n++] = (srv_pair){a, b, 0};
    srv_loop loop = srv_loop_of(&plan->sampler, n, 1, error);
    loop.code = measure_alone(&bench);
    while (srv_loop_next(&loop)) {
        srv_pair *pair = &pairs[loop.row];
        const srv_2010_core *cores[2] = {&plan->cores[pair->a], &plan->cores[pair->b]};
        snprintf(what, sizeof what, "cores %d and %d", cores[0]->number, cores[1]->number);
        if (!srv_loop_due(&loop, SRV_WANT_VISIT, 0, what))
            break;
        loop.code = settle(&bench, cores, 2, true, SUSPECT, &pair->value);
    }
    *measured = (size_t)loop.visits;
    return loop.code;
}
