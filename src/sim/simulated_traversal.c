/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/simulated_traversal.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/samples.h"
#include "sim/system.h"
#include "sim/thinning.h"

/* Times of nearly all cores: a multiplication takes 3 cycles, and one load is issued in each cycle.
 */
static const double MULTIPLY_CYCLES = 3, ISSUE_CYCLES = 1;

/* The addresses of this many loads are stored (8 MiB); larger sets are rarely traversed twice
 * (simulated_run.c). */
enum { LISTED_MAX = 1 << 20 };

/* --- rounds that repeat ----------------------------------------------------------------------- */

static void finish_round(srv_round *round)
{
    free(round->load);
    *round = (srv_round){0};
}

/* Lines reach their places in the last cache within about as many rounds as there are caches; trees
 * of ages may never repeat. */
enum { TRIES = 8 };

/* Looks for repetition from now on: a round has `loads` loads of the `count` addresses. Without
 * memory nothing changes. */
static void watch_round(srv_round *round, const srv_hierarchy *hierarchy, int pu,
                        const uint64_t *address, size_t count, size_t loads)
{
    finish_round(round);
    round->load = calloc(loads, sizeof *round->load);
    if (!round->load)
        return;
    round->address = address;
    round->count = count;
    round->loads = loads;
    round->tries = TRIES;
    round->prefetches = srv_hierarchy_prefetches(hierarchy, pu);
}

/* True if the last round used only caches that nothing else changes. Prefetchers are not followed:
 * the lines that they fetch lie elsewhere, and they heed the clock. */
static bool depends_on_loads(const srv_round *round, const srv_hierarchy *hierarchy, int pu)
{
    int deepest = 0;
    for (size_t i = 0; i < round->loads; i++)
        deepest = round->load[i].depth > deepest ? round->load[i].depth : deepest;
    return srv_hierarchy_is_calm(hierarchy, pu, deepest) &&
           srv_hierarchy_prefetches(hierarchy, pu) == round->prefetches;
}

/* The lines of a round touch no other sets than those that are compared: a line that comes into
 * others has left one of these, and its place there is not as it was. */
static bool leaves_the_same(srv_round *round, const srv_hierarchy *hierarchy, int pu)
{
    uint64_t before = round->contents;
    bool compares = round->compares;
    round->contents = srv_hierarchy_contents(hierarchy, pu, round->address, round->count);
    round->compares = true;
    return compares && round->contents == before;
}

/* Contents are compared only after two rounds that found the same. */
static void end(srv_round *round, const srv_hierarchy *hierarchy, int pu)
{
    bool likely = !round->differs && depends_on_loads(round, hierarchy, pu);
    round->differs = false;
    round->prefetches = srv_hierarchy_prefetches(hierarchy, pu);
    if (likely)
        round->repeats = leaves_the_same(round, hierarchy, pu);
    else
        round->compares = false;
    if (!round->repeats && --round->tries == 0)
        finish_round(round);
}

static bool same(srv_load_result a, srv_load_result b)
{
    return a.depth == b.depth && a.translation_ns == b.translation_ns;
}

/* srv_hierarchy_load() for the next load of the round. */
static double load_in_round(srv_round *round, srv_hierarchy *hierarchy, int pu, uint64_t address,
                            double now_ns)
{
    if (!round->load)
        return srv_hierarchy_load(hierarchy, pu, address, now_ns);
    srv_load_result *load = &round->load[round->at];
    if (++round->at == round->loads)
        round->at = 0;
    if (round->repeats)
        return srv_hierarchy_again(hierarchy, pu, load, now_ns);
    double ns = srv_hierarchy_load(hierarchy, pu, address, now_ns);
    srv_load_result result = srv_hierarchy_last(hierarchy, pu);
    round->differs = round->differs || !same(result, *load);
    *load = result;
    if (round->at == 0)
        end(round, hierarchy, pu);
    return ns;
}

/* --- a traversal ------------------------------------------------------------------------------ */

static uint64_t address_of(const srv_simulated_traversal *simulated, size_t slot)
{
    if (simulated->places > 0)
        return simulated->base + srv_order_at(&simulated->order, slot) * simulated->stride +
               slot % simulated->phases * simulated->apart;
    if (simulated->thin > 1)
        return simulated->base +
               srv_thinned_address(slot, simulated->stride, simulated->thin, simulated->period);
    return simulated->base + slot * simulated->stride +
           srv_order_line(slot, simulated->lines) * simulated->line;
}

static size_t stride_of(const srv_traversal *traversal, double page_bytes)
{
    const double strides[] = {
        [SRV_PATTERN_LINES] = traversal->line_bytes,  [SRV_PATTERN_PAGES] = page_bytes,
        [SRV_PATTERN_STRIDE] = traversal->stride,     [SRV_PATTERN_PAIRS] = traversal->stride,
        [SRV_PATTERN_SETS] = traversal->stride,       [SRV_PATTERN_SPREAD] = traversal->stride,
        [SRV_PATTERN_RANDOM] = traversal->line_bytes,
    };
    return (size_t)strides[traversal->pattern];
}

