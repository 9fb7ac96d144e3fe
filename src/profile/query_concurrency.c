/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about memory-level parallelism, how many loads in flight still raise bandwidth. */
#include "profile/types.h"

/* Level 0 is memory. */
static int find_list(const servet_profile *profile, const servet_at *at, int level,
                     const srv_list **list)
{
    srv_target target;
    const srv_cache *cache;
    int code = srv_target_find(profile, at, &target, NULL);
    if (code != SERVET_OK || !target.kind)
        return code == SERVET_OK ? SERVET_EUNMEASURED : code;
    if (level == 0) {
        *list = &target.kind->memory_concurrency;
        return SERVET_OK;
    }
    code = srv_level_find(profile, at, level, &cache);
    if (code == SERVET_OK)
        *list = &cache->concurrency;
    return code;
}

static int find_concurrency(const servet_profile *profile, const servet_at *at, int level,
                            const srv_concurrency **answer)
{
    const srv_list *list;
    const void *found;
    int code = find_list(profile, at, level, &list);
    if (code == SERVET_OK)
        code = srv_list_item(list, 0, sizeof **answer, &found);
    if (code == SERVET_OK)
        *answer = found;
    return code;
}

int servet_concurrency_get(const servet_profile *profile, const servet_at *at, int level,
                           servet_concurrency *concurrency)
{
    const srv_concurrency *found;
    int code = find_concurrency(profile, at, level, &found);
    if (code == SERVET_OK)
        *concurrency =
            (servet_concurrency){found->requests, found->requests_low,    found->requests_high,
                                 found->best,     found->of_chains.count, found->of_threads.count};
    return code;
}

int servet_concurrency_of_chains(const servet_profile *profile, const servet_at *at, int level,
                                 int chains, servet_value *bandwidth)
{
    const srv_concurrency *found;
    int code = find_concurrency(profile, at, level, &found);
    return code == SERVET_OK ? srv_value_item(&found->of_chains, chains - 1L, bandwidth) : code;
}

int servet_concurrency_of_threads(const servet_profile *profile, const servet_at *at, int level,
                                  int threads, servet_value *bandwidth)
{
    const srv_concurrency *found;
    int code = find_concurrency(profile, at, level, &found);
    return code == SERVET_OK ? srv_value_item(&found->of_threads, threads - 1L, bandwidth) : code;
}
