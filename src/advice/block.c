/* SPDX-License-Identifier: BSD-3-Clause */
/* Block sizes: how much of several arrays a thread keeps in its part of a cache. */
#include "advice/block.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/ranges.h"
#include "profile/types.h"

/*
 * The part of a cache that a block takes, so that what else passes through the cache does not
 * displace it. Of half, three quarters and all, half lost least in its worst case: gains.md.
 */
static const double block_share = 0.5;

/* --- what a level can hold -------------------------------------------------------------------- */

bool srv_cache_is_emptied(const servet_cache *cache)
{
    bool counted = cache->bytes.method == SERVET_METHOD_CONFLICT &&
                   servet_value_known(&cache->ways) && servet_value_known(&cache->sets);
    return cache->verdict == SERVET_VERDICT_NOT_COMPARABLE ||
           (cache->kind != SERVET_CACHE_CAPACITY && !counted);
}

const servet_value *srv_cache_holds(const servet_cache *cache)
{
    const servet_value *reach = &cache->reachable_bytes, *bytes = &cache->bytes;
    if (!servet_value_known(bytes))
        return reach;
    return servet_value_known(reach) && reach->high < bytes->value ? reach : bytes;
}

/* The last level that others do not empty. */
static int last_held(const servet_profile *profile, const servet_at *at, servet_cache *cache)
{
    int levels = 0, code = servet_cache_count(profile, at, &levels);
    for (int level = levels; level > 0 && code == SERVET_OK; level--) {
        code = servet_cache_get(profile, at, level, cache);
        if (code == SERVET_OK && !srv_cache_is_emptied(cache))
            return SERVET_OK;
    }
    return code == SERVET_OK ? SERVET_EUNMEASURED : code;
}

/* --- sharing ---------------------------------------------------------------------------------- */

/* The most PUs that share an instance of a level in processors of an architecture, by the data
 * sheets of those made since 2005. */
typedef struct architecture {
    const char *name;
    int level_1, level_2;
} architecture;

static const architecture architectures[] = {
    {"x86_64", 2, 4},   /* two threads of a core; four efficient cores of Intel */
    {"i686", 2, 4},     /* the same */
    {"ia64", 2, 2},     /* two threads of a core */
    {"aarch64", 4, 12}, /* four threads of a ThunderX2 core; a core memory group of A64FX */
    {"ppc64le", 8, 8},  /* eight threads of a POWER8 or POWER10 core */
    {"s390x", 2, 2},    /* two threads of a core */
    {"riscv64", 1, 8},  /* clusters of eight cores */
    {"", 8, INT_MAX},   /* any other: no core has more than eight threads */
};

static int most_by_architecture(const char *name, int level)
{
    const architecture *row = architectures;
    while (*row->name && strcmp(row->name, name) != 0)
        row++;
    return level == 1 ? row->level_1 : level == 2 ? row->level_2 : INT_MAX;
}

/* The set of the core meant, or if none is that with most cores. */
static int find_instance(const servet_profile *profile, const servet_at *at, int level,
                         const char **cores)
{
    int index, count = 0, most = 0;
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
    return code == SERVET_OK && most == 0 ? SERVET_EUNMEASURED : code;
}

/* The most PUs that can share the level. Caches farther from the cores are not shared by fewer. */
static int worst_case(const servet_profile *profile, const servet_at *at, int level)
{
    const srv_class *class = srv_class_named(profile, at);
    int pus = srv_ranges_count(class->machine.cores), levels = level;
    int most = most_by_architecture(class->machine.architecture, level);
    (void)servet_cache_count(profile, at, &levels);
    if (most > pus)
        most = pus;
    for (int outer = level + 1; outer <= levels; outer++) {
        const char *cores;
        if (find_instance(profile, at, outer, &cores) == SERVET_OK &&
            srv_ranges_count(cores) < most)
            most = srv_ranges_count(cores);
    }
    return most > 1 ? most : 1;
}