/* Lines at random places of the arena, all at the same offset within the stride. */
static void lay_out_sets(srv_simulated_traversal *simulated, const srv_traversal *traversal)
{
    size_t offsets = simulated->stride > simulated->line ? simulated->stride / simulated->line : 1;
    double arena = fmax(SRV_ARENA_BYTES, traversal->bytes + 2 * traversal->stride);
    simulated->base = traversal->seed % offsets * simulated->line;
    simulated->places = (size_t)(arena / traversal->stride) - 2;
}

/* One line at each place, from a random window of the arena on. */
static void lay_out_spread(srv_simulated_traversal *simulated, const srv_traversal *traversal,
                           double page_bytes)
{
    double window = srv_traversal_window(traversal, page_bytes);
    double windows = fmax(0, SRV_ARENA_BYTES - traversal->bytes) / window;
    simulated->base = traversal->seed % ((uint64_t)windows + 1) * (uint64_t)window;
    simulated->places = simulated->count;
}

static void lay_out(srv_simulated_traversal *simulated, const srv_traversal *traversal,
                    double page_bytes)
{
    uint64_t page = (uint64_t)page_bytes;
    double free_bytes = fmax(0, SRV_ARENA_BYTES - traversal->bytes);
    simulated->base = traversal->seed % ((uint64_t)free_bytes / page + 1) * page;
    simulated->stride = stride_of(traversal, page_bytes);
    simulated->line = (size_t)traversal->line_bytes;
    simulated->lines = traversal->pattern == SRV_PATTERN_PAGES ? page / simulated->line : 1;
    simulated->ascending = traversal->pattern == SRV_PATTERN_STRIDE;
    simulated->pairs = traversal->pattern == SRV_PATTERN_PAIRS;
    simulated->random = traversal->pattern == SRV_PATTERN_RANDOM;
    simulated->state = srv_mix(traversal->seed);
    size_t together = simulated->pairs ? 2 : 1;
    double runs = floor(traversal->bytes / (double)(simulated->stride * together));
    simulated->count = (size_t)fmax(1, runs) * together / simulated->thin;
    simulated->apart = (size_t)traversal->apart;
    simulated->phases = (size_t)traversal->phases;
    if (traversal->pattern == SRV_PATTERN_SETS)
        lay_out_sets(simulated, traversal);
    if (traversal->pattern == SRV_PATTERN_SPREAD)
        lay_out_spread(simulated, traversal, page_bytes);
    simulated->order = srv_order_of(
        simulated->places > 0 ? simulated->places : simulated->count / together, traversal->seed);
    simulated->chains = traversal->chains;
    for (int i = 0; i < simulated->chains; i++)
        simulated->at[i] = simulated->count * (size_t)i / (size_t)simulated->chains;
}

static size_t visited(const srv_simulated_traversal *simulated, size_t index)
{
    if (simulated->places > 0)
        return index;
    return simulated->pairs ? srv_order_pairs_at(&simulated->order, index)
                            : srv_order_at(&simulated->order, index);
}

/* A set of this many slots is traversed several times; computing a step of the order takes as
 * long as a load that hits. */
static int list_loads(srv_simulated_traversal *simulated, servet_error *error)
{
    if (simulated->ascending || simulated->random || simulated->count > LISTED_MAX)
        return SERVET_OK;
    simulated->loads = malloc(simulated->count * sizeof *simulated->loads);
    if (!simulated->loads)
        return srv_fail_memory(error);
    for (size_t i = 0; i < simulated->count; i++)
        simulated->loads[i] = address_of(simulated, visited(simulated, i));
    return SERVET_OK;
}

/* Time of a load that hits the nearest cache. */
static double first_hit_ns(const srv_model *model, int pu)
{
    for (int i = 0; i < model->cache_count; i++)
        if (model->cache[i].level == 1 && srv_system_covers(model, &model->cache[i], pu))
            return model->cache[i].latency_cycles / srv_system_ghz(model, pu);
    return 0;
}

/* Bytes that may be loaded, from the first slot on. */
static double span_of(const srv_simulated_traversal *simulated, const srv_traversal *traversal)
{
    if (simulated->places > 0)
        return (double)((simulated->places + 2) * simulated->stride);
    return fmax(traversal->bytes, (double)(simulated->count * simulated->stride));
}

/* Pages and strides are visited to see which lines or translations evict each other. */
static bool can_thin(const srv_traversal *traversal)
{
    return traversal->pattern == SRV_PATTERN_LINES || traversal->pattern == SRV_PATTERN_RANDOM;
}

