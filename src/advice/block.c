/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes block sizes: the part of several arrays that a thread keeps in its part of a cache. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/cache.h"
#include "core/ranges.h"
#include "profile/query/find.h"
#include "profile/spans.h"
#include "profile/types.h"
#include "servet/advice.h"

/*
 * Share of a cache that a block takes, so that other data does not displace it. Blocks that filled
 * an L2 took twice as long beside another program (gains.md).
 */
static const double block_share = 0.5;

/* --- the level -------------------------------------------------------------------------------- */

/* Returns the number of the last level of a core type that is not a turnover; 0: there is none. */
static int last_held(const srv_core_kind *kind)
{
    const srv_cache *caches = kind->caches.items;
    int level = kind->caches.count;
    while (level > 0 && srv_cache_is_emptied(&caches[level - 1].fact))
        level--;
    return level;
}

/* Finds the level's struct, a srv_cache, and its place; level 0 is the last one that is not a
 * turnover. */
static int locate(const servet_profile *profile, const servet_at *at, int level, srv_site *site)
{
    static const srv_way caches = {SRV_OF_KIND, {offsetof(srv_core_kind, caches)}};
    srv_target target;
    if (level == 0) {
        int code = srv_target_find(profile, at, &target, NULL);
        if (code != SERVET_OK)
            return code;
        level = target.kind ? last_held(target.kind) : 0;
        if (level == 0)
            return SERVET_EUNMEASURED;
    }
    return srv_locate(profile, at, &caches, (long[]){level}, site);
}

/* --- sharing ---------------------------------------------------------------------------------- */

/* The largest number of PUs that share an instance of a level in processors of an architecture,
 * according to the data sheets of processors since 2005. */
typedef struct architecture {
    const char *name;
    int level_1, level_2;
} architecture;

static const architecture architectures[] = {
    {"x86_64", 4, 8},   /* the threads of a core and of a tile of Xeon Phi */
    {"i686", 4, 8},     /* as x86_64 */
    {"ia64", 2, 2},     /* two threads of a core */
    {"aarch64", 4, 48}, /* four threads of a ThunderX2 core; all cores of ThunderX */
    {"ppc64le", 8, 8},  /* eight threads of a POWER8 or POWER10 core */
    {"s390x", 2, 2},    /* two threads of a core */
    {"riscv64", 2, 8},  /* two threads of a core; clusters of eight cores */
    {"", 8, INT_MAX},   /* any other: no core has more than eight threads */
};

static int most_by_architecture(const char *name, int level)
{
    const architecture *row = architectures;
    while (*row->name && strcmp(row->name, name) != 0)
        row++;
    return level == 1 ? row->level_1 : level == 2 ? row->level_2 : INT_MAX;
}

/* Returns the number of the set with the core or, without a core, of the largest set; -1: there is
 * no such set, or sets are not known. */
static int find_set(const srv_list *sets, int core)
{
    return core == SERVET_ANY_CORE ? srv_spans_largest(sets)
                                   : srv_spans_find(sets, (servet_place){0, core});
}

/* Returns the largest number of PUs that can share the level. It is at most the number that share a
 * cache farther from the cores. */
static int worst_case(const srv_target *target, int level)
{
    const servet_machine *machine = &target->node_class->machine;
    const srv_cache *caches = target->kind->caches.items;
    int most = most_by_architecture(machine->architecture, level);
    int pus = srv_ranges_count(machine->cores);
    if (most > pus)
        most = pus;
    for (int outer = level; outer < target->kind->caches.count; outer++) {
        const srv_list *sets = &caches[outer].groups;
        int set = find_set(sets, target->core);
        if (set >= 0 && srv_spans_cores(sets, set) < most)
            most = srv_spans_cores(sets, set);
    }
    return most > 1 ? most : 1;
}

/* The number of PUs that share an instance, or work in it. */
typedef struct sharing {
    int sharers;
    bool assumed, trusted;
} sharing;

/* Assumes the worst case. For a single PU, sharing is not measured, because there are no others. */
static int assume_sharers(const servet_profile *profile, const servet_at *at, int level,
                          sharing *of)
{
    srv_target target;
    int code = srv_target_find(profile, at, &target, NULL);
    if (code != SERVET_OK)
        return code;
    of->sharers = worst_case(&target, level);
    of->assumed = srv_ranges_count(target.node_class->machine.cores) > 1;
    of->trusted = !of->assumed;
    return SERVET_OK;
}

