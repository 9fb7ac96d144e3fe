/* SPDX-License-Identifier: BSD-3-Clause */
/* Cache sharing by the method of the papers of 2010: level by level, all pairs of cores. */
#include "facts/stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "core/ranges.h"
#include "facts/servet2010/benchmark.h"
#include "facts/servet2010/detect_sharing.h"
#include "facts/sharing/stage_store.h"

/* A core type whose caches are known. */
typedef struct measured_type {
    const char *cores;
    int count; /* levels */
    double bytes[SERVET_CACHE_LEVELS_MAX];
} measured_type;

/* The cores that have a level, and their times. */
typedef struct sharing {
    const srv_stage *stage;
    const srv_stage_place *place;
    measured_type types[SRV_CORE_TYPES_MAX];
    int type_count, level, level_count;
    int core_count;
    srv_2010_core *cores; /* ascending */
    int *group;           /* of each core */
    srv_group_member *members;
    srv_pair *pairs;
} sharing;

static void finish(sharing *on)
{
    free(on->cores);
    free(on->group);
    free(on->members);
    free(on->pairs);
}

/* The caches of the core types, from the profile. */
static void recall(sharing *on)
{
    servet_at at = {.node_class =
                        servet_profile_class_name(on->place->profile, on->place->node_class),
                    .core = SERVET_ANY_CORE};
    servet_kind kind;
    for (int i = 0;
         i < SRV_CORE_TYPES_MAX && servet_kind_get(on->place->profile, &at, i, &kind) == SERVET_OK;
         i++) {
        measured_type *known = &on->types[on->type_count++];
        servet_at core = {.node_class = at.node_class, .core = atoi(kind.cores)};
        servet_cache cache;
        known->cores = kind.cores;
        while (servet_cache_get(on->place->profile, &core, known->count + 1, &cache) == SERVET_OK)
            known->bytes[known->count++] = cache.bytes.value;
    }
}

static int init(sharing *on, servet_error *error)
{
    size_t count = 0;
    recall(on);
    for (int i = 0; i < on->type_count; i++) {
        int levels = on->types[i].count;
        count += (size_t)srv_ranges_count(on->types[i].cores);
        on->level_count = levels > on->level_count ? levels : on->level_count;
    }
    on->cores = calloc(count, sizeof *on->cores);
    on->group = calloc(count, sizeof *on->group);
    on->members = calloc(count, sizeof *on->members);
    on->pairs = calloc(srv_pair_count((int)count) + 1, sizeof *on->pairs);
    if (!on->cores || !on->group || !on->members || !on->pairs)
        return srv_fail_memory(error);
    return SERVET_OK;
}

static bool has_level(const sharing *on, int kind)
{
    return on->level <= on->types[kind].count;
}

static int by_number(const void *a, const void *b)
{
    return ((const srv_2010_core *)a)->number - ((const srv_2010_core *)b)->number;
}

/* All cores that have the level, of any type: no cache ends at the border of a type. */
static void gather_cores(sharing *on)
{
    on->core_count = 0;
    for (int i = 0; i < on->type_count; i++) {
        const char *rest = on->types[i].cores;
        for (int first, last; has_level(on, i) && srv_ranges_next(&rest, &first, &last);)
            for (int core = first; core <= last; core++)
                on->cores[on->core_count++] =
                    (srv_2010_core){core, i, on->types[i].bytes[on->level - 1]};
    }
    qsort(on->cores, (size_t)on->core_count, sizeof *on->cores, by_number);
}

/* --- the raw series --------------------------------------------------------------------------- */

static int save(const sharing *on, size_t measured, servet_error *error)
{
    srv_file file;
    char path[SERVET_ERROR_FILE_MAX];
    const srv_stage *stage = on->stage;
    if (!stage->options->raw_dir)
        return SERVET_OK;
    if (snprintf(path, sizeof path, "%s/sharing-L%d.csv", stage->options->raw_dir, on->level) >=
        (int)sizeof path)
        return srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
    int code = srv_file_begin(&file, path, error);
    if (code != SERVET_OK)
        return code;
    fputs("core,other,ratio\n", file.stream);
    for (const srv_pair *pair = on->pairs; pair < on->pairs + measured; pair++)
        fprintf(file.stream, "%d,%d,%.6g\n", on->cores[pair->a].number, on->cores[pair->b].number,
                pair->value);
    return srv_file_commit(&file, error);
}

/* --- facts ------------------------------------------------------------------------------------ */

static int store(sharing *on, servet_error *error)
{
    srv_2010_sharing(on->pairs, srv_pair_count(on->core_count), on->stage->options->sharing_ratio,
                     on->group, on->core_count);
    for (int i = 0; i < on->core_count; i++)
        on->members[i] = (srv_group_member){on->cores[i].number, on->cores[i].kind, on->group[i]};
    return srv_store_cache_groups(on->stage->machine, on->place, on->level, on->members,
                                  on->core_count, NULL, error);
}

/* --- levels ----------------------------------------------------------------------------------- */

static int measure_level(sharing *on, servet_error *error)
{
    int count = on->level_count;
    srv_stage_task task = {
        srv_stage_part(on->stage, (on->level - 1.0) / count, (double)on->level / count)};
    snprintf(task.what, sizeof task.what, "sharing of L%d: ", on->level);
    gather_cores(on);
    srv_2010_sharing_plan plan = {.cores = on->cores,
                                  .core_count = on->core_count,
                                  .seed = (uint64_t)on->stage->options->seed,
                                  .sampler = srv_stage_sampler(&task)};
    size_t measured;
    int code = srv_bench_2010_sharing(&plan, on->pairs, &measured, error);
    if (code == SERVET_OK)
        code = save(on, measured, error);
    bool decided =
        measured > 0 && measured == srv_pair_count(on->core_count); /* one core has no pairs */
    return code == SERVET_OK && decided ? store(on, error) : code;
}

/*
 * Determines by the method of the papers of 2010 which cores share which cache, and stores it level
 * by level: all cores that have the level are measured in pairs, of any core type. A level without
 * time in the budget stays unmeasured; the measured pairs are kept in the raw file. Errors: those
 * of the machine and the benchmark, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_measure_sharing_2010(const srv_stage *stage, const srv_stage_place *place,
                             servet_error *error)
{
    sharing on = {.stage = stage, .place = place};
    int code = init(&on, error);
    for (on.level = 1; on.level <= on.level_count && code == SERVET_OK; on.level++)
        code = measure_level(&on, error);
    finish(&on);
    return code;
}
