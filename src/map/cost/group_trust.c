/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/cost/group_trust.h"

#include "core/ranges.h"
#include "servet/node.h"

/* Queries of the number of levels, of the groups of a level, and of a level's first group. */
typedef struct queries {
    int (*levels)(const servet_profile *profile, const servet_at *at, int *count);
    int (*groups)(const servet_profile *profile, const servet_at *at, int level, int *count);
    int (*group)(const servet_profile *profile, const servet_at *at, int level, int index,
                 const char **cores);
} queries;

static const queries of_caches = {servet_cache_count, servet_cache_group_count, servet_cache_group};
static const queries of_memory = {servet_memory_level_count, servet_memory_group_count,
                                  servet_memory_group};

/* Returns true if levels are not trusted. If their number is not, a level may be missing. */
static bool is_doubtful(const servet_profile *profile, const servet_at *at, const queries *of)
{
    int levels = 0, groups = 0;
    const char *cores;
    int code = of->levels(profile, at, &levels);
    for (int level = 1; level <= levels && code != SERVET_EUNTRUSTED; level++) {
        code = of->groups(profile, at, level, &groups);
        if (code == SERVET_OK && groups > 0)
            code = of->group(profile, at, level, 0, &cores);
    }
    return code == SERVET_EUNTRUSTED;
}

bool srv_cache_groups_trusted(const servet_profile *profile, const char *node_class)
{
    servet_at at = {.node_class = node_class, .core = SERVET_ANY_CORE};
    servet_kind kind;
    int code, last;
    for (int k = 0; (code = servet_kind_get(profile, &at, k, &kind)) == SERVET_OK; k++) {
        servet_at of_kind = at;
        const char *cores = kind.cores;
        (void)srv_ranges_next(&cores, &of_kind.core, &last);
        if (is_doubtful(profile, &of_kind, &of_caches))
            return false;
    }
    return code != SERVET_EUNTRUSTED;
}

bool srv_memory_groups_trusted(const servet_profile *profile, const char *node_class)
{
    const servet_at at = {.node_class = node_class, .core = SERVET_ANY_CORE};
    return !is_doubtful(profile, &at, &of_memory);
}