/* Counts the PUs that share the instance, and finds whether that is trusted. */
static int count_sharers(const servet_profile *profile, const servet_at *at, const srv_site *site,
                         sharing *of)
{
    const srv_cache *cache = site->item;
    int set = find_set(&cache->groups, site->core);
    if (set < 0)
        return assume_sharers(profile, at, cache->fact.level, of);
    of->sharers = srv_spans_cores(&cache->groups, set);
    of->trusted = srv_trusts_list(profile, site, offsetof(srv_cache, groups), false);
    return SERVET_OK;
}

/* Limits the number of PUs to those that work in the instance according to the caller. */
static int limit_sharers(const servet_profile *profile, const servet_at *at, const srv_site *site,
                         int wanted, sharing *of)
{
    *of = (sharing){.sharers = 1, .trusted = true};
    if (wanted == 1)
        return SERVET_OK;
    int code = count_sharers(profile, at, site, of);
    if (wanted > 0 && wanted < of->sharers)
        of->sharers = wanted;
    return code;
}

/* Finds the set of PUs that contains the core, and the largest number of PUs that can share its
 * instance. */
static int find_neighbours(const servet_profile *profile, const servet_at *at, int level,
                           const char **cores, int *most)
{
    srv_site site;
    srv_target target;
    int code = level > 0 ? locate(profile, at, level, &site) : SERVET_ERANGE;
    if (code == SERVET_OK)
        code = srv_target_find(profile, at, &target, NULL);
    if (code != SERVET_OK)
        return code;
    if (target.core == SERVET_ANY_CORE)
        return SERVET_EARGUMENT;
    const srv_cache *cache = site.item;
    *most = INT_MAX;
    if (cache->groups.known) {
        int set = find_set(&cache->groups, target.core);
        return set < 0 ? SERVET_EUNMEASURED : srv_set_item(&cache->groups, set, cores);
    }
    *cores = target.node_class->machine.cores;
    *most = worst_case(&target, level);
    return SERVET_OK;
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

/* Rounds down to the elements of whole lines, if there is room for one line. A line may hold a
 * fraction of an element. All numbers are far below 2^53. */
static long long whole_lines(double elements, double in_line)
{
    long long of_line = (long long)in_line;
    long long lines = of_line > 1 ? (long long)(elements / (double)of_line) : 0;
    return lines > 0 ? lines * of_line : (long long)elements;
}

int servet_cache_block(const servet_profile *profile, const servet_at *at, int level, int arrays,
                       int element_bytes, int sharers, servet_block *block)
{
    srv_site site;
    sharing of;
    if (arrays < 1 || element_bytes < 1 || sharers < 0)
        return SERVET_EARGUMENT;
    int code = locate(profile, at, level, &site);
    if (code != SERVET_OK)
        return code;
    const servet_cache *cache = &((const srv_cache *)site.item)->fact;
    const servet_value *holds = srv_cache_holds(cache);
    if (!servet_value_known(holds))
        return SERVET_EUNMEASURED;
    code = limit_sharers(profile, at, &site, sharers, &of);
    if (code != SERVET_OK)
        return code;
    double half = block_share * holds->value, room = half < holds->low ? half : holds->low;
    double elements = room / ((double)of.sharers * arrays * element_bytes);
    double in_line = servet_value_known(&cache->line) ? cache->line.value / element_bytes : 1;
    bool emptied = srv_cache_is_emptied(cache);
    bool trusted = !emptied && of.trusted && holds->trusted && srv_trusts_item(profile, &site);
    if (elements < 1)
        return SERVET_ERANGE;
    if (profile->trusted_only && !trusted)
        return SERVET_EUNTRUSTED;
    *block = (servet_block){.level = cache->level,
                            .sharers = of.sharers,
                            .bytes = room / of.sharers,
                            .elements = whole_lines(elements, in_line),
                            .side = whole_lines(sqrt(elements), in_line),
                            .emptied = emptied,
                            .assumed = of.assumed,
                            .trusted = trusted};
    return SERVET_OK;
}
