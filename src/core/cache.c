/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cache.h"

bool srv_cache_is_counted(const servet_cache *cache)
{
    return cache->bytes.method == SERVET_METHOD_CONFLICT && servet_value_known(&cache->ways) &&
           servet_value_known(&cache->sets);
}

bool srv_cache_has_size(const servet_cache *cache)
{
    return cache->kind == SERVET_CACHE_CAPACITY || srv_cache_is_counted(cache);
}

bool srv_cache_is_emptied(const servet_cache *cache)
{
    return cache->verdict == SERVET_VERDICT_NOT_COMPARABLE || !srv_cache_has_size(cache);
}

const servet_value *srv_cache_holds(const servet_cache *cache)
{
    const servet_value *reach = &cache->reachable_bytes, *bytes = &cache->bytes;
    if (!servet_value_known(bytes))
        return reach;
    return servet_value_known(reach) && reach->high < bytes->value ? reach : bytes;
}