size_t srv_simulated_traversal_thin(const srv_model *model, const srv_traversal *traversals,
                                    int count)
{
    double lines = INFINITY, line = 0;
    for (int i = 0; i < count; i++) {
        if (!can_thin(&traversals[i]) || (i > 0 && traversals[i].line_bytes != line))
            return 1;
        line = traversals[i].line_bytes;
        lines = fmin(lines, traversals[i].bytes / line);
    }
    return srv_thinning(model, lines, line);
}

int srv_simulated_traversal_start(srv_simulated_traversal *simulated, srv_hierarchy *hierarchy,
                                  const srv_model *model, int pu, const srv_traversal *traversal,
                                  size_t thin, servet_error *error)
{
    double ghz = srv_system_ghz(model, pu);
    *simulated = (srv_simulated_traversal){
        .hierarchy = hierarchy,
        .pu = pu,
        .thin = thin,
        .period = srv_thinning_period(model),
        .issue_ns = ISSUE_CYCLES / ghz,
        .hit_ns = first_hit_ns(model, pu),
        .sibling = srv_hierarchy_sibling(hierarchy, pu),
        .slowdown = 1,
        .buffers = model->misses_in_flight > 0 ? model->misses_in_flight : SRV_OVERLAP,
        .issued_ns = -INFINITY,
        .delay_ns = traversal->delay * MULTIPLY_CYCLES / ghz};
    lay_out(simulated, traversal, model->machine.page_bytes);
    srv_address_range range = {.pu = pu,
                               .first = simulated->base,
                               .bytes = span_of(simulated, traversal),
                               .huge = traversal->pages == SERVET_PAGES_HUGE,
                               .node = traversal->node,
                               .thin = thin};
    int code = srv_hierarchy_enter(hierarchy, &range, error);
    return code == SERVET_OK ? list_loads(simulated, error) : code;
}

void srv_simulated_traversal_finish(srv_simulated_traversal *simulated)
{
    finish_round(&simulated->round);
    free(simulated->loads);
    simulated->loads = NULL;
}

static uint64_t next_address(srv_simulated_traversal *simulated, int chain)
{
    if (simulated->random) {
        simulated->state = srv_load_next(simulated->state);
        return address_of(simulated, srv_load_slot(simulated->state, simulated->count));
    }
    size_t at = simulated->at[chain];
    simulated->at[chain] = at + 1 < simulated->count ? at + 1 : 0;
    if (simulated->loads)
        return simulated->loads[at];
    return address_of(simulated, simulated->ascending ? at : visited(simulated, at));
}

/* Time at which the next load of a chain can be issued: its address is known, the previous loads
 * are issued, and, if it misses as the previous one did, one of the misses in flight is
 * complete. */
static double next_issue(const srv_simulated_traversal *simulated, int chain)
{
    double at = simulated->ready_ns[chain] > simulated->now_ns ? simulated->ready_ns[chain]
                                                               : simulated->now_ns;
    double in_order = simulated->issued_ns + simulated->issue_ns * simulated->slowdown;
    double buffer = simulated->missed[chain] ? simulated->done_ns[simulated->buffer] : 0;
    at = in_order > at ? in_order : at;
    return buffer > at ? buffer : at;
}

/* Returns the time at which the chain can continue. */
static double load_next(srv_simulated_traversal *simulated, int chain)
{
    double at = next_issue(simulated, chain);
    uint64_t address = next_address(simulated, chain);
    double ns = load_in_round(&simulated->round, simulated->hierarchy, simulated->pu, address, at);
    simulated->issued_ns = at;
    if (simulated->sibling)
        simulated->slowdown = srv_sibling_slowdown(simulated->sibling, at);
    simulated->missed[chain] = ns > simulated->hit_ns * simulated->slowdown;
    if (simulated->missed[chain]) {
        simulated->done_ns[simulated->buffer] = at + ns;
        simulated->buffer = simulated->buffer + 1 < simulated->buffers ? simulated->buffer + 1 : 0;
    }
    return at + ns + simulated->delay_ns * simulated->slowdown;
}

void srv_simulated_traversal_step(srv_simulated_traversal *simulated)
{
    double first_ready = INFINITY;
    for (int chain = 0; chain < simulated->chains; chain++) {
        double ready = load_next(simulated, chain);
        simulated->ready_ns[chain] = ready;
        first_ready = ready < first_ready ? ready : first_ready;
    }
    simulated->now_ns = first_ready;
}

void srv_simulated_traversal_watch(srv_simulated_traversal *simulated)
{
    if (simulated->loads && !simulated->round.load)
        watch_round(&simulated->round, simulated->hierarchy, simulated->pu, simulated->loads,
                    simulated->count, simulated->count * (size_t)simulated->chains);
}

void srv_simulated_traversal_sweep(srv_simulated_traversal *simulated, size_t slot)
{
    uint64_t address = address_of(simulated, slot);
    double ns =
        srv_hierarchy_bring(simulated->hierarchy, simulated->pu, address, simulated->now_ns);
    double took = ns / simulated->buffers;
    simulated->now_ns += took > simulated->issue_ns ? took : simulated->issue_ns;
}
