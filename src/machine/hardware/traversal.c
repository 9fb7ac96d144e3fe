/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/traversal.h"

#include <math.h>

#include "core/error.h"
#include "machine/hardware/chase.h"
#include "machine/hardware/nodes.h"
#include "machine/hardware/spin.h"
#include "machine/samples.h"

/* With a coarse counter a sample lasts a thousand of its steps, for 0.1 %. */
static const double SAMPLE_STEPS = 1e3;

/* A sweep leaves other lines in the caches than a chase: the chase runs once around before it is
 * timed, or for this long if that takes longer. Other users of a shared cache replace its content
 * in 10 to 30 ms; sets that take longer for a round are mostly in memory. */
static const double WARM_NS = 20e6;

enum { LOADS_MIN = 64, PILOT_LOADS = 2048 };

/* --- building --------------------------------------------------------------------------------- */

static int take_arena(srv_hardware_traversal *run, double room, const srv_traversal *traversal,
                      servet_error *error)
{
    const srv_arena_request request = {.core = traversal->core,
                                       .node = traversal->node,
                                       .pages = traversal->pages,
                                       .room = (size_t)room,
                                       .most = run->memory_bytes};
    run->core = traversal->core;
    run->node = traversal->node;
    return srv_arena_pool_take(run->pool, &request, &run->arena, error);
}

/* Memory for `bytes`, of the right policy, first touched by a thread near it. */
static int reserve(srv_hardware_traversal *run, double bytes, const srv_traversal *traversal,
                   servet_error *error)
{
    double wanted = fmax(bytes, fmin(SRV_ARENA_BYTES, run->memory_bytes));
    if (bytes > run->memory_bytes)
        return srv_fail(error, SERVET_EMEMORY, "%.0f MiB are more than this job may use (%.0f MiB)",
                        bytes / (1 << 20), run->memory_bytes / (1 << 20));
    if (run->arena && (run->arena->pages != traversal->pages || run->core != traversal->core ||
                       run->node != traversal->node || (double)run->arena->room < wanted))
        srv_hardware_traversal_finish(run);
    double series = traversal->largest_bytes + run->page_bytes;
    double room = fmin(run->memory_bytes, fmax(wanted, series));
    int code = run->arena ? SERVET_OK : take_arena(run, room, traversal, error);
    if (code != SERVET_OK)
        return code;
    run->bytes = (size_t)wanted;
    code = srv_arena_grow(run->arena, run->bytes, error);
    if (code == SERVET_OK)
        code = srv_nodes_check(run->pool->topology, traversal->node, run->arena->base, run->bytes,
                               error);
    return code;
}

static size_t stride_of(const srv_hardware_traversal *run, const srv_traversal *traversal)
{
    switch (traversal->pattern) {
    case SRV_PATTERN_PAGES:
        return (size_t)run->page_bytes;
    case SRV_PATTERN_STRIDE:
    case SRV_PATTERN_PAIRS:
    case SRV_PATTERN_SETS:
    case SRV_PATTERN_SPREAD:
        return (size_t)traversal->stride;
    default:
        return (size_t)traversal->line_bytes;
    }
}

/* Lines at random multiples of the stride, all at the same offset, which depends on the seed. */
static srv_slots place_sets(const srv_hardware_traversal *run, const srv_traversal *traversal)
{
    size_t stride = (size_t)traversal->stride, line = (size_t)traversal->line_bytes;
    size_t lines = stride > line ? stride / line : 1;
    return (srv_slots){.base = run->arena->base + traversal->seed % lines * line,
                       .count = (size_t)fmax(1, traversal->bytes / traversal->stride),
                       .stride = stride,
                       .line = line,
                       .lines = 1,
                       .places = run->bytes / stride -
                                 2, /* offset and `apart` are less than a stride each */
                       .apart = (size_t)traversal->apart,
                       .phases = (size_t)traversal->phases};
}

/* A line at every place, from any window of the arena on. */
static srv_slots place_spread(const srv_hardware_traversal *run, const srv_traversal *traversal)
{
    size_t stride = (size_t)traversal->stride,
           count = (size_t)fmax(1, traversal->bytes / traversal->stride);
    size_t window = (size_t)srv_traversal_window(traversal, run->page_bytes);
    size_t windows = (run->bytes - count * stride) / window;
    return (srv_slots){.base = run->arena->base + traversal->seed % (windows + 1) * window,
                       .count = count,
                       .stride = stride,
                       .line = (size_t)traversal->line_bytes,
                       .lines = 1,
                       .places = count,
                       .apart = (size_t)traversal->apart,
                       .phases = (size_t)traversal->phases};
}

/* The slots of the working set, at a place within the arena that depends on the seed. */
static srv_slots place(const srv_hardware_traversal *run, const srv_traversal *traversal)
{
    if (traversal->pattern == SRV_PATTERN_SETS)
        return place_sets(run, traversal);
    if (traversal->pattern == SRV_PATTERN_SPREAD)
        return place_spread(run, traversal);
    size_t page = (size_t)run->page_bytes, line = (size_t)traversal->line_bytes;
    size_t bytes = (size_t)traversal->bytes, span = (bytes + page - 1) / page * page;
    size_t places = (run->bytes - span) / page + 1;
    bool by_page = traversal->pattern == SRV_PATTERN_PAGES;
    srv_slots slots = {.base = run->arena->base + traversal->seed % places * page,
                       .stride = stride_of(run, traversal),
                       .line = line,
                       .lines = by_page ? page / line : 1};
    slots.pairs = traversal->pattern == SRV_PATTERN_PAIRS;
    size_t least = slots.pairs ? 2 : 1, count = bytes / slots.stride / least * least;
    slots.count = count > 0 ? count : least;
    return slots;
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
    srv_slots slots = place(run, traversal);
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
    double pilot = take_step(run, round_loads(PILOT_LOADS));
    size_t once = round_loads((double)run->slots.count / run->chains);
    size_t affordable = loads_in(run, WARM_NS, pilot);
    take_step(run, once < affordable ? once : affordable);
    return take_step(run, round_loads(PILOT_LOADS));
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