/* A node with a single PU has nothing to measure. */
static bool has_one_core(const servet_profile *profile, const servet_at *at)
{
    const srv_class *class = srv_class_named(profile, at);
    return class && srv_ranges_count(class->machine.cores) == 1;
}

static bool is_sharing_trusted(const servet_profile *profile, const servet_at *at, int level)
{
    servet_trust trust;
    char key[32];
    snprintf(key, sizeof key, "caches.%d.groups", level);
    return servet_profile_trust(profile, at, key, &trust, NULL) == SERVET_OK && trust.trusted;
}

/* The PUs that share the instance, and whether that is trusted. */
static int count_sharers(const servet_profile *profile, const servet_at *at, servet_block *block)
{
    const char *cores;
    int code = find_instance(profile, at, block->level, &cores);
    block->assumed = code == SERVET_EUNMEASURED;
    if (code != SERVET_OK && !block->assumed)
        return code;
    block->sharers =
        block->assumed ? worst_case(profile, at, block->level) : srv_ranges_count(cores);
    block->trusted =
        block->trusted && !block->assumed && is_sharing_trusted(profile, at, block->level);
    return SERVET_OK;
}

/* How many PUs work in the instance, as the caller says. */
static int limit_sharers(const servet_profile *profile, const servet_at *at, int wanted,
                         servet_block *block)
{
    block->sharers = 1;
    if (wanted == 1 || has_one_core(profile, at))
        return SERVET_OK;
    int code = count_sharers(profile, at, block);
    if (wanted > 0 && wanted < block->sharers)
        block->sharers = wanted;
    return code;
}

/* The set of PUs that the core meant is in, and the most of them that can share its instance. */
static int find_neighbours(const servet_profile *profile, const servet_at *at, int level,
                           const char **cores, int *most)
{
    servet_cache cache;
    int index, count, code = servet_cache_get(profile, at, level, &cache);
    if (code != SERVET_OK)
        return code;
    if (srv_core_meant(profile, at) == SERVET_ANY_CORE)
        return SERVET_EARGUMENT;
    if (servet_cache_group_count(profile, at, level, &count) == SERVET_EUNMEASURED) {
        *cores = srv_class_named(profile, at)->machine.cores;
        *most = worst_case(profile, at, level);
        return SERVET_OK;
    }
    code = servet_cache_group_of(profile, at, level, &index);
    *most = INT_MAX;
    return code == SERVET_OK ? servet_cache_group(profile, at, level, index, cores) : code;
}

int servet_cache_sharers(const servet_profile *profile, const servet_at *at, int level,
                         const int cores[], int count, int *sharers)
{
    const char *neighbours;
    int found = 0, most, code = find_neighbours(profile, at, level, &neighbours, &most);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; i < count && found < most; i++)
        found += srv_ranges_contain(neighbours, cores[i]);
    if (found == 0)
        return SERVET_EARGUMENT;
    *sharers = found;
    return SERVET_OK;
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* Whole lines, where there is room for one. */
static long long whole_lines(double elements, const servet_value *line, int element_bytes)
{
    long long count = (long long)elements;
    double in_line = servet_value_known(line) ? floor(line->value / element_bytes) : 1;
    return in_line > 1 && elements >= in_line ? count - count % (long long)in_line : count;
}

static void divide(const servet_cache *cache, int arrays, int element_bytes, servet_block *block)
{
    const servet_value *holds = srv_cache_holds(cache);
    block->bytes = fmin(block_share * holds->value, holds->low) / block->sharers;
    block->trusted = block->trusted && holds->trusted;
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
    int code =
        level == 0 ? last_held(profile, at, &cache) : servet_cache_get(profile, at, level, &cache);
    if (code != SERVET_OK)
        return code;
    if (!servet_value_known(srv_cache_holds(&cache)))
        return SERVET_EUNMEASURED;
    servet_block found = {.level = cache.level, .emptied = srv_cache_is_emptied(&cache)};
    found.trusted = cache.trusted && !found.emptied;
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
