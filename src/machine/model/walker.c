/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/model/walker.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/model/system.h"

/* What cores do everywhere, nearly: a multiplication takes 3 cycles, a load is issued in one. */
static const double MULTIPLY_CYCLES = 3, ISSUE_CYCLES = 1;

/* Working sets lie in an arena of this size, as on hardware (hardware/walk.c). */
static const double ARENA_BYTES = 64.0 * (1 << 20);

/* The order of so many slots is kept (4 MiB): larger sets are hardly gone round (course.c). */
enum { LISTED_MAX = 1 << 20 };

static uint64_t address_of(const srv_walker *walker, size_t slot)
{
    if (walker->places > 0)
        return walker->base + srv_order_at(&walker->order, slot) * walker->stride + slot % walker->phases * walker->apart;
    return walker->base + slot * walker->stride +
           srv_order_line(slot, walker->lines) * walker->line;
}

static size_t stride_of(const srv_traversal *traversal, double page_bytes)
{
    const double strides[] = {
        [SRV_PATTERN_LINES] = traversal->line_bytes,
        [SRV_PATTERN_PAGES] = page_bytes,
        [SRV_PATTERN_STRIDE] = traversal->stride,
        [SRV_PATTERN_PAIRS] = traversal->stride,
        [SRV_PATTERN_SETS] = traversal->stride,
        [SRV_PATTERN_RANDOM] = traversal->line_bytes,
    };
    return (size_t)strides[traversal->pattern];
}

/* Lines at random places of the arena, all at the same offset within the stride. */
static void lay_out_sets(srv_walker *walker, const srv_traversal *traversal)
{
    size_t offsets = walker->stride > walker->line ? walker->stride / walker->line : 1;
    double arena = fmax(ARENA_BYTES, traversal->bytes + 2 * traversal->stride);
    walker->base = traversal->seed % offsets * walker->line;
    walker->places = (size_t)(arena / traversal->stride) - 2;
    walker->apart = (size_t)traversal->apart;
    walker->phases = (size_t)traversal->phases;
}

static void lay_out(srv_walker *walker, const srv_traversal *traversal, double page_bytes)
{
    uint64_t page = (uint64_t)page_bytes;
    double free_bytes = fmax(0, ARENA_BYTES - traversal->bytes);
    walker->base = traversal->seed % ((uint64_t)free_bytes / page + 1) * page;
    walker->stride = stride_of(traversal, page_bytes);
    walker->line = (size_t)traversal->line_bytes;
    walker->lines = traversal->pattern == SRV_PATTERN_PAGES ? page / walker->line : 1;
    walker->ascending = traversal->pattern == SRV_PATTERN_STRIDE;
    walker->pairs = traversal->pattern == SRV_PATTERN_PAIRS;
    walker->random = traversal->pattern == SRV_PATTERN_RANDOM;
    walker->state = srv_mix(traversal->seed);
    size_t together = walker->pairs ? 2 : 1;
    double runs = floor(traversal->bytes / (double)(walker->stride * together));
    walker->count = (size_t)fmax(1, runs) * together;
    if (traversal->pattern == SRV_PATTERN_SETS)
        lay_out_sets(walker, traversal);
    walker->order = srv_order_of(walker->places > 0 ? walker->places : walker->count / together,
                                 traversal->seed);
    walker->chains = traversal->chains;
    for (int i = 0; i < walker->chains; i++)
        walker->at[i] = walker->count * (size_t)i / (size_t)walker->chains;
}

static size_t visited(const srv_walker *walker, size_t index)
{
    if (walker->places > 0)
        return index;
    return walker->pairs ? srv_order_pairs_at(&walker->order, index)
                         : srv_order_at(&walker->order, index);
}

/* A set of so many slots is gone round several times; a step of the order takes as long to compute
 * as a load that hits. */
static int list_visits(srv_walker *walker, servet_error *error)
{
    if (walker->ascending || walker->random || walker->count > LISTED_MAX)
        return SERVET_OK;
    walker->visits = malloc(walker->count * sizeof *walker->visits);
    if (!walker->visits)
        return srv_fail_memory(error);
    for (size_t i = 0; i < walker->count; i++)
        walker->visits[i] = (uint32_t)visited(walker, i);
    return SERVET_OK;
}

