/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/instance.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

/* --- inclusion -------------------------------------------------------------------------------- */

/* Removes one line from a cache; only its physical address is known. */
static void remove_line(srv_instance *at, uint64_t physical)
{
    uint32_t tag = srv_instance_tag(at, physical), index = (uint32_t)(physical >> at->line_bits);
    if (at->alias_sets == 0) {
        srv_set_cache_remove(at->cache, index, tag);
        return;
    }
    const srv_set_cache_shape *shape = srv_set_cache_shape_of(at->cache);
    for (uint32_t set = index % at->alias_sets; set < shape->sets; set += at->alias_sets)
        if (srv_set_cache_remove(at->cache, set, tag))
            return;
}

void srv_instance_expel(const srv_instance *from, uint64_t physical)
{
    uint64_t end = physical + (UINT64_C(1) << from->line_bits);
    for (int i = 0; i < from->above_count; i++) {
        uint64_t step = UINT64_C(1) << from->above[i]->line_bits;
        for (uint64_t line = physical; line < end; line += step)
            remove_line(from->above[i], line);
    }
}

void srv_instance_turn_over(srv_instance *at, uint32_t index, srv_moment now)
{
    double used_ns = at->always * now.now_ns + at->in_bursts * now.worked_ns;
    at->evicted_count = srv_set_cache_turn_over(at->cache, index, used_ns, at->evicted);
    for (uint32_t i = 0; i < at->evicted_count && at->inclusive; i++)
        srv_instance_expel(at, srv_instance_address(at, at->evicted[i]));
}

bool srv_instance_take(srv_instance *at, uint64_t physical, srv_moment now)
{
    uint32_t index = (uint32_t)(physical >> at->line_bits), tag = srv_instance_tag(at, physical);
    if (at->turns_over)
        srv_instance_turn_over(at, index, now);
    if (at->row->inclusion == SRV_EXCLUSIVE)
        return srv_set_cache_remove(at->cache, index, tag);
    return srv_set_cache_touch(at->cache, index, tag);
}

/* --- life ------------------------------------------------------------------------------------- */

/* Virtually indexed caches are nearest to the core and have no slices. */
static srv_set_cache_shape shape_of(const srv_model_cache *row, double turnover_ns)
{
    uint32_t slices = row->slices > 1 && !row->virtually_indexed ? (uint32_t)row->slices : 1;
    uint32_t lines = (uint32_t)(row->bytes / row->line_bytes), ways = (uint32_t)row->ways;
    return (srv_set_cache_shape){.sets = lines / ways / slices * slices,
                                 .ways = ways,
                                 .slices = slices,
                                 .replacement = row->replacement,
                                 .turnover_ns = turnover_ns};
}

/* The bits within a page are the same in both addresses; the others are not. */
static uint32_t alias_sets(const srv_model_cache *row, uint32_t sets, double page_bytes)
{
    uint32_t page_lines = (uint32_t)(page_bytes / row->line_bytes);
    return row->virtually_indexed && sets > page_lines ? page_lines : 0;
}

int srv_instance_start(srv_instance *at, const srv_model_cache *row, double page_bytes,
                       double burst_ns, uint64_t seed, servet_error *error)
{
    double turnover_ns = row->turnover_ms > 0 ? row->turnover_ms * 1e6 : burst_ns;
    srv_set_cache_shape shape = shape_of(row, turnover_ns);
    at->row = row;
    at->line_bits = (unsigned)lround(log2(row->line_bytes));
    at->by_eviction = row->inclusion == SRV_EXCLUSIVE || row->inclusion == SRV_VICTIM;
    at->inclusive = row->inclusion == SRV_INCLUSIVE;
    at->virtually_indexed = row->virtually_indexed;
    at->turns_over = turnover_ns > 0;
    at->always = row->turnover_ms > 0 ? 1 : 0;
    at->in_bursts = burst_ns > 0 ? turnover_ns / burst_ns : 0;
    at->alias_sets = alias_sets(row, shape.sets, page_bytes);
    free(at->evicted);
    at->evicted = calloc(shape.ways, sizeof *at->evicted);
    if (!at->evicted)
        return srv_fail_memory(error);
    return srv_set_cache_create(&at->cache, &shape, seed, error);
}

void srv_instance_finish(srv_instance *at)
{
    srv_set_cache_destroy(at->cache);
    free(at->above);
    free(at->evicted);
}

int srv_instance_add_above(srv_instance *lower, srv_instance *upper, servet_error *error)
{
    for (int i = 0; i < lower->above_count; i++)
        if (lower->above[i] == upper)
            return SERVET_OK;
    size_t bytes = ((size_t)lower->above_count + 1) * sizeof *lower->above;
    srv_instance **grown = realloc(lower->above, bytes);
    if (!grown)
        return srv_fail_memory(error);
    lower->above = grown;
    lower->above[lower->above_count++] = upper;
    return SERVET_OK;
}
