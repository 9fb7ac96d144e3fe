/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/model/set_cache.h"

#include <stdlib.h>

#include "core/error.h"

static size_t blocks_of(const srv_set_cache *cache)
{
    return ((size_t)cache->shape.sets + SRV_BLOCK_SETS - 1) / SRV_BLOCK_SETS;
}

static bool allocate(srv_set_cache *cache)
{
    const srv_set_cache_shape *shape = &cache->shape;
    size_t places = (size_t)shape->sets * cache->stride;
    bool allocated = (cache->tags = calloc(places, sizeof *cache->tags));
    allocated = (cache->used = calloc(blocks_of(cache), 1)) && allocated;
    if (cache->memory == SRV_MEMORY_TREE || cache->memory == SRV_MEMORY_ORDER)
        allocated = (cache->word = calloc(shape->sets, sizeof *cache->word)) && allocated;
    if (shape->turnover_ns > 0)
        allocated =
            (cache->foreign_ns = calloc(shape->sets, sizeof *cache->foreign_ns)) && allocated;
    return allocated;
}

int srv_set_cache_create(srv_set_cache **cache, const srv_set_cache_shape *shape, uint64_t seed,
                         servet_error *error)
{
    bool tree = shape->replacement == SRV_REPLACE_PLRU;
    if (tree && shape->ways > SRV_PLRU_WAYS_MAX)
        return srv_fail(error, SERVET_EUNSUPPORTED,
                        "tree-plru with %u ways; at most %d are supported", (unsigned)shape->ways,
                        SRV_PLRU_WAYS_MAX);
    srv_set_cache *made = calloc(1, sizeof *made);
    if (!made)
        return srv_fail_memory(error);
    made->shape = *shape;
    made->stride = (shape->ways + SRV_AT_ONCE - 1) / SRV_AT_ONCE * SRV_AT_ONCE;
    made->slice_sets = srv_divisor_of(shape->sets / shape->slices);
    made->slices = srv_divisor_of(shape->slices);
    made->random = seed;
    srv_set_policy_init(made);
    if (!allocate(made)) {
        srv_set_cache_destroy(made);
        return srv_fail_memory(error);
    }
    *cache = made;
    return SERVET_OK;
}

void srv_set_cache_destroy(srv_set_cache *cache)
{
    if (!cache)
        return;
    free(cache->tags);
    free(cache->used);
    free(cache->word);
    free(cache->foreign_ns);
    free(cache);
}

static void flush_block(srv_set_cache *cache, size_t block)
{
    size_t first = block * SRV_BLOCK_SETS, stride = cache->stride;
    size_t sets =
        cache->shape.sets - first < SRV_BLOCK_SETS ? cache->shape.sets - first : SRV_BLOCK_SETS;
    memset(cache->tags + first * stride, 0, sets * stride * sizeof *cache->tags);
    if (cache->word)
        memset(cache->word + first, 0, sets * sizeof *cache->word);
    if (cache->foreign_ns)
        memset(cache->foreign_ns + first, 0, sets * sizeof *cache->foreign_ns);
    cache->used[block] = 0;
}

void srv_set_cache_flush(srv_set_cache *cache, uint64_t seed)
{
    for (size_t block = 0; block < blocks_of(cache); block++)
        if (cache->used[block])
            flush_block(cache, block);
    cache->duel = 0;
    cache->random = seed;
}

/* The tags in their order of use, where there is one: it does not matter in which ways they are. */
static uint64_t contents_of(const srv_set_cache *cache, uint32_t set, uint64_t sum)
{
    const uint32_t *tags = srv_tags_of(cache, set);
    if (cache->memory != SRV_MEMORY_ORDER)
        return srv_mix_bytes(sum, tags, cache->stride * sizeof *tags);
    uint32_t ordered[SRV_ORDER_WAYS_MAX] = {0};
    uint64_t order = cache->word[set] ^ SRV_ORDER_FIRST;
    for (uint32_t i = 0; i < cache->shape.ways; i++, order >>= SRV_ORDER_BITS)
        ordered[i] = tags[order % SRV_ORDER_WAYS_MAX];
    return srv_mix_bytes(sum, ordered, cache->stride * sizeof *tags);
}

uint64_t srv_set_cache_contents(const srv_set_cache *cache, uint32_t index, uint64_t sum)
{
    uint32_t set = srv_set_of(cache, index);
    uint64_t decides[] = {contents_of(cache, set, sum),
                          cache->memory == SRV_MEMORY_TREE ? cache->word[set] : 0, cache->random,
                          (uint64_t)cache->duel};
    return srv_mix_bytes(sum, decides, sizeof decides);
}
