/* SPDX-License-Identifier: BSD-3-Clause */
#include "small_cache.h"

#include <stdlib.h>
#include <string.h>

#include "sim/random.h"

small_cache small_cache_of(int sets, int ways, bool replaces_at_random, uint64_t seed)
{
    small_cache cache = {sets, ways, replaces_at_random, seed, NULL};
    cache.tag = calloc((size_t)sets * (size_t)ways, sizeof *cache.tag);
    if (!cache.tag)
        abort();
    return cache;
}

static int place_of(const uint64_t *set, int ways, uint64_t tag)
{
    for (int i = 0; i < ways; i++)
        if (set[i] == tag)
            return i;
    return -1;
}

/* Returns the place for a new line: any place of the set, or the first empty one. */
static int victim(small_cache *cache, const uint64_t *set)
{
    int empty = place_of(set, cache->ways, 0);
    if (empty >= 0)
        return empty;
    return cache->replaces_at_random ? (int)srv_random_below(&cache->random, (uint32_t)cache->ways)
                                     : cache->ways - 1;
}

bool small_cache_visit(small_cache *cache, int set, uint64_t tag)
{
    uint64_t *first = cache->tag + (size_t)set * (size_t)cache->ways;
    int found = place_of(first, cache->ways, tag);
    int at = found >= 0 ? found : victim(cache, first);
    memmove(first + 1, first, (size_t)at * sizeof *first);
    first[0] = tag;
    return found >= 0;
}

void small_cache_clear(small_cache *cache)
{
    memset(cache->tag, 0, (size_t)cache->sets * (size_t)cache->ways * sizeof *cache->tag);
}

void small_cache_finish(small_cache *cache)
{
    free(cache->tag);
    cache->tag = NULL;
}
