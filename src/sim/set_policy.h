/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Replacement policies: the state that a set keeps of the uses of its ways, and the next victim.
 */
#ifndef SRV_MODEL_SET_POLICY_H
#define SRV_MODEL_SET_POLICY_H

#include <string.h>

#include "sim/random.h"
#include "sim/set_state.h"

/** Adaptive: of as many neighbouring sets one leads for each policy. */
enum { SRV_DUEL_PERIOD = 32 };

/** Prepares an empty cache whose shape is set. */
void srv_set_policy_init(srv_set_cache *cache);

/** Decides, after a miss of an adaptive cache, whether the new line stays the next victim. */
bool srv_adaptive_stays_last(srv_set_cache *cache, uint32_t set);

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
    if (cache->memory == SRV_MEMORY_LIST) {
        uint32_t *tags = srv_tags_of(cache, set), tag = tags[way];
        memmove(tags + 1, tags, way * sizeof *tags);
        tags[0] = tag;
    } else if (cache->memory == SRV_MEMORY_TREE) {
        cache->word[set] = (cache->word[set] & cache->tree_keep[way]) | cache->tree_set[way];
    }
}

/** The way that a new line takes. */
static inline uint32_t srv_next_way(srv_set_cache *cache, uint32_t set)
{
    uint32_t ways = cache->shape.ways;
    if (cache->memory == SRV_MEMORY_LIST)
        return ways - 1;
    uint32_t empty = srv_empty_way(cache, srv_tags_of(cache, set));
    if (empty < ways)
        return empty;
    if (cache->memory == SRV_MEMORY_TREE)
        return srv_tree_oldest(cache, cache->word[set]);
    return srv_random_below(&cache->random, ways);
}

/** Makes a way an empty one. */
static inline void srv_clear_way(srv_set_cache *cache, uint32_t set, uint32_t way)
{
    uint32_t ways = cache->shape.ways, *tags = srv_tags_of(cache, set);
    if (cache->memory == SRV_MEMORY_LIST) {
        memmove(tags + way, tags + way + 1, (ways - 1 - way) * sizeof *tags);
        way = ways - 1;
    }
    tags[way] = SRV_TAG_NONE;
}

#endif
