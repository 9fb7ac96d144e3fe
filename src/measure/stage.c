/* SPDX-License-Identifier: BSD-3-Clause */
/* What every benchmark needs of the measurement that it is a part of. */
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "detect/visits_file.h"

srv_stage srv_stage_part(const srv_stage *stage, double from, double to)
{
    srv_stage part = *stage;
    double now = stage->machine->ops->elapsed(stage->machine), work = stage->to - stage->from;
    part.from = stage->from + work * from;
    part.to = stage->from + work * to;
    if (stage->until > 0 && to < 1)
        part.until = now + fmax(0, stage->until - now) * (to - from) / (1 - from);
    return part;
}

double srv_stage_deadline(const srv_stage *stage)
{
    return stage->until > 0 ? stage->until : INFINITY;
}

int srv_stage_progress(const srv_stage *stage, const char *what, double within)
{
    const servet_measure_options *options = stage->options;
    srv_repeats_tick(stage->repeats, srv_stage_deadline(stage));
    if (!options->progress)
        return 0;
    servet_progress progress = {what, stage->from + (stage->to - stage->from) * within,
                                stage->machine->ops->elapsed(stage->machine)};
    return options->progress(options->context, &progress);
}

/* --- raw series ---------------------------------------------------------------------------------
 */

int srv_stage_file(const srv_stage *stage, const char *name, srv_file *file, bool *wanted,
                   servet_error *error)
{
    char path[SERVET_ERROR_FILE_MAX];
    *wanted = stage->options->raw_dir;
    if (!*wanted)
        return SERVET_OK;
    if (snprintf(path, sizeof path, "%s/%s", stage->options->raw_dir, name) >= (int)sizeof path)
        return srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
    return srv_file_begin(file, path, error);
}

static int path_of(const srv_stage *stage, const char *what, char path[SERVET_ERROR_FILE_MAX],
                   servet_error *error)
{
    int n = snprintf(path, SERVET_ERROR_FILE_MAX, "%s/cache-%s-%s.csv", stage->options->raw_dir,
                     stage->name, what);
    if (n >= SERVET_ERROR_FILE_MAX)
        return srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
    return SERVET_OK;
}

int srv_stage_save(const srv_stage *stage, const char *what, const servet_curve *curve,
                   servet_error *error)
{
    char path[SERVET_ERROR_FILE_MAX];
    if (!stage->options->raw_dir)
        return SERVET_OK;
    int code = path_of(stage, what, path, error);
    return code == SERVET_OK ? servet_curve_write(path, curve, error) : code;
}

int srv_stage_save_visits(const srv_stage *stage, const char *what, const srv_visits *visits,
                          servet_error *error)
{
    char path[SERVET_ERROR_FILE_MAX];
    if (!stage->options->raw_dir)
        return SERVET_OK;
    int code = path_of(stage, what, path, error);
    return code == SERVET_OK ? srv_visits_write(path, visits, error) : code;
}

/* --- curves -------------------------------------------------------------------------------------
 */

typedef struct curve_watch {
    srv_stage stage; /* of the curve alone */
    int core;
    const char *what;
} curve_watch;

static int on_progress(void *context, double bytes, double done)
{
    const curve_watch *watch = context;
    char what[96];
    snprintf(what, sizeof what, "caches of core %d, %s: %.0f KiB", watch->core, watch->what,
             bytes / 1024);
    return srv_stage_progress(&watch->stage, what, done);
}

/* Gives the plan the stage's seed, progress and deadline. */
static void place_plan(const srv_stage *stage, srv_curve_plan *plan, curve_watch *watch)
{
    double until = watch->stage.until;
    plan->watch = on_progress;
    plan->context = watch;
    plan->seed = (uint64_t)stage->options->seed;
    if (until > 0 && (plan->deadline <= 0 || until < plan->deadline))
        plan->deadline = until;
}

int srv_stage_curve(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                    double share, srv_series *series, servet_error *error)
{
    curve_watch watch = {srv_stage_part(stage, from, from + share), plan->traversal.core, what};
    place_plan(stage, plan, &watch);
    return srv_bench_curve(stage->machine, plan, series, error);
}

int srv_stage_visits(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                     double share, srv_visits *visits, double *huge_share, servet_error *error)
{
    curve_watch watch = {srv_stage_part(stage, from, from + share), plan->traversal.core, what};
    place_plan(stage, plan, &watch);
    return srv_bench_visits(stage->machine, plan, visits, huge_share, error);
}
