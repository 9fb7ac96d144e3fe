/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of memory: bandwidth of one core and of several, NUMA nodes, latency under load. */
#include "profile/query/find.h"

#include <stdlib.h>

#include "stats/loaded.h"

/* --- one core alone --------------------------------------------------------------------------- */

static const srv_way kernels_way = {SRV_OF_CLASS, {offsetof(srv_class, memory_bandwidth)}};

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

static const srv_way levels_way = {SRV_OF_CLASS, {offsetof(srv_class, memory_levels)}};
static const srv_way groups_way = {
    SRV_OF_CLASS, {offsetof(srv_class, memory_levels), offsetof(srv_overhead, groups)}};
static const srv_way group_scaling_way = {
    SRV_OF_CLASS, {offsetof(srv_class, memory_levels), offsetof(srv_overhead, scaling)}};
static const srv_way node_scaling_way = {SRV_OF_CLASS, {offsetof(srv_class, memory_scaling)}};

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

int servet_memory_saturation(const servet_profile *profile, const servet_at *at, int *cores)
{
    const srv_class *class;
    int code = srv_class_find(profile, at, &class);
    if (code == SERVET_OK && class->memory_saturation == 0)
        return SERVET_EUNMEASURED;
    if (code == SERVET_OK)
        code = srv_demand(profile, srv_trusts_saturation(profile, class));
    if (code == SERVET_OK)
        *cores = class->memory_saturation;
    return code;
}

/* Returns the number of the last overhead level with a known saturation point for the group of the
 * core, and finds the group; 0: there is none. */
static int tightest(const srv_class *class, int core, const char **cores)
{
    const srv_overhead *levels = class->memory_levels.items;
    int number = core == SERVET_ANY_CORE ? 0 : class->memory_levels.count;
    for (*cores = NULL; number > 0; number--)
        if (levels[number - 1].fact.saturation &&
            (*cores = srv_set_with(&levels[number - 1].groups, core)))
            break;
    return number;
}

/* Returns true if the facts of a level, besides its values, are trusted; for level 0, those of the
 * node. */
static bool trusts_level(const servet_profile *profile, const srv_class *class, int level)
{
    srv_site site;
    srv_site_begin(&site, &srv_class_shape, class);
    if (level == 0)
        return srv_trusts_saturation(profile, class);
    srv_site_enter(&site, srv_row_at(&srv_class_shape, levels_way.step[0]), level);
    return srv_trusts_item(profile, &site);
}

int servet_memory_saturation_of(const servet_profile *profile, const servet_at *at,
                                servet_saturation *advice)
{
    srv_target target;
    servet_saturation found = {.enough = 0};
    int code = srv_target_find(profile, at, &target, NULL);
    if (code != SERVET_OK)
        return code;
    const srv_class *class = target.node_class;
    found.level = tightest(class, target.core, &found.cores);
    const srv_overhead *levels = class->memory_levels.items;
    const srv_overhead *level = found.level ? &levels[found.level - 1] : NULL;
    found.enough = level ? level->fact.saturation : class->memory_saturation;
    if (!found.enough)
        return SERVET_EUNMEASURED;
    found.bandwidth = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    (void)srv_value_item(level ? &level->scaling : &class->memory_scaling, found.enough - 1L,
                         &found.bandwidth);
    found.trusted = trusts_level(profile, class, found.level) &&
                    (!servet_value_known(&found.bandwidth) || found.bandwidth.trusted);
    code = srv_demand(profile, found.trusted);
    if (code == SERVET_OK)
        *advice = found;
    return code;
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

static const srv_way nodes_way = {SRV_OF_CLASS, {offsetof(srv_class, numa)}};
static const srv_way bandwidths_way = {
    SRV_OF_CLASS, {offsetof(srv_class, numa), offsetof(srv_numa_node, bandwidth)}};
static const srv_way latencies_way = {
    SRV_OF_CLASS, {offsetof(srv_class, numa), offsetof(srv_numa_node, latency)}};

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

/* --- loaded latency --------------------------------------------------------------------------- */

static const srv_way loaded_way = {SRV_OF_CLASS, {offsetof(srv_class, loaded)}};
static const srv_way points_way = {
    SRV_OF_CLASS, {offsetof(srv_class, loaded), offsetof(srv_loaded_facts, points)}};

/* The curve of reads from the memory of node `to`, in `*number`, from 1. */
static int find_reads(const servet_profile *profile, const servet_at *at, int from, int to,
                      long *number)
{
    const void *found;
    for (long i = 1;; i++) {
        int code = srv_find(profile, at, &loaded_way, (long[]){i}, &found);
        if (code != SERVET_OK)
            return code == SERVET_ERANGE && i > 1 ? SERVET_EUNMEASURED : code;
        const servet_loaded *fact = &((const srv_loaded_facts *)found)->fact;
        if (fact->from == from && fact->node == to && fact->writes == 0) {
            *number = i;
            return SERVET_OK;
        }
    }
}

static int read_points(const servet_profile *profile, const servet_at *at, long number,
                       servet_loaded_point **points, int *count)
{
    int code = srv_fetch_count(profile, at, &points_way, (long[]){number}, count);
    if (code != SERVET_OK)
        return code;
    *points = calloc((size_t)*count + 1, sizeof **points);
    if (!*points)
        return SERVET_EMEMORY;
    for (int i = 0; i < *count && code == SERVET_OK; i++)
        code = srv_fetch(profile, at, &points_way, (long[]){number, i + 1L}, &(*points)[i],
                         sizeof **points);
    return code;
}

int servet_loaded_latency(const servet_profile *profile, const servet_at *at, int from, int to,
                          double bandwidth, servet_value *latency)
{
    servet_numa core, memory;
    servet_loaded_point *points = NULL;
    long number;
    int count = 0, code = bandwidth >= 0 ? SERVET_OK : SERVET_EARGUMENT;
    if (code == SERVET_OK)
        code = servet_numa_get(profile, at, from, &core);
    if (code == SERVET_OK)
        code = servet_numa_get(profile, at, to, &memory);
    if (code == SERVET_OK)
        code = find_reads(profile, at, core.number, memory.number, &number);
    if (code == SERVET_OK)
        code = read_points(profile, at, number, &points, &count);
    if (code == SERVET_OK) {
        size_t n = srv_loaded_front(points, (size_t)count, points);
        servet_value found = srv_loaded_at(points, n, bandwidth);
        code =
            servet_value_known(&found) ? srv_answer_value(profile, &found, latency) : SERVET_ERANGE;
    }
    free(points);
    return code;
}
