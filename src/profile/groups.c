/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about who shares a cache. */
#include "core/ranges.h"
#include "profile/types.h"

/* The sets of a level, known ones. */
static int find_groups(const servet_profile *profile, const servet_at *at, int level,
                       const srv_list **groups)
{
    const srv_cache *cache;
    int code = srv_level_find(profile, at, level, &cache);
    if (code != SERVET_OK)
        return code;
    *groups = &cache->groups;
    return cache->groups.known ? SERVET_OK : SERVET_EUNMEASURED;
}

int servet_cache_group_count(const servet_profile *profile, const servet_at *at, int level,
                             int *count)
{
    const srv_list *groups;
    int code = find_groups(profile, at, level, &groups);
    if (code == SERVET_OK)
        *count = groups->count;
    return code;
}

int servet_cache_group(const servet_profile *profile, const servet_at *at, int level, int index,
                       const char **cores)
{
    const srv_list *groups;
    int code = find_groups(profile, at, level, &groups);
    if (code != SERVET_OK)
        return code;
    if (index < 0 || index >= groups->count)
        return SERVET_ERANGE;
    *cores = ((const char *const *)groups->items)[index];
    return SERVET_OK;
}

int servet_cache_group_of(const servet_profile *profile, const servet_at *at, int level, int *index)
{
    const srv_list *groups;
    if (!at || at->core == SERVET_ANY_CORE)
        return SERVET_EARGUMENT;
    int code = find_groups(profile, at, level, &groups);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; i < groups->count; i++)
        if (srv_ranges_contain(((const char *const *)groups->items)[i], at->core)) {
            *index = i;
            return SERVET_OK;
        }
    return SERVET_EUNMEASURED;
}
