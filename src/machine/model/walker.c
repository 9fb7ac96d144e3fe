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
    return walker->base + slot * walker->stride +
           srv_order_line(slot, walker->lines) * walker->line;
}

static size_t stride_of(const srv_traversal *traversal, double page_bytes)
{
    const double strides[] = {
        [SRV_PATTERN_LINES] = traversal->line_bytes,
        [SRV_PATTERN_PAGES] = page_bytes,
        [SRV_PATTERN_STRIDE] = traversal->stride,
    };
    return (size_t)strides[traversal->pattern];
}

static void lay_out(srv_walker *walker, const srv_traversal *traversal, double page_bytes)
{
    uint64_t page = (uint64_t)page_bytes;
    double free_bytes = fmax(0, ARENA_BYTES - traversal->bytes);
    walker->base = traversal->seed % ((uint64_t)free_bytes / page + 1) * page;
    walker->stride = stride_of(traversal, page_bytes);
    walker->line = (size_t)traversal->line_bytes;
    walker->lines = traversal->pattern == SRV_PATTERN_PAGES ? page / walker->line : 1;
    walker->count = (size_t)fmax(1, floor(traversal->bytes / (double)walker->stride));
    walker->ascending = traversal->pattern == SRV_PATTERN_STRIDE;
    walker->order = srv_order_of(walker->count, traversal->seed);
    walker->chains = traversal->chains;
    for (int i = 0; i < walker->chains; i++)
        walker->at[i] = walker->count * (size_t)i / (size_t)walker->chains;
}

/* A set of so many slots is gone round several times; a step of the order takes as long to compute
 * as a load that hits. */
static int list_visits(srv_walker *walker, servet_error *error)
{
    if (walker->ascending || walker->count > LISTED_MAX)
        return SERVET_OK;
    walker->visits = malloc(walker->count * sizeof *walker->visits);
    if (!walker->visits)
        return srv_fail_memory(error);
    for (size_t i = 0; i < walker->count; i++)
        walker->visits[i] = (uint32_t)srv_order_at(&walker->order, i);
    return SERVET_OK;
}

int srv_walker_start(srv_walker *walker, srv_hierarchy *hierarchy, const srv_model *model, int pu,
                     const srv_traversal *traversal, servet_error *error)
{
    double ghz = srv_system_ghz(model, pu);
    *walker = (srv_walker){.hierarchy = hierarchy,
                           .pu = pu,
                           .issue_ns = ISSUE_CYCLES / ghz,
                           .delay_ns = traversal->delay * MULTIPLY_CYCLES / ghz};
    lay_out(walker, traversal, model->machine.page_bytes);
    srv_view view = {.pu = pu,
                     .first = walker->base,
                     .bytes = fmax(traversal->bytes, (double)(walker->count * walker->stride)),
                     .huge = traversal->pages == SERVET_PAGES_HUGE};
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
    size_t at = walker->at[chain];
    walker->at[chain] = at + 1 < walker->count ? at + 1 : 0;
    if (walker->visits)
        return walker->visits[at];
    return walker->ascending ? at : srv_order_at(&walker->order, at);
}

void srv_walker_step(srv_walker *walker)
{
    double end = walker->now_ns;
    for (int chain = 0; chain < walker->chains; chain++) {
        double issued = walker->now_ns + chain * walker->issue_ns;
        uint64_t address = address_of(walker, next_slot(walker, chain));
        double done = issued + srv_hierarchy_load(walker->hierarchy, walker->pu, address, issued);
        end = done > end ? done : end;
    }
    walker->now_ns = end + walker->delay_ns;
}

void srv_walker_sweep(srv_walker *walker, size_t slot)
{
    uint64_t address = address_of(walker, slot);
    double ns = srv_hierarchy_bring(walker->hierarchy, walker->pu, address, walker->now_ns);
    double took = ns / SRV_OVERLAP;
    walker->now_ns += took > walker->issue_ns ? took : walker->issue_ns;
}
