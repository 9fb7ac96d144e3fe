/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * One set-associative cache: which lines are in it, and which one another one replaces. TLBs use
 * it, too.
 *
 * A line has two numbers: its `tag` (not 0, below SRV_TAG_MAX) identifies it, its
 * `index` chooses the set. They differ where a cache is indexed by virtual and tagged by physical
 * addresses.
 */
#ifndef SRV_MODEL_SET_CACHE_H
#define SRV_MODEL_SET_CACHE_H

#include "sim/set_policy.h"

/**
 * An empty cache. Errors: SERVET_EMEMORY, SERVET_EUNSUPPORTED (tree-PLRU with more than
 * SRV_PLRU_WAYS_MAX ways).
 */
int srv_set_cache_create(srv_set_cache **cache, const srv_set_cache_shape *shape, uint64_t seed,
                         servet_error *error);

/** NULL does nothing. */
void srv_set_cache_destroy(srv_set_cache *cache);

/** Empties the cache and restarts its random numbers from `seed`. */
void srv_set_cache_flush(srv_set_cache *cache, uint64_t seed);

/**
 * For caches with turnover: inserts the foreign lines into the set of `index` that were due when
 * other work had run for `now_ns`, which must not decrease. The evicted tags are in
 * victims[0..result-1]; there is room for `ways` of them.
 */
uint32_t srv_set_cache_turn_over(srv_set_cache *cache, uint32_t index, double now_ns,
                                 uint32_t *victims);

/* --- uses ------------------------------------------------------------------------------------- */

/* Inserts a line that is missing into a set; returns the evicted tag, or SRV_TAG_NONE. */
static inline uint32_t srv_set_fill(srv_set_cache *cache, uint32_t set, uint32_t tag)
{
    uint32_t way = srv_next_way(cache, set), *place = srv_tags_of(cache, set) + way;
    uint32_t victim = *place;
    *place = tag;
    cache->used[set / SRV_BLOCK_SETS] = 1;
    bool adaptive = cache->shape.replacement == SRV_REPLACE_ADAPTIVE;
    if (!adaptive || !srv_adaptive_stays_last(cache, set) || victim == SRV_TAG_NONE)
        srv_note_use(cache, set, way);
    return victim == SRV_TAG_FOREIGN ? SRV_TAG_NONE : victim;
}

/** Uses a line; a missing line is not inserted. */
static inline bool srv_set_cache_touch(srv_set_cache *cache, uint32_t index, uint32_t tag)
{
    uint32_t set = srv_set_of(cache, index), way = srv_way_of(cache, srv_tags_of(cache, set), tag);
    if (way == UINT32_MAX)
        return false;
    srv_note_use(cache, set, way);
    return true;
}

/**
 * Uses a line: true if it was present. Otherwise inserts it, and `*victim` is the tag of the
 * evicted line, or SRV_TAG_NONE.
 */
static inline bool srv_set_cache_access(srv_set_cache *cache, uint32_t index, uint32_t tag,
                                        uint32_t *victim)
{
    uint32_t set = srv_set_of(cache, index), way = srv_way_of(cache, srv_tags_of(cache, set), tag);
    *victim = SRV_TAG_NONE;
    if (way == UINT32_MAX)
        *victim = srv_set_fill(cache, set, tag);
    else
        srv_note_use(cache, set, way);
    return way != UINT32_MAX;
}

/** True if a line is present; this is no use of the line. */
static inline bool srv_set_cache_holds(const srv_set_cache *cache, uint32_t index, uint32_t tag)
{
    return srv_way_of(cache, srv_tags_of(cache, srv_set_of(cache, index)), tag) != UINT32_MAX;
}

/** Removes a line; true if it was present. */
static inline bool srv_set_cache_remove(srv_set_cache *cache, uint32_t index, uint32_t tag)
{
    uint32_t set = srv_set_of(cache, index), way = srv_way_of(cache, srv_tags_of(cache, set), tag);
    if (way == UINT32_MAX)
        return false;
    srv_clear_way(cache, set, way);
    return true;
}

/** Its shape when it was created. */
static inline const srv_set_cache_shape *srv_set_cache_shape_of(const srv_set_cache *cache)
{
    return &cache->shape;
}

#endif
