/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about who shares a cache. */
#include "profile/types.h"

int servet_cache_group_count(const servet_profile *profile, const servet_at *at, int level,
                             int *count)
{
    const srv_cache *cache;
    int code = srv_level_find(profile, at, level, &cache);
    return code == SERVET_OK ? srv_list_count(&cache->groups, count) : code;
}

int servet_cache_group(const servet_profile *profile, const servet_at *at, int level, int index,
                       const char **cores)
{
    const srv_cache *cache;
    int code = srv_level_find(profile, at, level, &cache);
    return code == SERVET_OK ? srv_set_item(&cache->groups, index, cores) : code;
}

int servet_cache_group_of(const servet_profile *profile, const servet_at *at, int level, int *index)
{
    const srv_cache *cache;
    if (!srv_names_core(at))
        return SERVET_EARGUMENT;
    int code = srv_level_find(profile, at, level, &cache);
    return code == SERVET_OK ? srv_set_index(&cache->groups, at->core, index) : code;
}

int servet_cache_sharing(const servet_profile *profile, const servet_at *at, int level,
                         servet_sharing *sharing)
{
    const srv_cache *cache;
    const void *found;
    int code = srv_level_find(profile, at, level, &cache);
    if (code == SERVET_OK)
        code = srv_list_item(&cache->sharing, 0, sizeof *sharing, &found);
    if (code == SERVET_OK)
        *sharing = *(const servet_sharing *)found;
    return code;
}
