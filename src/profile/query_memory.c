/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about memory: alone, together, near and far. */
#include "profile/types.h"

/* --- one core alone --------------------------------------------------------------------------- */

static int find_kernels(const servet_profile *profile, const servet_at *at,
                        const srv_kernels **kernels)
{
    const srv_class *class;
    const void *found;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK)
        code = srv_list_item(&class->memory_bandwidth, 0, sizeof **kernels, &found);
    if (code == SERVET_OK)
        *kernels = found;
    return code;
}

int servet_memory_bandwidth(const servet_profile *profile, const servet_at *at,
                            servet_kernel kernel, servet_value *bandwidth)
{
    const srv_kernels *kernels;
    if ((unsigned)kernel >= SERVET_KERNEL_COUNT)
        return SERVET_EARGUMENT;
    int code = find_kernels(profile, at, &kernels);
    return code == SERVET_OK ? srv_value_known(&kernels->bandwidth[kernel], bandwidth) : code;
}

const servet_value *srv_best_copy(const srv_kernels *kernels)
{
    const servet_value *plain = &kernels->bandwidth[SERVET_KERNEL_COPY];
    const servet_value *streaming = &kernels->bandwidth[SERVET_KERNEL_COPY_NT];
    bool faster = servet_value_known(streaming) &&
                  (!servet_value_known(plain) || streaming->value > plain->value);
    return faster ? streaming : plain;
}

int servet_memory_single(const servet_profile *profile, const servet_at *at,
                         servet_value *bandwidth)
{
    const srv_kernels *kernels;
    int code = find_kernels(profile, at, &kernels);
    return code == SERVET_OK ? srv_value_known(srv_best_copy(kernels), bandwidth) : code;
}

/* --- several cores ---------------------------------------------------------------------------- */

static int find_overhead(const servet_profile *profile, const servet_at *at, int level,
                         const srv_overhead **answer)
{
    const srv_class *class;
    const void *found;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK)
        code = srv_list_item(&class->memory_levels, level - 1L, sizeof **answer, &found);
    if (code == SERVET_OK)
        *answer = found;
    return code;
}

int servet_memory_level_count(const servet_profile *profile, const servet_at *at, int *count)
{
    const srv_class *class;
    int code = srv_class_find(profile, at, &class);
    return code == SERVET_OK ? srv_list_count(&class->memory_levels, count) : code;
}

int servet_memory_level_get(const servet_profile *profile, const servet_at *at, int level,
                            servet_memory_level *answer)
{
    const srv_overhead *found;
    int code = find_overhead(profile, at, level, &found);
    if (code == SERVET_OK)
        *answer = found->fact;
    return code;
}

int servet_memory_group_count(const servet_profile *profile, const servet_at *at, int level,
                              int *count)
{
    const srv_overhead *found;
    int code = find_overhead(profile, at, level, &found);
    return code == SERVET_OK ? srv_list_count(&found->groups, count) : code;
}

int servet_memory_group(const servet_profile *profile, const servet_at *at, int level, int index,
                        const char **cores)
{
    const srv_overhead *found;
    int code = find_overhead(profile, at, level, &found);
    return code == SERVET_OK ? srv_set_item(&found->groups, index, cores) : code;
}

int servet_memory_scaling(const servet_profile *profile, const servet_at *at, int level, int cores,
                          servet_value *bandwidth)
{
    const srv_class *class;
    const srv_overhead *found;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK && level == 0)
        return srv_value_item(&class->memory_scaling, cores - 1L, bandwidth);
    if (code == SERVET_OK)
        code = find_overhead(profile, at, level, &found);
    return code == SERVET_OK ? srv_value_item(&found->scaling, cores - 1L, bandwidth) : code;
}

int servet_memory_saturation(const servet_profile *profile, const servet_at *at, int *cores)
{
    const srv_class *class;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK && class->memory_saturation == 0)
        return SERVET_EUNMEASURED;
    if (code == SERVET_OK)
        *cores = class->memory_saturation;
    return code;
}

int servet_memory_group_of(const servet_profile *profile, const servet_at *at, int level,
                           int *index)
{
    const srv_overhead *found;
    if (!srv_names_core(at))
        return SERVET_EARGUMENT;
    int code = find_overhead(profile, at, level, &found);
    return code == SERVET_OK ? srv_set_index(&found->groups, at->core, index) : code;
}

/* What each of so many cores gets; unknown where that was not asked. */
static servet_value rate_of(const srv_list *scaling, int cores)
{
    servet_value rate = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    (void)srv_value_item(scaling, cores - 1L, &rate);
    return rate;
}

/* The last of the overhead levels with advice for a group that holds the core; NULL: none. */
static const srv_overhead *tightest(const srv_class *class, int core)
{
    const srv_overhead *levels = class->memory_levels.items;
    for (int i = class->memory_levels.count - 1; i >= 0; i--)
        if (levels[i].fact.saturation && srv_set_with(&levels[i].groups, core))
            return &levels[i];
    return NULL;
}

int servet_memory_saturation_of(const servet_profile *profile, const servet_at *at,
                                servet_saturation *advice)
{
    const srv_class *class;
    int code = srv_class_find(profile, at, &class);
    if (code != SERVET_OK)
        return code;
    const srv_overhead *level = srv_names_core(at) ? tightest(class, at->core) : NULL;
    int enough = level ? level->fact.saturation : class->memory_saturation;
    if (!enough)
        return SERVET_EUNMEASURED;
    *advice = (servet_saturation){
        .level = level ? (int)(level - (const srv_overhead *)class->memory_levels.items) + 1 : 0,
        .cores = level ? srv_set_with(&level->groups, at->core) : NULL,
        .enough = enough,
        .bandwidth = rate_of(level ? &level->scaling : &class->memory_scaling, enough),
    };
    return SERVET_OK;
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

static int find_node(const servet_profile *profile, const servet_at *at, int index,
                     const srv_numa_node **node)
{
    const srv_class *class;
    const void *found;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK)
        code = srv_list_item(&class->numa, index, sizeof **node, &found);
    if (code == SERVET_OK)
        *node = found;
    return code;
}

int servet_numa_count(const servet_profile *profile, const servet_at *at, int *count)
{
    const srv_class *class;
    int code = srv_class_find(profile, at, &class);
    return code == SERVET_OK ? srv_list_count(&class->numa, count) : code;
}

int servet_numa_get(const servet_profile *profile, const servet_at *at, int index,
                    servet_numa *numa)
{
    const srv_numa_node *node;
    int code = find_node(profile, at, index, &node);
    if (code == SERVET_OK)
        *numa = (servet_numa){node->number, node->cores};
    return code;
}

int servet_numa_bandwidth(const servet_profile *profile, const servet_at *at, int from, int to,
                          servet_value *bandwidth)
{
    const srv_numa_node *node;
    int code = find_node(profile, at, from, &node);
    return code == SERVET_OK ? srv_value_item(&node->bandwidth, to, bandwidth) : code;
}

int servet_numa_latency(const servet_profile *profile, const servet_at *at, int from, int to,
                        servet_value *latency)
{
    const srv_numa_node *node;
    int code = find_node(profile, at, from, &node);
    return code == SERVET_OK ? srv_value_item(&node->latency, to, latency) : code;
}
