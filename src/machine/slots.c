/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/slots.h"

#include <math.h>

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

/* Lines of SETS are at random places of the arena, all at one offset within the stride. The others
 * begin at a page or, lines of SPREAD, at a window. */
static size_t place(const srv_traversal *traversal, const srv_slots *slots, double page_bytes,
                    double arena_bytes)
{
    if (traversal->pattern == SRV_PATTERN_SETS)
        return traversal->seed % (slots->stride > slots->line ? slots->stride / slots->line : 1) *
               slots->line;
    double step = traversal->pattern == SRV_PATTERN_SPREAD
                      ? srv_traversal_window(traversal, page_bytes)
                      : page_bytes;
    double steps = floor(fmax(0, arena_bytes - traversal->bytes) / step);
    return (size_t)(traversal->seed % ((uint64_t)steps + 1) * (uint64_t)step);
}

srv_slots srv_slots_of(const srv_traversal *traversal, double page_bytes, double arena_bytes,
                       size_t *first)
{
    srv_slots slots = {.stride = stride_of(traversal, page_bytes),
                       .line = (size_t)traversal->line_bytes,
                       .lines = 1,
                       .pairs = traversal->pattern == SRV_PATTERN_PAIRS,
                       .apart = (size_t)traversal->apart,
                       .phases = (size_t)traversal->phases};
    size_t together = slots.pairs ? 2 : 1;
    double runs = floor(traversal->bytes / (double)(slots.stride * together));
    slots.count = (size_t)fmax(1, runs) * together;
    if (traversal->pattern == SRV_PATTERN_PAGES)
        slots.lines = slots.stride / slots.line;
    if (traversal->pattern == SRV_PATTERN_SETS)
        slots.places = (size_t)(arena_bytes / traversal->stride) - 2;
    if (traversal->pattern == SRV_PATTERN_SPREAD)
        slots.places = slots.count;
    *first = place(traversal, &slots, page_bytes, arena_bytes);
    return slots;
}

srv_order srv_slots_order(const srv_slots *slots, uint64_t seed)
{
    size_t singles = slots->pairs ? slots->count / 2 : slots->count;
    return srv_order_of(slots->places > 0 ? slots->places : singles, seed);
}

size_t srv_slots_visited(const srv_slots *slots, const srv_order *order, size_t index)
{
    if (slots->places > 0)
        return srv_order_at(order, index) * slots->stride + index % slots->phases * slots->apart;
    return srv_slots_at(slots, slots->pairs ? srv_order_pairs_at(order, index)
                                            : srv_order_at(order, index));
}
