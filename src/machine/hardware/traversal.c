/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/traversal.h"

#include <math.h>

#include "core/error.h"
#include "machine/hardware/chase.h"
#include "machine/hardware/spin.h"
#include "machine/samples.h"

/* With a coarse counter a sample lasts a thousand of its steps, for 0.1 %. */
static const double SAMPLE_STEPS = 1e3;

/* A sweep leaves other lines in the caches than a chase: the chase runs once around before it is
 * timed, or for this long if that takes longer. Other users of a shared cache replace its content
 * in 10 to 30 ms; sets that take longer for a round are mostly in memory. */
static const double WARM_NS = 20e6;

enum { LOADS_MIN = 64 };

/* --- building --------------------------------------------------------------------------------- */

/* Memory for `bytes`, of the right policy, first touched by a thread near it. */
static int reserve(srv_hardware_traversal *run, double bytes, const srv_traversal *traversal,
                   servet_error *error)
{
    double wanted = fmax(bytes, fmin(SRV_ARENA_BYTES, run->memory_bytes));
    double series = traversal->largest_bytes + run->page_bytes;
    const srv_arena_request request = {.core = traversal->core,
                                       .node = traversal->node,
                                       .pages = traversal->pages,
                                       .room =
                                           (size_t)fmin(run->memory_bytes, fmax(wanted, series)),
                                       .most = run->memory_bytes};
    bool fits = bytes <= run->memory_bytes;
    if (fits && run->arena &&
        (run->arena->pages != traversal->pages || run->core != traversal->core ||
         run->node != traversal->node || (double)run->arena->room < wanted))
        srv_hardware_traversal_finish(run);
    if (fits) {
        run->core = traversal->core;
        run->node = traversal->node;
        run->bytes = (size_t)wanted;
    }
    return srv_arena_pool_fill(run->pool, &request, wanted, &run->arena, error);
}

/* Large cycles are expensive to build: a series of growing sizes extends the existing one. */
static bool can_grow(const srv_hardware_traversal *run, const srv_slots *slots,
                     const srv_traversal *traversal)
{
    const srv_slots *old = &run->slots;
    return traversal->chains == 1 && !slots->pairs && !slots->places &&
           (double)(slots->count * slots->stride) >= SRV_ARENA_BYTES &&
           run->pattern == traversal->pattern && old->count > 0 && old->count <= slots->count &&
           old->base == slots->base && old->stride == slots->stride && old->line == slots->line &&
           old->lines == slots->lines;
}

/* True if exactly this cycle exists already, with all its starts: only the number of chains
 * differs. */
static bool stands(const srv_hardware_traversal *run, const srv_slots *slots,
                   const srv_traversal *traversal)
{
    const srv_slots *old = &run->slots;
    return run->whole && run->pattern == traversal->pattern && run->seed == traversal->seed &&
           old->apart == slots->apart && old->phases == slots->phases &&
           old->count == slots->count && old->base == slots->base && old->stride == slots->stride &&
           old->line == slots->line && old->lines == slots->lines;
}

static void build_cycle(srv_hardware_traversal *run, const srv_slots *slots,
                        const srv_traversal *traversal)
{
    bool found = stands(run, slots, traversal), grows = can_grow(run, slots, traversal);
    if (!found && grows)
        srv_chase_grow(&run->chase, slots, traversal->seed);
    else if (!found)
        srv_chase_build(&run->chase, slots, traversal->seed);
    if (!found && !slots->places)
        srv_chase_sweep(slots);
    run->whole = found || !grows;
    run->seed = traversal->seed;
    for (int i = 0; i < traversal->chains; i++)
        run->cursor[i] = run->chase.start[i * SRV_CHASE_STARTS / traversal->chains];
    run->kernel = srv_chase_kernel_for(traversal->chains);
}

static void build_stride(srv_hardware_traversal *run, const srv_slots *slots)
{
    srv_stride_build(slots);
    srv_chase_sweep(slots);
    run->whole = false;
    run->cursor[0] = slots->base;
    run->cursor[1] = NULL;
    run->kernel = srv_stride_kernel;
}

void srv_hardware_traversal_init(srv_hardware_traversal *run, srv_arena_pool *pool,
                                 const srv_clock *clock, double memory_bytes, double page_bytes)
{
    *run = (srv_hardware_traversal){
        .pool = pool, .clock = clock, .memory_bytes = memory_bytes, .page_bytes = page_bytes};
}

