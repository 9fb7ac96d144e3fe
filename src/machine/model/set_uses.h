/* SPDX-License-Identifier: BSD-3-Clause */
/** Uses of a set cache, as set_cache.h says; included from there. */
#ifndef SRV_MODEL_SET_USES_H
#define SRV_MODEL_SET_USES_H

#include "machine/model/set_policy.h"

/** Brings a line into a set where it is not; returns the tag that had to go, or SRV_TAG_NONE. */
static inline uint32_t srv_set_fill(srv_set_cache *cache, uint32_t set, uint32_t tag)
{
    uint32_t way = srv_next_way(cache, set), *place = srv_tags_of(cache, set) + way;
    uint32_t victim = *place;
    *place = tag;
    cache->used[set / SRV_BLOCK_SETS] = 1;
    bool adaptive = cache->shape.replacement == SRV_REPLACE_ADAPTIVE;
    if (!adaptive || !srv_adaptive_stays_last(cache, set) || victim == SRV_TAG_NONE)
        srv_note_fill(cache, set, way);
    return victim == SRV_TAG_FOREIGN ? SRV_TAG_NONE : victim;
}

static inline bool srv_set_cache_touch(srv_set_cache *cache, uint32_t index, uint32_t tag)
{
    uint32_t set = srv_set_of(cache, index), way = srv_way_of(cache, srv_tags_of(cache, set), tag);
    if (way == UINT32_MAX)
        return false;
    srv_note_use(cache, set, way);
    return true;
}

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

static inline bool srv_set_cache_holds(const srv_set_cache *cache, uint32_t index, uint32_t tag)
{
    return srv_way_of(cache, srv_tags_of(cache, srv_set_of(cache, index)), tag) != UINT32_MAX;
}

static inline bool srv_set_cache_remove(srv_set_cache *cache, uint32_t index, uint32_t tag)
{
    uint32_t set = srv_set_of(cache, index), way = srv_way_of(cache, srv_tags_of(cache, set), tag);
    if (way == UINT32_MAX)
        return false;
    srv_clear_way(cache, set, way);
    return true;
}

static inline const srv_set_cache_shape *srv_set_cache_shape_of(const srv_set_cache *cache)
{
    return &cache->shape;
}

#endif
