/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/cores.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"

static servet_at at_core(const srv_stage_place *place, int core)
{
    return (servet_at){.node_class = servet_profile_class_name(place->profile, place->node_class),
                       .core = core};
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

servet_at srv_place_at(const srv_stage_place *place, int core)
{
    return (servet_at){.node_class = servet_profile_class_name(place->profile, place->node_class),
                       .core = core};
}

int srv_cores_of(const srv_stage_place *place, int **cores, int *count, servet_error *error)
{
    servet_at at = at_core(place, SERVET_ANY_CORE);
    servet_kind kind;
    int n = 0, filled = 0;
    for (int i = 0; servet_kind_get(place->profile, &at, i, &kind) == SERVET_OK; i++)
        n += srv_ranges_count(kind.cores);
    *cores = calloc((size_t)(n > 0 ? n : 1), sizeof **cores);
    if (!*cores)
        return srv_fail_memory(error);
    for (int i = 0; servet_kind_get(place->profile, &at, i, &kind) == SERVET_OK; i++) {
        const char *set = kind.cores;
        for (int first, last; srv_ranges_next(&set, &first, &last);)
            for (int core = first; core <= last; core++)
                (*cores)[filled++] = core;
    }
    qsort(*cores, (size_t)n, sizeof **cores, ascending);
    *count = n;
    return SERVET_OK;
}

/* The cores that share a level with a core, itself included; NULL: unknown, or there is no such
 * level. */
static const char *sharers(const srv_stage_place *place, int core, int level)
{
    servet_at at = at_core(place, core);
    const char *group;
    int index;
    if (servet_cache_group_of(place->profile, &at, level, &index) != SERVET_OK ||
        servet_cache_group(place->profile, &at, level, index, &group) != SERVET_OK)
        return NULL;
    return group;
}

int srv_cores_before(const srv_stage_place *place, int core)
{
    for (int level = 1; level <= SERVET_CACHE_LEVELS_MAX; level++) {
        const char *group = sharers(place, core, level);
        if (!group || srv_ranges_count(group) == 1)
            continue;
        int before = 0;
        for (int first, last; srv_ranges_next(&group, &first, &last) && first < core;)
            before += (last < core ? last + 1 : core) - first;
        return before;
    }
    return 0;
}

int srv_cores_apart(const srv_stage_place *place, int core, int other)
{
    servet_at at = at_core(place, core);
    int levels;
    if (servet_cache_count(place->profile, &at, &levels) != SERVET_OK)
        return 0;
    for (int level = 1; level <= levels; level++) {
        const char *group = sharers(place, core, level);
        if (!group)
            return 0;
        if (srv_ranges_contain(group, other))
            return level - 1;
    }
    return levels;
}

/* --- the quietest one ------------------------------------------------------------------------- */

/* Schedulers give slices of some 4 to 10 ms: a short sample separates quiet cores from busy ones.
 */
static const double GLANCE_SECONDS = 20e-3;
enum { CANDIDATES_MAX = 8 };

/* The n-th number of a set. */
static int core_at(const char *cores, int n)
{
    int first, last;
    while (srv_ranges_next(&cores, &first, &last)) {
        if (n <= last - first)
            return first + n;
        n -= last - first + 1;
    }
    return -1;
}

int srv_quietest_core(srv_machine *machine, const char *cores, int *core, servet_error *error)
{
    int count = srv_ranges_count(cores);
    int candidates = count < CANDIDATES_MAX ? count : CANDIDATES_MAX;
    double lost = INFINITY;
    *core = core_at(cores, 0);
    for (int i = 0; i < candidates && candidates > 1; i++) {
        int candidate = core_at(cores, (int)((long long)i * count / candidates));
        srv_noise noise;
        int code = machine->ops->noise(machine, candidate, GLANCE_SECONDS, &noise, error);
        if (code != SERVET_OK)
            return code;
        if (noise.lost < lost) {
            lost = noise.lost;
            *core = candidate;
        }
    }
    return SERVET_OK;
}
