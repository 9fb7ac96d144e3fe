/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/servet2010.h"

#include "core/error.h"
#include "stats/grid2010.h"

/* "Big enough to avoid influences of the hardware prefetcher", which in 2010 followed strides of up
 * to 512 bytes, and larger than any line. */
static const double STRIDE = 1024;

static srv_traversal walk_on(int core)
{
    return (srv_traversal){.core = core,
                           .pattern = SRV_PATTERN_STRIDE,
                           .line_bytes = STRIDE,
                           .stride = STRIDE,
                           .chains = 1,
                           .pages = SERVET_PAGES_BASE};
}

/* --- cache sizes ------------------------------------------------------------------------------ */

srv_curve_plan srv_2010_curve_plan(int core, double min_bytes, double max_bytes)
{
    return (srv_curve_plan){.traversal = walk_on(core),
                            .min_bytes = min_bytes,
                            .max_bytes = max_bytes,
                            .granule = STRIDE,
                            .next = srv_grid2010_next,
                            .rounds = 3};
}

void srv_2010_to_cycles(srv_series *series)
{
    servet_curve *curve = &series->curve;
    for (size_t i = 0; i < curve->n; i++) {
        curve->latency[i] *= series->ghz[i];
        curve->low[i] *= series->ghz[i];
        curve->high[i] *= series->ghz[i];
    }
    curve->unit = SERVET_UNIT_CYCLE;
}

/* --- shared caches ---------------------------------------------------------------------------- */

/* Two such arrays do not fit in the cache, one does. */
static const double SHARE = 2.0 / 3;

/* Time for the samples of one visit, as for curves. */
static const double VISIT_SECONDS = 4e-3;

/* A pair that is slower than this together is asked again: the median of three visits is neither
 * one disturbance nor one unlucky set of pages. Far below any threshold, far above noise. */
static const double SUSPECT = 1.2;

enum { VISITS = 3 };

/* One visit of `count` cores at once: their mean ns per load. */
static int visit(srv_machine *machine, const srv_2010_sharing_plan *plan, const int *cores,
                 int count, int number, double *ns, servet_error *error)
{
    srv_traversal walks[2];
    srv_timing timings[2];
    for (int i = 0; i < count; i++) {
        walks[i] = walk_on(cores[i]);
        walks[i].bytes = STRIDE * (double)(long)(SHARE * plan->bytes / STRIDE);
        walks[i].seed = plan->seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(2 * number + i + 1);
        walks[i].seconds = VISIT_SECONDS;
    }
    int code = machine->ops->traverse(machine, walks, count, timings, error);
    *ns = 0;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        *ns += timings[i].spread.median / count;
    return code;
}

/* The median of several visits, or the first one where that is at most `fine`. */
static int settle(srv_machine *machine, const srv_2010_sharing_plan *plan, const int *cores,
                  int count, double fine, double *ns, servet_error *error)
{
    double visits[VISITS];
    int n = 0, code;
    do
        code = visit(machine, plan, cores, count, n, &visits[n], error);
    while (code == SERVET_OK && visits[0] > fine && ++n < VISITS);
    if (code != SERVET_OK)
        return code;
    *ns = n < VISITS ? visits[0] : srv_spread_of(visits, VISITS).median;
    return SERVET_OK;
}

static bool is_late(srv_machine *machine, const srv_2010_sharing_plan *plan)
{
    return plan->deadline > 0 && machine->ops->elapsed(machine) > plan->deadline;
}

static int measure_pair(srv_machine *machine, const srv_2010_sharing_plan *plan, double alone,
                        srv_pair *pair, servet_error *error)
{
    const int cores[2] = {plan->cores[pair->a], plan->cores[pair->b]};
    double together;
    int code = settle(machine, plan, cores, 2, SUSPECT * alone, &together, error);
    pair->value = code == SERVET_OK ? together / alone : 0;
    return code;
}

static int watch(const srv_2010_sharing_plan *plan, const srv_pair *pair, size_t done,
                 servet_error *error)
{
    double share = (double)done / (double)srv_pair_count(plan->core_count);
    if (plan->watch &&
        plan->watch(plan->context, plan->cores[pair->a], plan->cores[pair->b], share))
        return srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
    return SERVET_OK;
}

int srv_bench_2010_sharing(srv_machine *machine, const srv_2010_sharing_plan *plan, srv_pair *pairs,
                           bool *complete, servet_error *error)
{
    double alone;
    size_t n = 0, count = srv_pair_count(plan->core_count);
    int code = settle(machine, plan, plan->cores, 1, 0, &alone, error);
    for (int a = 0; a < plan->core_count; a++)
        for (int b = a + 1; b < plan->core_count; b++)
            pairs[n++] = (srv_pair){a, b, 0};
    for (n = 0; n < count && code == SERVET_OK && !is_late(machine, plan); n++) {
        code = watch(plan, &pairs[n], n, error);
        if (code == SERVET_OK)
            code = measure_pair(machine, plan, alone, &pairs[n], error);
    }
    *complete = n == count;
    return code;
}
