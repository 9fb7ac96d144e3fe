/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries about memory: alone, together, near and far. */
#include "profile/query/find.h"

/* --- one core alone --------------------------------------------------------------------------- */

static const srv_way kernels_way = {SRV_OF_CLASS, {"memory_bandwidth"}};

int servet_memory_bandwidth(const servet_profile *profile, const servet_at *at,
                            servet_kernel kernel, servet_value *bandwidth)
{
    const void *found;
    if ((unsigned)kernel >= SERVET_KERNEL_COUNT)
        return SERVET_EARGUMENT;
    int code = srv_find(profile, at, &kernels_way, NULL, &found);
    return code == SERVET_OK
               ? srv_answer_value(profile, &((const srv_kernels *)found)->bandwidth[kernel],
                                  bandwidth)
               : code;
}

int servet_memory_single(const servet_profile *profile, const servet_at *at,
                         servet_value *bandwidth)
{
    const void *found;
    int code = srv_find(profile, at, &kernels_way, NULL, &found);
    return code == SERVET_OK ? srv_answer_value(profile, srv_best_copy(found), bandwidth) : code;
}

/* --- several cores ---------------------------------------------------------------------------- */

static const srv_way levels_way = {SRV_OF_CLASS, {"memory_levels"}};
static const srv_way groups_way = {SRV_OF_CLASS, {"memory_levels", "groups"}};
static const srv_way group_scaling_way = {SRV_OF_CLASS, {"memory_levels", "scaling"}};
static const srv_way node_scaling_way = {SRV_OF_CLASS, {"memory_scaling"}};

SRV_LEVEL_QUERIES(servet_memory_level_count, servet_memory_level_get, servet_memory_level,
                  levels_way)
SRV_GROUP_QUERIES(servet_memory_group_count, servet_memory_group, servet_memory_group_of,
                  groups_way)

int servet_memory_scaling(const servet_profile *profile, const servet_at *at, int level, int cores,
                          servet_value *bandwidth)
{
    return level == 0 ? srv_fetch_value(profile, at, &node_scaling_way, (long[]){cores}, bandwidth)
                      : srv_fetch_value(profile, at, &group_scaling_way, (long[]){level, cores},
                                        bandwidth);
}

static bool trusts_saturation(const srv_class *class)
{
    const srv_site site = {&srv_class_shape, class, &class->doubts, ""};
    const srv_field *row = srv_row_named(&srv_class_shape, "memory_saturation");
    return srv_trust_member(&site, row, false).trusted;
}

int servet_memory_saturation(const servet_profile *profile, const servet_at *at, int *cores)
{
    const srv_class *class;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK && class->memory_saturation == 0)
        return SERVET_EUNMEASURED;
    if (code == SERVET_OK)
        code = srv_demand(profile, trusts_saturation(class));
    if (code == SERVET_OK)
        *cores = class->memory_saturation;
    return code;
}

/* Bandwidth of each of so many cores; unknown if it was not measured. */
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

/* Trust in what a level has besides its values; for 0, of the node. */
static bool trusts_level(const servet_profile *profile, const servet_at *at, const srv_class *class,
                         int level)
{
    srv_site site;
    return level == 0 ? trusts_saturation(class)
                      : srv_locate(profile, at, &levels_way, (long[]){level}, &site) == SERVET_OK &&
                            srv_trust_item(&site).trusted;
}

int servet_memory_saturation_of(const servet_profile *profile, const servet_at *at,
                                servet_saturation *advice)
{
    const srv_class *class;
    int code = srv_class_find(profile, at, &class);
    if (code != SERVET_OK)
        return code;
    int core = srv_core_meant(profile, at);
    const srv_overhead *level = core == SERVET_ANY_CORE ? NULL : tightest(class, core);
    int enough = level ? level->fact.saturation : class->memory_saturation;
    if (!enough)
        return SERVET_EUNMEASURED;
    servet_saturation found = {
        .level = level ? (int)(level - (const srv_overhead *)class->memory_levels.items) + 1 : 0,
        .cores = level ? srv_set_with(&level->groups, core) : NULL,
        .enough = enough,
        .bandwidth = rate_of(level ? &level->scaling : &class->memory_scaling, enough),
    };
    found.trusted = trusts_level(profile, at, class, found.level) &&
                    (!servet_value_known(&found.bandwidth) || found.bandwidth.trusted);
    code = srv_demand(profile, found.trusted);
    if (code == SERVET_OK)
        *advice = found;
    return code;
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

static const srv_way nodes_way = {SRV_OF_CLASS, {"numa"}};
static const srv_way bandwidths_way = {SRV_OF_CLASS, {"numa", "bandwidth"}};
static const srv_way latencies_way = {SRV_OF_CLASS, {"numa", "latency"}};

int servet_numa_count(const servet_profile *profile, const servet_at *at, int *count)
{
    return srv_fetch_count(profile, at, &nodes_way, NULL, count);
}

int servet_numa_get(const servet_profile *profile, const servet_at *at, int index,
                    servet_numa *numa)
{
    const void *found;
    int code = srv_find(profile, at, &nodes_way, (long[]){index + 1L}, &found);
    if (code != SERVET_OK)
        return code;
    const srv_numa_node *node = found;
    *numa = (servet_numa){.number = node->number, .cores = node->cores};
    return SERVET_OK;
}

int servet_numa_bandwidth(const servet_profile *profile, const servet_at *at, int from, int to,
                          servet_value *bandwidth)
{
    return srv_fetch_value(profile, at, &bandwidths_way, (long[]){from + 1L, to + 1L}, bandwidth);
}

int servet_numa_latency(const servet_profile *profile, const servet_at *at, int from, int to,
                        servet_value *latency)
{
    return srv_fetch_value(profile, at, &latencies_way, (long[]){from + 1L, to + 1L}, latency);
}
