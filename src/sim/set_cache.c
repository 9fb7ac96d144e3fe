/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/set_cache.h"

#include <stdlib.h>

#include "core/error.h"

static size_t blocks_of(const srv_set_cache *cache)
{
    return ((size_t)cache->shape.sets + SRV_BLOCK_SETS - 1) / SRV_BLOCK_SETS;
}

/* Alignment of a set in memory: it shall lie in one line of the caches of this machine, or begin
 * with one, because fetching the tags takes most of the time of a simulated load. */
static uint32_t stride_of(uint32_t ways)
{
    uint32_t stride = SRV_AT_ONCE;
    while (stride < ways)
        stride += stride < SRV_TAGS_IN_LINE ? stride : SRV_AT_ONCE;
    return stride;
}

static bool allocate_tags(srv_set_cache *cache)
{
    size_t places = (size_t)cache->shape.sets * cache->stride + SRV_TAGS_IN_LINE;
    cache->allocated = calloc(places, sizeof *cache->tags);
    size_t past = (uintptr_t)cache->allocated / sizeof *cache->tags % SRV_TAGS_IN_LINE;
    cache->tags = cache->allocated + (SRV_TAGS_IN_LINE - past);
    return cache->allocated;
}

static bool allocate(srv_set_cache *cache)
{
    const srv_set_cache_shape *shape = &cache->shape;
    bool allocated = allocate_tags(cache);
    allocated = (cache->used = calloc(blocks_of(cache), 1)) && allocated;
    if (cache->memory == SRV_MEMORY_TREE)
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
    made->stride = stride_of(shape->ways);
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
    free(cache->allocated);
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
