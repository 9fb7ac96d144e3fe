/* SPDX-License-Identifier: BSD-3-Clause */
/* One core's caches by the method of the papers of 2010: one curve in cycles, and its analysis. */
#include "facts/servet2010/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"
#include "core/room.h"
#include "core/units.h"
#include "facts/cache/stage_parts.h"
#include "facts/servet2010/benchmark.h"
#include "facts/sharing/stage_parts.h"
#include "facts/stages.h"
#include "run/cores.h"
#include "run/raw_file.h"
#include "stats/components.h"

/* Sorts the frequencies: code that needs them by size must run before. */
static void collect(srv_series *series, const servet_cache_analysis *analysis,
                    srv_cache_facts *facts)
{
    srv_spread ghz = srv_spread_of(series->ghz, series->curve.n);
    double huge = series->huge_share;
    facts->count = analysis->level_count;
    facts->reached_bytes = series->curve.bytes[series->curve.n - 1];
    for (int i = 0; i < facts->count; i++)
        facts->cache[i] = srv_cache_fact(&analysis->level[i], ghz.median);
    facts->memory_latency =
        srv_latency_in(analysis->memory_latency, SERVET_UNIT_SECOND, ghz.median);
    facts->frequency = srv_cache_seen(&ghz, 1e9, SERVET_UNIT_HERTZ);
    facts->huge_share =
        srv_cache_seen(&(srv_spread){huge, huge, huge, huge, 1}, 1, SERVET_UNIT_NONE);
}

static int analyze(const srv_stage *stage, srv_series *series, double page_bytes,
                   srv_cache_facts *facts, servet_error *error)
{
    servet_2010_options options = SERVET_2010_OPTIONS_INIT;
    servet_cache_analysis analysis;
    options.page_bytes = page_bytes;
    options.votes = stage->options->votes;
    srv_2010_to_cycles(series);
    int code = srv_stage_save(stage, "servet2010", &series->curve, error);
    if (code == SERVET_OK)
        code = servet_analyze_cache_2010(&series->curve, &options, &analysis, error);
    if (code == SERVET_OK)
        collect(series, &analysis, facts);
    return code;
}

int srv_measure_caches_2010(const srv_stage *stage, int core, double max_bytes,
                            srv_cache_facts *facts, servet_error *error)
{
    srv_machine *machine = stage->machine;
    srv_curve_plan plan = srv_2010_curve_plan(core, stage->options->min_bytes, max_bytes);
    srv_series series = {.curve = SERVET_CURVE_INIT};
    srv_reported reported;
    servet_machine description;
    int code = machine->ops->reported(machine, core, &reported, error);
    if (code == SERVET_OK)
        code = machine->ops->describe(machine, &description, error);
    if (code == SERVET_OK)
        code = srv_stage_curve(stage, &plan, "servet2010", 0, 1, &series, error);
    if (code == SERVET_OK)
        code = analyze(stage, &series, description.page_bytes, facts, error);
    if (code == SERVET_OK)
        srv_compare_caches(&reported, facts);
    srv_series_free(&series);
    return code;
}

/* --- sharing: level by level, all pairs of cores ---------------------------------------------- */

int srv_2010_sharing(const srv_pair *pairs, size_t pair_count, double ratio, int *group,
                     int core_count)
{
    srv_components_init(group, core_count);
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].value > ratio)
            srv_components_join(group, pairs[i].a, pairs[i].b);
    return srv_components_number(group, core_count);
}

/* A core type whose caches are known. */
typedef struct measured_type {
    const char *cores;
    int count; /* levels */
    double bytes[SERVET_CACHE_LEVELS_MAX];
} measured_type;

/* The cores that have a level, and their times. */
typedef struct sharing {
    srv_room room;
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

static void recall(sharing *on)
{
    servet_at at = srv_place_at(on->place, SERVET_ANY_CORE);
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

static int by_number(const void *a, const void *b)
{
    return ((const srv_2010_core *)a)->number - ((const srv_2010_core *)b)->number;
}

static int save(const sharing *on, size_t measured, servet_error *error)
{
    srv_raw_file file;
    if (srv_raw_begin(&file, on->stage->options->raw_dir, error, "sharing-L%d.csv", on->level)) {
        fputs("core,other,ratio\n", file.stream);
        for (const srv_pair *pair = on->pairs; pair < on->pairs + measured; pair++)
            fprintf(file.stream, "%d,%d,%.6g\n", on->cores[pair->a].number,
                    on->cores[pair->b].number, pair->value);
    }
    return srv_raw_end(&file, error);
}

static int store(sharing *on, servet_error *error)
{
    srv_2010_sharing(on->pairs, srv_pair_count(on->core_count), on->stage->options->sharing_ratio,
                     on->group, on->core_count);
    for (int i = 0; i < on->core_count; i++)
        on->members[i] = (srv_group_member){on->cores[i].number, on->cores[i].kind, on->group[i]};
    return srv_store_cache_groups(on->stage->machine, on->place, on->level, on->members,
                                  on->core_count, NULL, error);
}

static int measure_level(sharing *on, servet_error *error)
{
    int count = on->level_count;
    srv_stage_task task = {
        srv_stage_part(on->stage, (on->level - 1.0) / count, (double)on->level / count)};
    snprintf(task.what, sizeof task.what, "sharing of L%d: ", on->level);
    /* All cores that have the level, of any type: no cache ends at the border of a type. */
    on->core_count = 0;
    for (int i = 0; i < on->type_count; i++) {
        const char *rest = on->types[i].cores;
        for (int first, last;
             on->level <= on->types[i].count && srv_ranges_next(&rest, &first, &last);)
            for (int core = first; core <= last; core++)
                on->cores[on->core_count++] =
                    (srv_2010_core){core, i, on->types[i].bytes[on->level - 1]};
    }
    qsort(on->cores, (size_t)on->core_count, sizeof *on->cores, by_number);
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

/* Determines by the method of the papers of 2010 which cores share which cache, and stores it level
 * by level: all cores that have the level are measured in pairs, of any core type. A level without
 * time in the budget stays unmeasured; the measured pairs are kept in the raw file. Errors: those
 * of the machine and the benchmark, SERVET_EIO, SERVET_EMEMORY. */
int srv_measure_sharing_2010(const srv_stage *stage, const srv_stage_place *place,
                             servet_error *error)
{
    sharing on = {.stage = stage, .place = place};
    size_t count = 0;
    recall(&on);
    for (int i = 0; i < on.type_count; i++) {
        int levels = on.types[i].count;
        count += (size_t)srv_ranges_count(on.types[i].cores);
        on.level_count = levels > on.level_count ? levels : on.level_count;
    }
    on.cores = srv_room_take(&on.room, count, sizeof *on.cores);
    on.group = srv_room_take(&on.room, count, sizeof *on.group);
    on.members = srv_room_take(&on.room, count, sizeof *on.members);
    on.pairs = srv_room_take(&on.room, srv_pair_count((int)count) + 1, sizeof *on.pairs);
    int code = on.room.failed ? srv_fail_memory(error) : SERVET_OK;
    for (on.level = 1; on.level <= on.level_count && code == SERVET_OK; on.level++)
        code = measure_level(&on, error);
    srv_room_free(&on.room);
    return code;
}
