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

/* --- a traversal ------------------------------------------------------------------------------ */

/* The address of slot number `slot`. */
static uint64_t address_of(const srv_simulated_traversal *simulated, size_t slot)
{
    const srv_slots *slots = &simulated->slots;
    if (slots->places > 0)
        return simulated->base + srv_slots_visited(slots, &simulated->order, slot);
    return simulated->base +
           (simulated->thin > 1
                ? srv_thinned_address(slot, slots->stride, simulated->thin, simulated->period)
                : srv_slots_at(slots, slot));
}

/* The address that is visited as number `index`. */
static uint64_t visited(const srv_simulated_traversal *simulated, size_t index)
{
    if (simulated->thin > 1)
        return address_of(simulated, srv_order_at(&simulated->order, index));
    return simulated->base + srv_slots_visited(&simulated->slots, &simulated->order, index);
}

static void lay_out(srv_simulated_traversal *simulated, const srv_traversal *traversal,
                    double page_bytes)
{
    bool sets = traversal->pattern == SRV_PATTERN_SETS;
    double least = sets ? traversal->bytes + 2 * traversal->stride : 0;
    size_t first;
    simulated->slots = srv_slots_of(traversal, page_bytes, fmax(SRV_ARENA_BYTES, least), &first);
    simulated->slots.count /= simulated->thin;
    simulated->base = first;
    simulated->ascending = traversal->pattern == SRV_PATTERN_STRIDE;
    simulated->random = traversal->pattern == SRV_PATTERN_RANDOM;
    simulated->state = srv_mix(traversal->seed);
    simulated->order = srv_slots_order(&simulated->slots, traversal->seed);
    simulated->chains = traversal->chains;
    for (int i = 0; i < simulated->chains; i++)
        simulated->at[i] = simulated->slots.count * (size_t)i / (size_t)simulated->chains;
}

/* A set of this many slots is traversed several times; computing a step of the order takes as
 * long as a load that hits. */
static int list_loads(srv_simulated_traversal *simulated, servet_error *error)
{
    if (simulated->ascending || simulated->random || simulated->slots.count > LISTED_MAX)
        return SERVET_OK;
    simulated->loads = malloc(simulated->slots.count * sizeof *simulated->loads);
    if (!simulated->loads)
        return srv_fail_memory(error);
    for (size_t i = 0; i < simulated->slots.count; i++)
        simulated->loads[i] = visited(simulated, i);
    return SERVET_OK;
}

/* Bytes that may be loaded, from the first slot on. */
static double span_of(const srv_simulated_traversal *simulated, const srv_traversal *traversal)
{
    const srv_slots *slots = &simulated->slots;
    if (slots->places > 0)
        return (double)((slots->places + 2) * slots->stride);
    return fmax(traversal->bytes, (double)(slots->count * slots->stride));
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
        .hit_ns = srv_system_hit_ns(model, pu),
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
    free(simulated->loads);
    simulated->loads = NULL;
}

static uint64_t next_address(srv_simulated_traversal *simulated, int chain)
{
    if (simulated->random) {
        simulated->state = srv_load_next(simulated->state);
        return address_of(simulated, srv_load_slot(simulated->state, simulated->slots.count));
    }
    size_t at = simulated->at[chain];
    simulated->at[chain] = at + 1 < simulated->slots.count ? at + 1 : 0;
    if (simulated->loads)
        return simulated->loads[at];
    return simulated->ascending ? address_of(simulated, at) : visited(simulated, at);
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
    double ns = srv_hierarchy_load(simulated->hierarchy, simulated->pu, address, at);
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

void srv_simulated_traversal_sweep(srv_simulated_traversal *simulated, size_t slot)
{
    uint64_t address = address_of(simulated, slot);
    double ns =
        srv_hierarchy_bring(simulated->hierarchy, simulated->pu, address, simulated->now_ns);
    double took = ns / simulated->buffers;
    simulated->now_ns += took > simulated->issue_ns ? took : simulated->issue_ns;
}
