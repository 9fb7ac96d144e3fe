/* SPDX-License-Identifier: BSD-3-Clause */
/* Who shares a cache, as the papers of 2010 find it out: level by level, all pairs of cores. */
#include "measure/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/servet2010.h"
#include "core/error.h"
#include "core/file.h"
#include "core/ranges.h"
#include "detect/sharing2010.h"

/* The cores of a kind and what becomes of them on one level. */
typedef struct sharing {
    const srv_stage *stage;
    const srv_kind_place *place;
    int core_count, level, level_count;
    int *cores;   /* OS numbers, ascending */
    int *group;   /* of each core */
    int *members; /* of one group */
    char (*sets)[SERVET_CORES_MAX];
    const char **texts; /* the sets */
    srv_pair *pairs;
} sharing;

static void finish(sharing *on)
{
    free(on->cores);
    free(on->group);
    free(on->members);
    free(on->sets);
    free(on->texts);
    free(on->pairs);
}

static int init(sharing *on, const char *cores, servet_error *error)
{
    size_t count = (size_t)srv_ranges_count(cores);
    on->core_count = 0;
    on->cores = calloc(count, sizeof *on->cores);
    on->group = calloc(count, sizeof *on->group);
    on->members = calloc(count, sizeof *on->members);
    on->sets = calloc(count, sizeof *on->sets);
    on->texts = calloc(count, sizeof *on->texts);
    on->pairs = calloc(srv_pair_count((int)count) + 1, sizeof *on->pairs);
    if (!on->cores || !on->group || !on->members || !on->sets || !on->texts || !on->pairs)
        return srv_fail_memory(error);
    for (int first, last; srv_ranges_next(&cores, &first, &last);)
        for (int core = first; core <= last; core++)
            on->cores[on->core_count++] = core;
    return SERVET_OK;
}

/* --- the raw series --------------------------------------------------------------------------- */

static int save(const sharing *on, servet_error *error)
{
    srv_file file;
    char path[SERVET_ERROR_FILE_MAX];
    const srv_stage *stage = on->stage;
    if (!stage->options->raw_dir)
        return SERVET_OK;
    if (snprintf(path, sizeof path, "%s/sharing-%s-L%d.csv", stage->options->raw_dir, stage->name,
                 on->level) >= (int)sizeof path)
        return srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
    int code = srv_file_begin(&file, path, error);
    if (code != SERVET_OK)
        return code;
    fputs("core,other,ratio\n", file.stream);
    for (size_t i = 0; i < srv_pair_count(on->core_count); i++)
        fprintf(file.stream, "%d,%d,%.6g\n", on->cores[on->pairs[i].a], on->cores[on->pairs[i].b],
                on->pairs[i].value);
    return srv_file_commit(&file, error);
}

/* --- facts ------------------------------------------------------------------------------------ */

/* Writes the set of one group. False where it does not fit. */
static bool write_set(sharing *on, int group)
{
    int n = 0;
    for (int i = 0; i < on->core_count; i++)
        if (on->group[i] == group)
            on->members[n++] = on->cores[i];
    on->texts[group] = on->sets[group];
    return srv_ranges_write(on->members, n, on->sets[group], sizeof on->sets[group]);
}

static int store(sharing *on, servet_error *error)
{
    int groups = srv_2010_sharing(on->pairs, srv_pair_count(on->core_count),
                                  on->stage->options->sharing_ratio, on->group, on->core_count);
    for (int i = 0; i < groups; i++)
        if (!write_set(on, i))
            return srv_fail(error, SERVET_EMACHINE, "the list of cores is too long to store");
    return servet_profile_set_cache_groups(on->place->profile, on->place->node_class,
                                           on->place->kind, on->level, on->texts, groups, error);
}

/* --- levels ----------------------------------------------------------------------------------- */

static int on_pair(void *context, int a, int b, double done)
{
    const sharing *on = context;
    char what[96];
    snprintf(what, sizeof what, "sharing of L%d: cores %d and %d", on->level, a, b);
    return srv_stage_progress(on->stage, what, (on->level - 1 + done) / on->level_count);
}

static double deadline(const sharing *on)
{
    const srv_stage *stage = on->stage;
    double within = (double)on->level / on->level_count;
    return stage->options->budget_seconds * (stage->from + (stage->to - stage->from) * within);
}

static int measure_level(sharing *on, double bytes, servet_error *error)
{
    srv_2010_sharing_plan plan = {.cores = on->cores,
                                  .core_count = on->core_count,
                                  .bytes = bytes,
                                  .seed = (uint64_t)on->stage->options->seed,
                                  .deadline = deadline(on),
                                  .watch = on_pair,
                                  .context = on};
    bool complete;
    int code = srv_bench_2010_sharing(on->stage->machine, &plan, on->pairs, &complete, error);
    if (code != SERVET_OK || !complete)
        return code;
    code = save(on, error);
    return code == SERVET_OK ? store(on, error) : code;
}

int srv_measure_sharing_2010(const srv_stage *stage, const char *cores,
                             const srv_cache_facts *facts, const srv_kind_place *place,
                             servet_error *error)
{
    sharing on = {.stage = stage, .place = place, .level_count = facts->count};
    int code = init(&on, cores, error);
    for (int i = 0; i < facts->count && code == SERVET_OK; i++) {
        on.level = i + 1;
        code = measure_level(&on, facts->cache[i].bytes.value, error);
    }
    finish(&on);
    return code;
}
