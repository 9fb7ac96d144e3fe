/* SPDX-License-Identifier: BSD-3-Clause */
/* Block sizes: how much of several arrays a core keeps in its part of a cache. */
#include <math.h>
#include <stdio.h>

#include "core/ranges.h"
#include "profile/types.h"
#include "servet/place.h"

/* --- sharing of the cache ----------------------------------------------------------------------
 */

/* The instance of the core meant, or if none is that of most cores. */
static int instance(const servet_profile *profile, const servet_at *at, int level,
                    const char **cores)
{
    int index, count = 0, most = -1;
    int code = servet_cache_group_of(profile, at, level, &index);
    if (code == SERVET_OK)
        return servet_cache_group(profile, at, level, index, cores);
    if (code == SERVET_EARGUMENT)
        code = servet_cache_group_count(profile, at, level, &count);
    for (int i = 0; code == SERVET_OK && i < count; i++) {
        const char *group;
        code = servet_cache_group(profile, at, level, i, &group);
        if (code == SERVET_OK && srv_ranges_count(group) > most) {
            most = srv_ranges_count(group);
            *cores = group;
        }
    }
    return code == SERVET_OK && most < 0 ? SERVET_EUNMEASURED : code;
}

/* A node with a single core has nothing to measure. */
static bool has_one_core(const servet_profile *profile, const servet_at *at)
{
    const srv_class *class = srv_class_named(profile, at);
    return class && srv_ranges_count(class->machine.cores) == 1;
}

/* How many cores work in the instance, as the caller says, and whether that is trusted. */
static int limit_sharers(const servet_profile *profile, const servet_at *at, int wanted,
                         servet_block *block)
{
    servet_trust trust;
    const char *cores;
    char key[32];
    block->sharers = 1;
    if (wanted == 1 || has_one_core(profile, at))
        return SERVET_OK;
    int code = instance(profile, at, block->level, &cores);
    if (code != SERVET_OK)
        return code;
    int all = srv_ranges_count(cores);
    block->sharers = wanted == 0 || wanted > all ? all : wanted;
    snprintf(key, sizeof key, "caches.%d.groups", block->level);
    code = servet_profile_trust(profile, at, key, &trust, NULL);
    block->trusted = block->trusted && code == SERVET_OK && trust.trusted;
    return code;
}

/* The cores with which the core meant shares that level, itself among them. */
static int sharing_cores(const servet_profile *profile, const servet_at *at, int level,
                         const char **cores)
{
    int index;
    servet_cache cache;
    if (has_one_core(profile, at)) {
        *cores = srv_class_named(profile, at)->machine.cores;
        return servet_cache_get(profile, at, level, &cache);
    }
    int code = servet_cache_group_of(profile, at, level, &index);
    return code == SERVET_OK ? servet_cache_group(profile, at, level, index, cores) : code;
}

int servet_cache_sharers(const servet_profile *profile, const servet_at *at, int level,
                         const int cores[], int count, int *sharers)
{
    int found = 0;
    const char *group;
    int code = sharing_cores(profile, at, level, &group);
    for (int i = 0; code == SERVET_OK && i < count; i++)
        found += srv_ranges_contain(group, cores[i]);
    if (code == SERVET_OK && found > 0)
        *sharers = found;
    return code == SERVET_OK && found == 0 ? SERVET_EARGUMENT : code;
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* The last level that others do not empty. */
static int last_capacity(const servet_profile *profile, const servet_at *at, servet_cache *cache)
{
    int levels = 0, code = servet_cache_count(profile, at, &levels);
    for (int level = levels; level > 0 && code == SERVET_OK; level--) {
        code = servet_cache_get(profile, at, level, cache);
        if (code == SERVET_OK && cache->kind == SERVET_CACHE_CAPACITY)
            return SERVET_OK;
    }
    return code == SERVET_OK ? SERVET_EUNMEASURED : code;
}

static int find_cache(const servet_profile *profile, const servet_at *at, int level,
                      servet_cache *cache)
{
    if (level == 0)
        return last_capacity(profile, at, cache);
    int code = servet_cache_get(profile, at, level, cache);
    return code == SERVET_OK && cache->kind != SERVET_CACHE_CAPACITY ? SERVET_EUNSUPPORTED : code;
}

/* Whole lines, where there is room for one. */
static long long whole_lines(double elements, const servet_value *line, int element_bytes)
{
    long long count = (long long)elements;
    double in_line = servet_value_known(line) ? floor(line->value / element_bytes) : 1;
    return in_line > 1 && elements >= in_line ? count - count % (long long)in_line : count;
}

static void divide(const servet_cache *cache, int arrays, int element_bytes, servet_block *block)
{
    const servet_value *size =
        servet_value_known(&cache->reachable_bytes) ? &cache->reachable_bytes : &cache->bytes;
    block->bytes = size->low / block->sharers;
    block->trusted = block->trusted && size->trusted;
    double elements = floor(block->bytes / arrays / element_bytes);
    block->elements = whole_lines(elements, &cache->line, element_bytes);
    block->side = whole_lines(floor(sqrt(elements)), &cache->line, element_bytes);
}

int servet_cache_block(const servet_profile *profile, const servet_at *at, int level, int arrays,
                       int element_bytes, int sharers, servet_block *block)
{
    servet_cache cache;
    if (arrays < 1 || element_bytes < 1 || sharers < 0)
        return SERVET_EARGUMENT;
    int code = find_cache(profile, at, level, &cache);
    if (code != SERVET_OK)
        return code;
    if (!servet_value_known(&cache.reachable_bytes) && !servet_value_known(&cache.bytes))
        return SERVET_EUNMEASURED;
    servet_block found = {.level = cache.level, .trusted = cache.trusted};
    code = limit_sharers(profile, at, sharers, &found);
    if (code != SERVET_OK)
        return code;
    divide(&cache, arrays, element_bytes, &found);
    if (found.elements < 1)
        return SERVET_ERANGE;
    if (profile->trusted_only && !found.trusted)
        return SERVET_EUNTRUSTED;
    *block = found;
    return SERVET_OK;
}
