/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/concurrency/stage_targets.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "stats/saturation.h"

/* A working set of a quarter of a level fits inside it on any pages (of half of 3 MiB in 12 ways, 3
 * % of the loads miss); a cyclic traversal of twice the level above has no hits there. If both are
 * impossible, the set is the geometric mean of the two. */
static const double INSIDE = 0.25, OUTSIDE = 2;

/* Sets of several cores fill this much of their level, and exceed the one above by this. */
static const double INSIDE_TOGETHER = 0.75, OUTSIDE_TOGETHER = 1.5;

/* Size of a set in memory, in last levels: random replacement keeps 6 % of it. */
static const double IN_MEMORY = 3, IN_MEMORY_LEAST = 32.0 * (1 << 20);

/* Whole lines, and enough of them for every chain. */
static double whole_lines(double bytes, double line)
{
    return fmax(SRV_CHAINS_MAX, floor(bytes / line)) * line;
}

/* --- targets of one core ---------------------------------------------------------------------- */

static bool has_turnover(const servet_cache *cache)
{
    return cache->bytes.method == SERVET_METHOD_TURNOVER;
}

static double between(double above, double capacity)
{
    double bytes = INSIDE * capacity;
    return bytes >= OUTSIDE * above ? bytes : sqrt(above * capacity);
}

/* In a level with turnover, the part that is reached at the lowest rate is reached at any rate. */
static srv_measure_target of_cache(const servet_cache *cache, double above)
{
    double capacity = has_turnover(cache) ? cache->bytes.low : cache->bytes.value;
    double line = servet_value_known(&cache->line) ? cache->line.value : SRV_LINE_DEFAULT;
    return (srv_measure_target){
        .level = cache->level,
        .line = line,
        .bytes = capacity > above ? whole_lines(between(above, capacity), line) : 0,
        .above = above,
        .capacity = capacity,
        .trusted = !has_turnover(cache)};
}

/* With too little memory for that, caches answer a part of the loads. */
static srv_measure_target of_memory(double line, double above, double memory)
{
    double most = SRV_MEMORY_SHARE_MAX * memory, wanted = fmax(IN_MEMORY * above, IN_MEMORY_LEAST);
    double bytes = fmin(wanted, most);
    return (srv_measure_target){.line = line,
                                .bytes = bytes >= OUTSIDE * above ? whole_lines(bytes, line) : 0,
                                .above = above,
                                .capacity = INFINITY,
                                .trusted = bytes >= wanted};
}

int srv_targets_of(const servet_profile *profile, const servet_at *at, double memory,
                   srv_measure_target targets[SRV_TARGETS_MAX])
{
    double above = 0, line = SRV_LINE_DEFAULT;
    int n = 0;
    servet_cache cache;
    while (n < SERVET_CACHE_LEVELS_MAX &&
           servet_cache_get(profile, at, n + 1, &cache) == SERVET_OK) {
        targets[n] = of_cache(&cache, above);
        line = targets[n++].line;
        above = has_turnover(&cache) ? cache.bytes.high : cache.bytes.value;
    }
    targets[n++] = of_memory(line, above, memory);
    return n;
}

/* --- cores that share a target ---------------------------------------------------------------- */

/* Appends those of a set that are not among the first `n` yet. */
static int append(int *cores, int n, const char *set)
{
    int known = n, first, last;
    while (srv_ranges_next(&set, &first, &last))
        for (int core = first; core <= last; core++) {
            int i = 0;
            while (i < known && cores[i] != core)
                i++;
            if (i == known)
                cores[n++] = core;
        }
    return n;
}

/* The cores that share a level with the given one; NULL: unknown. */
static const char *group_of(const servet_profile *profile, const servet_at *at, int level)
{
    const char *cores;
    int group;
    if (servet_cache_group_of(profile, at, level, &group) != SERVET_OK ||
        servet_cache_group(profile, at, level, group, &cores) != SERVET_OK)
        return NULL;
    return cores;
}

/* The groups of the last cache one after the other, so that the first cores are together. */
static int append_groups(const servet_profile *profile, const servet_at *at, int *cores, int n)
{
    const char *set = NULL;
    int levels = 0;
    servet_cache_count(profile, at, &levels);
    if (levels > 0 && (set = group_of(profile, at, levels)))
        n = append(cores, n, set);
    for (int i = 0; set && servet_cache_group(profile, at, levels, i, &set) == SERVET_OK; i++)
        n = append(cores, n, set);
    return n;
}

int srv_target_cores(const servet_profile *profile, const servet_at *at,
                     const srv_measure_target *target, int **cores, int *count, servet_error *error)
{
    servet_machine machine;
    const char *set = target->level > 0 ? group_of(profile, at, target->level) : machine.cores;
    *cores = NULL;
    *count = 0;
    if (!set || servet_profile_machine(profile, at, &machine) != SERVET_OK)
        return SERVET_OK;
    *cores = malloc(((size_t)srv_ranges_count(machine.cores) + 1) * sizeof **cores);
    if (!*cores)
        return srv_fail_memory(error);
    (*cores)[0] = at->core;
    *count = 1;
    if (target->level == 0)
        *count = append_groups(profile, at, *cores, 1);
    *count = append(*cores, *count, set);
    return SERVET_OK;
}

/* --- how many at once ------------------------------------------------------------------------- */

/* The set of each of `count` cores; 0: there is no room for them. */
static double set_in_memory(const srv_measure_target *target, int count, int together,
                            double memory)
{
    double all = fmax(IN_MEMORY * target->above, IN_MEMORY_LEAST);
    /* Fewest of `count` cores that share a last cache: its content is divided by their number. */
    int rest = count % together;
    double bytes = whole_lines(all / (count <= together ? count
                                      : rest > 0        ? rest
                                                        : together),
                               target->line);
    return count * bytes <= SRV_MEMORY_SHARE_MAX * memory ? bytes : 0;
}

static double set_in_cache(const srv_measure_target *target, int count)
{
    double room = fmin(target->bytes, INSIDE_TOGETHER * target->capacity / count);
    return room >= OUTSIDE_TOGETHER * target->above ? whole_lines(room, target->line) : 0;
}

int srv_target_teams(const srv_measure_target *target, int core_count, int together, double memory,
                     srv_load teams[SRV_TEAMS_MAX])
{
    int n = 0;
    for (int count = 2; count <= core_count && n < SRV_TEAMS_MAX;) {
        double bytes = target->level > 0 ? set_in_cache(target, count)
                                         : set_in_memory(target, count, together, memory);
        if (bytes > 0)
            teams[n++] = (srv_load){.count = count, .bytes = bytes};
        bool in_group = target->level > 0 || count < together;
        int next = in_group ? srv_next_count(count, together) : 2 * count;
        count = count < core_count && next > core_count ? core_count : next;
    }
    return n;
}
