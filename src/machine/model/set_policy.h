/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Replacement policies: the state that a set keeps of the uses of its ways, and the next victim.
 */
#ifndef SRV_MODEL_SET_POLICY_H
#define SRV_MODEL_SET_POLICY_H

#include <string.h>

#include "machine/model/random.h"
#include "machine/model/set_state.h"

/** Prepares an empty cache whose shape is set. */
void srv_set_policy_init(srv_set_cache *cache);

/** Decides, after a miss of an adaptive cache, whether the new line stays the next victim. */
bool srv_adaptive_stays_last(srv_set_cache *cache, uint32_t set);

/* --- the order of the ways in a word ---------------------------------------------------------- */

/* Four bits for each way, stored as the difference from this order, so that zeroed memory is
 * valid. */
#define SRV_ORDER_FIRST UINT64_C(0xfedcba9876543210)
enum { SRV_ORDER_BITS = 4, SRV_ORDER_WAYS_MAX = 64 / SRV_ORDER_BITS };

/* All bits up to the place of a way in the order. `found` marks the place; a borrow may mark others
 * above it, so the lowest mark counts. */
static inline uint64_t srv_order_upto(uint64_t order, uint32_t way)
{
    const uint64_t ones = UINT64_C(0x1111111111111111);
    uint64_t differs = order ^ way * ones;
    uint64_t found = (differs - ones) & ~differs & ones << (SRV_ORDER_BITS - 1);
    return found ^ (found - 1);
}

static inline uint64_t srv_order_used(uint64_t order, uint32_t way)
{
    uint64_t upto = srv_order_upto(order, way);
    return (order & ~upto) | ((order << SRV_ORDER_BITS | way) & upto);
}

static inline uint32_t srv_order_last(uint64_t order, uint32_t ways)
{
    return (uint32_t)(order >> (ways - 1) * SRV_ORDER_BITS) % SRV_ORDER_WAYS_MAX;
}

/** The order when a way has become the last one. */
static inline uint64_t srv_order_left(uint64_t order, uint32_t way, uint32_t ways)
{
    uint64_t before = srv_order_upto(order, way) >> SRV_ORDER_BITS;
    uint64_t closed = (order & before) | (order >> SRV_ORDER_BITS & ~before);
    unsigned last = (ways - 1) * SRV_ORDER_BITS;
    return (closed & ((UINT64_C(1) << last) - 1)) | (uint64_t)way << last;
}

/* --- a binary tree ---------------------------------------------------------------------------- */

/* Nodes are numbered as in a heap: 1 is the root, 2 m and 2 m + 1 are below m. Bit m of the word is
 * set if the second of these is the older one. No branch depends on it, because it is
 * unpredictable. */
static inline uint32_t srv_tree_oldest(const srv_set_cache *cache, uint64_t tree)
{
    uint32_t node = 1;
    for (unsigned i = 0; i < cache->tree_height; i++)
        node = 2 * node + (tree >> node & 1);
    return cache->tree_way[node - (1u << cache->tree_height)];
}

/* --- all -------------------------------------------------------------------------------------- */

/** Notes the use of a way. */
static inline void srv_note_use(srv_set_cache *cache, uint32_t set, uint32_t way)
{
    if (cache->memory == SRV_MEMORY_ORDER) {
        uint64_t order = cache->word[set] ^ SRV_ORDER_FIRST;
        cache->word[set] = srv_order_used(order, way) ^ SRV_ORDER_FIRST;
    } else if (cache->memory == SRV_MEMORY_TREE) {
        cache->word[set] = (cache->word[set] & cache->tree_keep[way]) | cache->tree_set[way];
    } else if (cache->memory == SRV_MEMORY_LIST) {
        uint32_t *tags = srv_tags_of(cache, set), tag = tags[way];
        memmove(tags + 1, tags, way * sizeof *tags);
        tags[0] = tag;
    }
}

/** The way that a new line takes. */
static inline uint32_t srv_next_way(srv_set_cache *cache, uint32_t set)
{
    uint32_t ways = cache->shape.ways;
    if (cache->memory == SRV_MEMORY_ORDER)
        return srv_order_last(cache->word[set] ^ SRV_ORDER_FIRST, ways);
    if (cache->memory == SRV_MEMORY_LIST)
        return ways - 1;
    uint32_t empty = srv_empty_way(cache, srv_tags_of(cache, set));
    if (empty < ways)
        return empty;
    if (cache->memory == SRV_MEMORY_TREE)
        return srv_tree_oldest(cache, cache->word[set]);
    return srv_random_below(&cache->random, ways);
}

/** Notes that a new line took this way, the next one. */
static inline void srv_note_fill(srv_set_cache *cache, uint32_t set, uint32_t way)
{
    if (cache->memory == SRV_MEMORY_ORDER) {
        uint64_t order = cache->word[set] ^ SRV_ORDER_FIRST;
        cache->word[set] = (order << SRV_ORDER_BITS | way) ^ SRV_ORDER_FIRST;
    } else {
        srv_note_use(cache, set, way);
    }
}

/** Makes a way an empty one. */
static inline void srv_clear_way(srv_set_cache *cache, uint32_t set, uint32_t way)
{
    uint32_t ways = cache->shape.ways, *tags = srv_tags_of(cache, set);
    if (cache->memory == SRV_MEMORY_ORDER) {
        uint64_t order = cache->word[set] ^ SRV_ORDER_FIRST;
        cache->word[set] = srv_order_left(order, way, ways) ^ SRV_ORDER_FIRST;
    } else if (cache->memory == SRV_MEMORY_LIST) {
        memmove(tags + way, tags + way + 1, (ways - 1 - way) * sizeof *tags);
        way = ways - 1;
    }
    tags[way] = SRV_TAG_NONE;
}

#endif
