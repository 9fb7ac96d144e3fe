/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores facts of memory in the profile. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/memory/stage_parts.h"
#include "facts/store.h"
#include "run/cores.h"

/* Results of one core; arrays that a cache may hold are not trusted. */
static servet_value value_of(const srv_memory *on, const srv_spread *spread, servet_unit unit)
{
    bool trusted = srv_memory_suffices(&on->plan, 1);
    return spread->n > 0
               ? (servet_value){spread->median, spread->low,         spread->high, (int)spread->n,
                                unit,           SERVET_METHOD_TIMED, trusted}
               : servet_value_unknown(unit);
}

/* Groups of one core do not count: the core is in no pair of the level. */
static int find_groups(const srv_memory *on, int level, srv_sets *groups, servet_error *error)
{
    int *group = calloc((size_t)on->count + 1, sizeof *group);
    if (!group)
        return srv_fail_memory(error);
    int count = srv_detect_overhead_groups(on->found.pair, &on->level[level], group, on->count);
    int code = srv_add_groups(groups, on->cores, group, on->count, count, 2, error);
    free(group);
    return code;
}

static int store_levels(const srv_memory *on, srv_sets *groups, servet_error *error)
{
    servet_memory_level levels[SRV_OVERHEAD_LEVELS_MAX];
    int code = SERVET_OK;
    for (int i = 0; i < on->level_count && code == SERVET_OK; i++) {
        code = find_groups(on, i, &groups[i], error);
        levels[i] = (servet_memory_level){.bandwidth = on->level[i].bandwidth,
                                          .saturation = on->curve[i + 1].saturation,
                                          .verdict = srv_compare_groups(&on->objects, &groups[i])};
        levels[i].bandwidth.trusted =
            on->found.unmeasured == 0 && srv_memory_suffices(&on->plan, 2);
    }
    if (code == SERVET_OK)
        code = srv_store(SRV_PLACE(on->place), levels, sizeof *levels, on->level_count, error,
                         "memory.levels");
    for (int i = 0; i < on->level_count && code == SERVET_OK; i++)
        code = srv_store(SRV_PLACE(on->place), groups[i].set, sizeof *groups[i].set,
                         groups[i].count, error, "memory.levels.%d.groups", i + 1);
    return code;
}

/* A level may be none if the pair that keeps the most keeps nearly all. */
static int doubt_levels(const srv_memory *on, servet_error *error)
{
    int code = SERVET_OK;
    if (on->found.unmeasured > 0)
        code = srv_doubt_facts(SRV_PLACE(on->place), "not all pairs of PUs were compared", error,
                               "memory.levels");
    for (int i = 0; i < on->level_count && code == SERVET_OK; i++)
        if (on->found.pair[on->level[i].first].high >= SRV_MEMORY_WHOLE)
            code = srv_doubt_facts(SRV_PLACE(on->place),
                                   "its cores slow each other down by little more than chance",
                                   error, "memory.levels.%d memory.levels.count", i + 1);
    return code;
}

static int store_pairs(const srv_memory *on, servet_error *error)
{
    srv_sets groups[SRV_OVERHEAD_LEVELS_MAX] = {{0}};
    int code = on->levels_known ? store_levels(on, groups, error) : SERVET_OK;
    if (code == SERVET_OK && on->levels_known)
        code = doubt_levels(on, error);
    for (int i = 0; i < on->level_count; i++)
        srv_sets_finish(&groups[i]);
    return code;
}

/* If rates differ by little more than chance, any of them may be the first that is enough. */
static int doubt_saturation(const srv_memory *on, int level, servet_error *error)
{
    static const char reason[] = "the rates of neighbouring numbers of cores differ too little";
    if (!on->curve[level].unsure)
        return SERVET_OK;
    return level ? srv_doubt_facts(SRV_PLACE(on->place), reason, error,
                                   "memory.levels.%d.saturation", level)
                 : srv_doubt_facts(SRV_PLACE(on->place), reason, error, "memory.saturation");
}

/* The saturation point of a level is a member of it. */
static int store_scaling(const srv_memory *on, int level, const servet_value *each, int count,
                         servet_error *error)
{
    const int *saturation = &on->curve[level].saturation;
    if (level)
        return srv_store(SRV_PLACE(on->place), each, sizeof *each, count, error,
                         "memory.levels.%d.scaling", level);
    const int none = 0; /* an earlier one may be more cores than are measured now */
    int code = srv_store(SRV_PLACE(on->place), &none, sizeof none, 1, error, "memory.saturation");
    if (code == SERVET_OK)
        code = srv_store(SRV_PLACE(on->place), each, sizeof *each, count, error, "memory.scaling");
    return code == SERVET_OK ? srv_store(SRV_PLACE(on->place), saturation, sizeof *saturation, 1,
                                         error, "memory.saturation")
                             : code;
}