int srv_hardware_traversal_prepare(srv_hardware_traversal *run, const srv_traversal *traversal,
                                   servet_error *error)
{
    double beyond =
        run->page_bytes + (traversal->pattern == SRV_PATTERN_SETS ? 2 * traversal->stride : 0);
    int code = reserve(run, traversal->bytes + beyond, traversal, error);
    if (code != SERVET_OK)
        return code;
    size_t first;
    srv_slots slots = srv_slots_of(traversal, run->page_bytes, (double)run->bytes, &first);
    slots.base = run->arena->base + first;
    if (traversal->pattern == SRV_PATTERN_STRIDE)
        build_stride(run, &slots);
    else if (traversal->pattern == SRV_PATTERN_RANDOM) {
        srv_random_loads_begin(&run->random, &slots, traversal->seed);
        run->whole = false;
        run->kernel = NULL;
    } else
        build_cycle(run, &slots, traversal);
    run->slots = slots;
    run->pattern = traversal->pattern;
    run->chains = traversal->chains;
    run->delay = traversal->delay;
    return SERVET_OK;
}

/* --- timing ----------------------------------------------------------------------------------- */

/* Does `loads` loads on every chain; ns per load, overhead subtracted. */
static double take_step(srv_hardware_traversal *run, size_t loads)
{
    uint64_t start = run->clock->ticks();
    if (run->pattern == SRV_PATTERN_RANDOM)
        srv_random_loads_run(&run->random, loads);
    else if (run->delay > 0)
        srv_chase_delayed(run->cursor, loads, run->delay);
    else
        run->kernel(run->cursor, loads);
    double ns = (double)(run->clock->ticks() - start) * run->clock->ns_per_tick;
    return fmax(0, ns - run->clock->overhead_ns) / (double)loads / run->chains;
}

static size_t round_loads(double loads)
{
    size_t whole = (size_t)fmax(loads, LOADS_MIN);
    return (whole + SRV_CHASE_UNROLL - 1) / SRV_CHASE_UNROLL * SRV_CHASE_UNROLL;
}

static size_t loads_in(const srv_hardware_traversal *run, double ns, double ns_per_load)
{
    return round_loads(ns / fmax(ns_per_load, 0.1) / run->chains);
}

double srv_hardware_traversal_warm(srv_hardware_traversal *run)
{
    double pilot = take_step(run, round_loads(SRV_PILOT_LOADS));
    size_t once = round_loads((double)run->slots.count / run->chains);
    size_t affordable = loads_in(run, WARM_NS, pilot);
    take_step(run, once < affordable ? once : affordable);
    return take_step(run, round_loads(SRV_PILOT_LOADS));
}

static size_t loads_of_sample(const srv_hardware_traversal *run, double ns_per_load)
{
    return loads_in(run, fmax(SRV_SAMPLE_NS, SAMPLE_STEPS * run->clock->resolution_ns),
                    ns_per_load);
}

double srv_hardware_traversal_step(srv_hardware_traversal *run, double ns_per_load)
{
    return take_step(run, loads_of_sample(run, ns_per_load));
}

srv_timing srv_hardware_traversal_timing(const srv_hardware_traversal *run, double ns_per_load,
                                         double *samples, size_t n)
{
    double loads = (double)loads_of_sample(run, ns_per_load) * run->chains;
    double round =
        run->pattern == SRV_PATTERN_RANDOM ? 1 : fmax(1, (double)run->slots.count / loads);
    srv_timing timing = {.mean = srv_round_mean(samples, n, round),
                         .spread = srv_spread_of(samples, n),
                         .huge_share = run->arena->huge_share,
                         .ghz = NAN,
                         .busy = NAN};
    timing.error = srv_median_error(&timing.spread, run->clock->resolution_ns / loads);
    return timing;
}

void srv_hardware_traversal_sample(srv_hardware_traversal *run, double seconds, double ns_per_load,
                                   srv_timing *timing)
{
    double samples[SRV_SAMPLES_MAX];
    size_t n = 0;
    double before = run->pace ? srv_spin_additions(run->clock) : NAN;
    double end = srv_clock_raw_ns() + seconds * 1e9;
    while (n < SRV_SAMPLES_MIN || (n < SRV_SAMPLES_MAX && srv_clock_raw_ns() < end))
        samples[n++] = srv_hardware_traversal_step(run, ns_per_load);
    double after = run->pace ? srv_spin_additions(run->clock) : NAN;
    double ghz = srv_spin_frequency(run->clock);
    *timing = srv_hardware_traversal_timing(run, ns_per_load, samples, n);
    timing->ghz = ghz;
    timing->busy = run->pace ? srv_spin_busy(run->pace, fmax(before, after), ghz) : NAN;
}

void srv_hardware_traversal_finish(srv_hardware_traversal *run)
{
    srv_arena_pool_give(run->pool, &run->arena);
    run->slots.count = 0;
}
