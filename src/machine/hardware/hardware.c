/* SPDX-License-Identifier: BSD-3-Clause */
/* This node as a machine: each answer is timed by a pinned thread on memory it touched first. */
#include "machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "machine/hardware/arena.h"
#include "machine/hardware/chase.h"
#include "machine/hardware/clock.h"
#include "machine/hardware/memory.h"
#include "machine/hardware/spin.h"
#include "machine/hardware/topology.h"

/* A sample of about 20 us is ten times the cost of an interrupt but rarely meets one (timer ticks
 * come 4 ms apart at worst): the median of many is exact. With a coarse counter a sample lasts a
 * thousand of its steps, for 0.1 %. */
static const double SAMPLE_NS = 20e3, SAMPLE_STEPS = 1e3;

/* What a sweep leaves in the caches is not what a chase finds there: it goes round once before it is
 * timed, or for this long where that takes longer. Other users of a shared cache replace its content
 * in 10 to 30 ms; sets that take longer for a round lie mostly in memory. */
static const double WARM_NS = 20e6;

enum { SAMPLES_MIN = 9, SAMPLES_MAX = 1024, LOADS_MIN = 64, PILOT_LOADS = 2048 };

/* Small sets share this much memory, so that each visit can lie on other physical pages. */
static const double ARENA_MIN = 64.0 * (1 << 20);

/* Of the memory that is left, a machine that others use too keeps some. */
static const double MEMORY_SHARE = 0.8;

typedef struct hardware {
    srv_machine machine;
    srv_topology topology;
    srv_clock clock;
    srv_arena arena;
    int arena_core;  /* the core that touched the arena first */
    srv_slots slots; /* what `chase` stands in; count 0: nothing */
    srv_chase chase;
    int bound_core; /* the core the thread is bound to; -1: none yet */
    double created_ns, memory_bytes, page_bytes;
} hardware;

static hardware *self(srv_machine *machine)
{
    return (hardware *)machine;
}

static int describe(srv_machine *machine, servet_machine *description, servet_error *error)
{
    return srv_topology_describe(&self(machine)->topology, description, error);
}

static int kinds(srv_machine *machine, srv_kind list[SRV_KINDS_MAX], int *count,
                 servet_error *error)
{
    return srv_topology_kinds(&self(machine)->topology, list, count, error);
}

static int reported(srv_machine *machine, int core, srv_reported *answer, servet_error *error)
{
    return srv_topology_reported(&self(machine)->topology, core, answer, error);
}

static int clock_facts(srv_machine *machine, srv_clock_facts *facts, servet_error *error)
{
    (void)error;
    const srv_clock *clock = &self(machine)->clock;
    *facts = (srv_clock_facts){"", clock->overhead_ns, clock->resolution_ns};
    for (size_t i = 0; clock->name[i] && i + 1 < sizeof facts->name; i++)
        facts->name[i] = clock->name[i];
    return SERVET_OK;
}

static int memory(srv_machine *machine, double *bytes, servet_error *error)
{
    (void)error;
    *bytes = self(machine)->memory_bytes;
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return (srv_clock_raw_ns() - self(machine)->created_ns) * 1e-9;
}

/* Binds to a core and, when it is a new one, waits until it runs at its full frequency. */
static int settle_on(hardware *hw, int core, servet_error *error)
{
    if (hw->bound_core == core)
        return SERVET_OK;
    int code = srv_topology_bind(&hw->topology, core, error);
    if (code == SERVET_OK) {
        hw->bound_core = core;
        srv_spin_warm(&hw->clock);
    }
    return code;
}

static int noise(srv_machine *machine, int core, double seconds, srv_noise *answer,
                 servet_error *error)
{
    int code = settle_on(self(machine), core, error);
    if (code == SERVET_OK)
        srv_spin_noise(&self(machine)->clock, core, seconds, answer);
    return code;
}

/* --- traversals --------------------------------------------------------------------------------- */

/* Memory for `bytes`, of the right policy, first touched by the thread on this core. */
static int reserve(hardware *hw, double bytes, const srv_traversal *traversal, servet_error *error)
{
    srv_arena *arena = &hw->arena;
    double page = hw->page_bytes, wanted = fmax(bytes, fmin(ARENA_MIN, hw->memory_bytes));
    if (bytes > hw->memory_bytes)
        return srv_fail(error, SERVET_EMEMORY, "%.0f MiB are more than this job may use (%.0f MiB)",
                        bytes / (1 << 20), hw->memory_bytes / (1 << 20));
    if (arena->pages != traversal->pages || hw->arena_core != traversal->core ||
        (double)arena->room < wanted) {
        srv_arena_finish(arena);
        hw->slots.count = 0;
    }
    double room = fmin(hw->memory_bytes, fmax(wanted, traversal->largest_bytes + page));
    int code = SERVET_OK;
    if (!arena->base)
        code = srv_arena_init(arena, (size_t)room, traversal->pages, error);
    hw->arena_core = traversal->core;
    return code == SERVET_OK ? srv_arena_grow(arena, (size_t)wanted, error) : code;
}

/* The slots of the working set, at a place within the arena that depends on the seed. */
static srv_slots place(const hardware *hw, const srv_traversal *traversal)
{
    size_t page = (size_t)hw->page_bytes, line = (size_t)traversal->line_bytes;
    size_t span = ((size_t)traversal->bytes + page - 1) / page * page;
    size_t places = (hw->arena.bytes - span) / page + 1;
    srv_slots slots = {.base = hw->arena.base + traversal->seed % places * page, .line = line};
    bool by_page = traversal->pattern == SRV_PATTERN_PAGES;
    slots.stride = by_page ? page : line;
    slots.lines = by_page ? page / line : 1;
    slots.count = (size_t)traversal->bytes / slots.stride;
    slots.count = slots.count > 0 ? slots.count : 1;
    return slots;
}