static int store_curve(const srv_memory *on, int level, servet_error *error)
{
    const srv_memory_curve *curve = &on->curve[level];
    int count = curve->count > 0 ? curve->point[curve->count - 1].cores : 0;
    servet_value *each = calloc((size_t)count + 1, sizeof *each);
    if (!each)
        return srv_fail_memory(error);
    for (int i = 0; i < count; i++)
        each[i] = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    for (int i = 0; i < curve->count; i++) {
        const srv_scaling *point = &curve->point[i];
        each[point->cores - 1] = (servet_value){point->each,
                                                fmin(point->low, point->each),
                                                fmax(point->high, point->each),
                                                point->cores,
                                                SERVET_UNIT_BYTE_PER_SECOND,
                                                SERVET_METHOD_TIMED,
                                                srv_memory_suffices(&on->plan, point->cores)};
    }
    int code = count > 0 ? store_scaling(on, level, each, count, error) : SERVET_OK;
    free(each);
    return code == SERVET_OK ? doubt_saturation(on, level, error) : code;
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

/* A single NUMA node was measured before: on one core, and by the curves of caches. */
static void fill_single(const srv_memory *on, servet_value *bandwidth, servet_value *latency)
{
    servet_at at = srv_place_at(on->place, SERVET_ANY_CORE);
    *bandwidth = value_of(on, &on->kernels[SERVET_KERNEL_READ], SERVET_UNIT_BYTE_PER_SECOND);
    if (servet_memory_latency(on->place->profile, &at, latency) != SERVET_OK)
        *latency = servet_value_unknown(SERVET_UNIT_SECOND);
}

/* Largest share of a load that is translation: more is another latency. */
static const double TRANSLATION_MOST = 0.5;

/* The first core of a node, by its OS number; SERVET_ANY_CORE: it has none. */
static int core_of(const srv_memory *on, int node)
{
    for (int i = 0; i < on->count; i++)
        if (on->node[i] == node)
            return on->cores[i];
    return SERVET_ANY_CORE;
}

/* Excess of a load of `node`'s own memory over the curves without translation: the number of its
 * pages is the same in any node. Seconds; 0: not known. */
static double translation_of(const srv_memory *on, int node)
{
    servet_value latency;
    servet_at at = srv_place_at(on->place, core_of(on, node));
    double own = srv_seconds(on->remotes[node * on->numa_count + node].latency.median);
    if (on->remotes[node * on->numa_count + node].latency.n == 0 || at.core == SERVET_ANY_CORE ||
        servet_memory_latency(on->place->profile, &at, &latency) != SERVET_OK || !latency.trusted)
        return 0;
    double more = own - latency.value;
    return more > 0 && more < TRANSLATION_MOST * own ? more : 0;
}

static servet_value less(servet_value value, double seconds)
{
    value.value -= seconds;
    value.low -= seconds;
    value.high -= seconds;
    return value;
}

/* A row of a matrix; where nothing of it is known, it was not measured. */
static int store_row(const srv_memory *on, int node, const servet_value *matrix, const char *name,
                     servet_error *error)
{
    const servet_value *row = matrix + node * on->numa_count;
    int known = 0;
    for (int i = 0; i < on->numa_count; i++)
        known += servet_value_known(&row[i]);
    return srv_store(SRV_PLACE(on->place), row, sizeof *row, known ? on->numa_count : 0, error,
                     "numa.%d.%s", node + 1, name);
}

static int store_numa(const srv_memory *on, servet_error *error)
{
    servet_numa nodes[SRV_NUMA_MAX];
    size_t pairs = (size_t)on->numa_count * (size_t)on->numa_count;
    servet_value *values = calloc(2 * pairs, sizeof *values);
    if (!values)
        return srv_fail_memory(error);
    for (int i = 0; i < on->numa_count; i++)
        nodes[i] = (servet_numa){.number = on->numa[i].number, .cores = on->numa[i].cores};
    for (size_t i = 0; i < pairs && on->remotes; i++) {
        values[i] = value_of(on, &on->remotes[i].bandwidth, SERVET_UNIT_BYTE_PER_SECOND);
        values[pairs + i] =
            less(srv_value_in_seconds(value_of(on, &on->remotes[i].latency, SRV_UNIT_NANOSECOND)),
                 translation_of(on, (int)i / on->numa_count));
    }
    if (!on->remotes)
        fill_single(on, &values[0], &values[1]);
    int code = srv_store(SRV_PLACE(on->place), nodes, sizeof *nodes, on->numa_count, error, "numa");
    for (int i = 0; i < on->numa_count && code == SERVET_OK; i++) {
        code = store_row(on, i, values, "bandwidth", error);
        if (code == SERVET_OK)
            code = store_row(on, i, values + pairs, "latency_ns", error);
    }
    free(values);
    return code;
}

int srv_memory_store(const srv_memory *on, servet_error *error)
{
    servet_value bandwidth[SERVET_KERNEL_COUNT];
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        bandwidth[i] = value_of(on, &on->kernels[i], SERVET_UNIT_BYTE_PER_SECOND);
    int code =
        srv_store(SRV_PLACE(on->place), bandwidth, sizeof bandwidth, 1, error, "memory.bandwidth");
    if (code == SERVET_OK)
        code = store_pairs(on, error);
    for (int i = 0; i <= on->level_count && code == SERVET_OK; i++)
        code = store_curve(on, i, error);
    if (code == SERVET_OK)
        code = store_numa(on, error);
    return code == SERVET_OK ? srv_doubt_memory(SRV_PLACE(on->place), 0,
                                                "memory numa.bandwidth numa.latency_ns", error)
                             : code;
}
