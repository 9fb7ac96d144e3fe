/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/set_policy.h"

/* Set duelling with bimodal insertion as in Qureshi et al., Adaptive Insertion Policies, ISCA 2007:
 * one new line in 32 comes in as most recent; one set in 32 leads for each policy; 10 bits decide.
 */
enum { BIMODAL_THROTTLE = 32, DUEL_MAX = 512 };

/* Leading sets vote with each miss. They are as frequent at each place of a page (thinning.h). */
bool srv_adaptive_stays_last(srv_set_cache *cache, uint32_t set)
{
    uint32_t role = (set + set / (2 * SRV_DUEL_PERIOD)) % SRV_DUEL_PERIOD;
    if (role == 0 && cache->duel < DUEL_MAX)
        cache->duel++;
    if (role == SRV_DUEL_PERIOD / 2 && cache->duel > -DUEL_MAX)
        cache->duel--;
    bool bimodal = role == SRV_DUEL_PERIOD / 2 || (role != 0 && cache->duel > 0);
    return bimodal && srv_random_below(&cache->random, BIMODAL_THROTTLE) != 0;
}

/* A node above several ways divides them, the larger half first; a use of a way points all nodes
 * above it to the other side. Below a way that is reached early, nodes are never set. */
static void plan_way(srv_set_cache *cache, uint32_t way)
{
    uint32_t node = 1, low = 0, high = cache->shape.ways;
    cache->tree_keep[way] = ~UINT64_C(0);
    while (high - low > 1) {
        uint32_t middle = (low + high + 1) / 2;
        bool upper = way >= middle;
        cache->tree_keep[way] &= ~(UINT64_C(1) << node);
        cache->tree_set[way] |= (uint64_t)!upper << node;
        node = 2 * node + upper;
        low = upper ? middle : low;
        high = upper ? high : middle;
    }
    while (node < 1u << cache->tree_height)
        node *= 2;
    cache->tree_way[node - (1u << cache->tree_height)] = (unsigned char)way;
}

static void plan_tree(srv_set_cache *cache)
{
    while (1u << cache->tree_height < cache->shape.ways)
        cache->tree_height++;
    for (uint32_t way = 0; way < cache->shape.ways; way++)
        plan_way(cache, way);
}

void srv_set_policy_init(srv_set_cache *cache)
{
    static const srv_set_memory memories[SRV_REPLACEMENT_COUNT] = {
        [SRV_REPLACE_LRU] = SRV_MEMORY_LIST,
        [SRV_REPLACE_PLRU] = SRV_MEMORY_TREE,
        [SRV_REPLACE_RANDOM] = SRV_MEMORY_NONE,
        [SRV_REPLACE_ADAPTIVE] = SRV_MEMORY_LIST,
    };
    cache->memory = memories[cache->shape.replacement];
    if (cache->memory == SRV_MEMORY_TREE)
        plan_tree(cache);
}