/* Large cycles are dear to build: a series of growing sizes extends the one that stands. */
static bool can_grow(const hardware *hw, const srv_slots *slots, int chains)
{
    const srv_slots *old = &hw->slots;
    return chains == 1 && (double)(slots->count * slots->stride) >= ARENA_MIN &&
           old->count > 0 && old->count <= slots->count && old->base == slots->base &&
           old->stride == slots->stride && old->line == slots->line && old->lines == slots->lines;
}

static void build(hardware *hw, const srv_traversal *traversal)
{
    srv_slots slots = place(hw, traversal);
    if (can_grow(hw, &slots, traversal->chains))
        srv_chase_grow(&hw->chase, &slots, traversal->seed);
    else
        srv_chase_build(&hw->chase, &slots, traversal->seed);
    hw->slots = slots;
    srv_chase_sweep(&slots);
}

typedef struct walker {
    const srv_clock *clock;
    srv_chase_kernel *kernel; /* NULL: the delayed one */
    int chains, delay;
    void *cursor[SRV_CHAINS_MAX];
} walker;

/* Walks `loads` loads on every chain; ns per load, overhead subtracted. */
static double step(walker *walk, size_t loads)
{
    uint64_t start = walk->clock->ticks();
    if (walk->delay > 0)
        srv_chase_delayed(walk->cursor, loads, walk->delay);
    else
        walk->kernel(walk->cursor, loads);
    double ns = (double)(walk->clock->ticks() - start) * walk->clock->ns_per_tick;
    return fmax(0, ns - walk->clock->overhead_ns) / (double)loads / walk->chains;
}

static size_t round_loads(double loads)
{
    size_t whole = (size_t)fmax(loads, LOADS_MIN);
    return (whole + SRV_CHASE_UNROLL - 1) / SRV_CHASE_UNROLL * SRV_CHASE_UNROLL;
}

static void warm_up(walker *walk, size_t count, double ns_per_load)
{
    double loads = fmin((double)count, WARM_NS / fmax(ns_per_load, 0.1)) / walk->chains;
    step(walk, round_loads(loads));
}

static size_t sample(walker *walk, double ns, double samples[SAMPLES_MAX], size_t count)
{
    double pilot = step(walk, round_loads(PILOT_LOADS));
    warm_up(walk, count, pilot);
    pilot = step(walk, round_loads(PILOT_LOADS));
    double sample_ns = fmax(SAMPLE_NS, SAMPLE_STEPS * walk->clock->resolution_ns);
    size_t loads = round_loads(sample_ns / fmax(pilot, 0.1) / walk->chains);
    double end = srv_clock_raw_ns() + ns;
    size_t n = 0;
    while (n < SAMPLES_MIN || (n < SAMPLES_MAX && srv_clock_raw_ns() < end))
        samples[n++] = step(walk, loads);
    return n;
}

static int check(const srv_traversal *traversal, servet_error *error)
{
    if (traversal->bytes < 1 || traversal->line_bytes < (double)sizeof(void *) ||
        !srv_chase_kernel_for(traversal->chains) || (traversal->delay > 0 && traversal->chains > 1))
        return srv_fail(error, SERVET_EARGUMENT, "this machine has no such traversal");
    return SERVET_OK;
}

static int traverse(srv_machine *machine, const srv_traversal *traversal, srv_timing *timing,
                    servet_error *error)
{
    hardware *hw = self(machine);
    int code = check(traversal, error);
    if (code == SERVET_OK)
        code = settle_on(hw, traversal->core, error);
    if (code == SERVET_OK)
        code = reserve(hw, traversal->bytes + hw->page_bytes, traversal, error);
    if (code != SERVET_OK)
        return code;
    build(hw, traversal);
    walker walk = {.clock = &hw->clock,
                 .kernel = srv_chase_kernel_for(traversal->chains),
                 .chains = traversal->chains,
                 .delay = traversal->delay};
    for (int i = 0; i < traversal->chains; i++)
        walk.cursor[i] = hw->chase.start[i * SRV_CHASE_STARTS / traversal->chains];
    double samples[SAMPLES_MAX];
    size_t n = sample(&walk, traversal->seconds * 1e9, samples, hw->slots.count);
    *timing = (srv_timing){srv_spread_of(samples, n), hw->arena.huge_share,
                           srv_spin_frequency(&hw->clock)};
    return SERVET_OK;
}

/* --- life --------------------------------------------------------------------------------------- */

static void destroy(srv_machine *machine)
{
    srv_arena_finish(&self(machine)->arena);
    srv_topology_finish(&self(machine)->topology);
    free(machine);
}

int srv_hardware_create(srv_machine **machine, servet_error *error)
{
    static const srv_machine_ops ops = {
        .describe = describe,
        .kinds = kinds,
        .reported = reported,
        .clock = clock_facts,
        .memory = memory,
        .noise = noise,
        .traverse = traverse,
        .elapsed = elapsed,
        .destroy = destroy,
    };
    hardware *hw = calloc(1, sizeof *hw);
    if (!hw)
        return srv_fail_memory(error);
    hw->machine.ops = &ops;
    hw->bound_core = -1;
    hw->created_ns = srv_clock_raw_ns();
    int code = srv_topology_init(&hw->topology, error);
    if (code != SERVET_OK) {
        destroy(&hw->machine);
        return code;
    }
    hw->page_bytes = (double)sysconf(_SC_PAGESIZE);
    hw->memory_bytes = fmin(MEMORY_SHARE * srv_memory_available(), (double)(SIZE_MAX / 4));
    srv_clock_init(&hw->clock);
    *machine = &hw->machine;
    return SERVET_OK;
}