/* Of a load that the nearest cache serves. */
static double first_hit_ns(const srv_model *model, int pu)
{
    for (int i = 0; i < model->cache_count; i++)
        if (model->cache[i].level == 1 && srv_system_covers(model, &model->cache[i], pu))
            return model->cache[i].latency_cycles / srv_system_ghz(model, pu);
    return 0;
}

/* Bytes from the first slot on that may be loaded. */
static double span_of(const srv_walker *walker, const srv_traversal *traversal)
{
    if (walker->places > 0)
        return (double)((walker->places + 2) * walker->stride);
    return fmax(traversal->bytes, (double)(walker->count * walker->stride));
}

int srv_walker_start(srv_walker *walker, srv_hierarchy *hierarchy, const srv_model *model, int pu,
                     const srv_traversal *traversal, servet_error *error)
{
    double ghz = srv_system_ghz(model, pu);
    *walker = (srv_walker){.hierarchy = hierarchy,
                           .pu = pu,
                           .issue_ns = ISSUE_CYCLES / ghz,
                           .hit_ns = first_hit_ns(model, pu),
                           .sibling = srv_hierarchy_sibling(hierarchy, pu),
                           .slowdown = 1,
                           .buffers = model->misses_in_flight > 0 ? model->misses_in_flight
                                                                  : SRV_OVERLAP,
                           .issued_ns = -INFINITY,
                           .delay_ns = traversal->delay * MULTIPLY_CYCLES / ghz};
    lay_out(walker, traversal, model->machine.page_bytes);
    srv_view view = {.pu = pu,
                     .first = walker->base,
                     .bytes = span_of(walker, traversal),
                     .huge = traversal->pages == SERVET_PAGES_HUGE,
                     .node = traversal->node};
    int code = srv_hierarchy_enter(hierarchy, &view, error);
    return code == SERVET_OK ? list_visits(walker, error) : code;
}

void srv_walker_finish(srv_walker *walker)
{
    free(walker->visits);
    walker->visits = NULL;
}

static size_t next_slot(srv_walker *walker, int chain)
{
    if (walker->random) {
        walker->state = srv_load_next(walker->state);
        return srv_load_slot(walker->state, walker->count);
    }
    size_t at = walker->at[chain];
    walker->at[chain] = at + 1 < walker->count ? at + 1 : 0;
    if (walker->visits)
        return walker->visits[at];
    return walker->ascending ? at : visited(walker, at);
}

/* When the next load of a chain can be issued: its address is there, the loads before are issued, and, if
 * it misses as the one before did, one of the misses under way is done. */
static double next_issue(const srv_walker *walker, int chain)
{
    double at = walker->ready_ns[chain] > walker->now_ns ? walker->ready_ns[chain] : walker->now_ns;
    double in_order = walker->issued_ns + walker->issue_ns * walker->slowdown;
    double buffer = walker->missed[chain] ? walker->done_ns[walker->buffer] : 0;
    at = in_order > at ? in_order : at;
    return buffer > at ? buffer : at;
}

/* Returns when the chain can go on. */
static double load_next(srv_walker *walker, int chain)
{
    double at = next_issue(walker, chain);
    uint64_t address = address_of(walker, next_slot(walker, chain));
    double ns = srv_hierarchy_load(walker->hierarchy, walker->pu, address, at);
    walker->issued_ns = at;
    if (walker->sibling)
        walker->slowdown = srv_sibling_slowdown(walker->sibling, at);
    walker->missed[chain] = ns > walker->hit_ns * walker->slowdown;
    if (walker->missed[chain]) {
        walker->done_ns[walker->buffer] = at + ns;
        walker->buffer = walker->buffer + 1 < walker->buffers ? walker->buffer + 1 : 0;
    }
    return at + ns + walker->delay_ns * walker->slowdown;
}

void srv_walker_step(srv_walker *walker)
{
    double first_ready = INFINITY;
    for (int chain = 0; chain < walker->chains; chain++) {
        double ready = load_next(walker, chain);
        walker->ready_ns[chain] = ready;
        first_ready = ready < first_ready ? ready : first_ready;
    }
    walker->now_ns = first_ready;
}

void srv_walker_sweep(srv_walker *walker, size_t slot)
{
    uint64_t address = address_of(walker, slot);
    double ns = srv_hierarchy_bring(walker->hierarchy, walker->pu, address, walker->now_ns);
    double took = ns / walker->buffers;
    walker->now_ns += took > walker->issue_ns ? took : walker->issue_ns;
}
