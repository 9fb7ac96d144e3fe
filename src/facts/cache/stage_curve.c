/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/stage_curve.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "facts/cache/raw_visits.h"

/* A curve's own path: "RAW/cache-KIND-WHAT.csv". */
static int curve_path(const srv_stage *stage, const char *raw, const char *what,
                      char path[SERVET_ERROR_FILE_MAX], servet_error *error)
{
    int length =
        snprintf(path, SERVET_ERROR_FILE_MAX, "%s/cache-%s-%s.csv", raw, stage->name, what);
    return length < SERVET_ERROR_FILE_MAX
               ? SERVET_OK
               : srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
}

int srv_stage_save(const srv_stage *stage, const char *what, const servet_curve *curve,
                   servet_error *error)
{
    char path[SERVET_ERROR_FILE_MAX];
    if (!stage->options->raw_dir)
        return SERVET_OK;
    int code = curve_path(stage, stage->options->raw_dir, what, path, error);
    return code == SERVET_OK ? servet_curve_write(path, curve, error) : code;
}

int srv_stage_save_visits(const srv_stage *stage, const char *what, const srv_visits *visits,
                          servet_error *error)
{
    char path[SERVET_ERROR_FILE_MAX];
    if (!stage->options->raw_dir)
        return SERVET_OK;
    int code = curve_path(stage, stage->options->raw_dir, what, path, error);
    return code == SERVET_OK ? srv_visits_write(path, visits, error) : code;
}

/* --- curves ----------------------------------------------------------------------------------- */

typedef struct curve_progress {
    srv_stage stage; /* of the curve alone */
    int core;
    const char *what;
} curve_progress;

static int on_progress(void *context, double bytes, double done)
{
    const curve_progress *progress = context;
    char what[96];
    snprintf(what, sizeof what, "caches of core %d, %s: %.0f KiB", progress->core, progress->what,
             bytes / 1024);
    return srv_stage_progress(&progress->stage, what, done);
}

/* Gives the plan the stage's seed, progress and deadline. */
static void place_plan(const srv_stage *stage, srv_curve_plan *plan, curve_progress *progress)
{
    srv_deadline whole = srv_stage_deadline(&progress->stage);
    plan->progress = on_progress;
    plan->context = progress;
    plan->seed = (uint64_t)stage->options->seed;
    if (srv_deadline_left(&whole, stage->machine) <
        srv_deadline_left(&plan->deadline, stage->machine))
        plan->deadline = whole;
}

int srv_stage_curve(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                    double share, srv_series *series, servet_error *error)
{
    curve_progress progress = {srv_stage_part(stage, from, from + share), plan->traversal.core,
                               what};
    place_plan(stage, plan, &progress);
    servet_error failed = SERVET_ERROR_INIT;
    int code = srv_bench_curve(stage->machine, plan, series, &failed);
    if (code == SERVET_EUNMEASURED && plan->optional) {
        *series = (srv_series){.curve = SERVET_CURVE_INIT, .huge_share = NAN};
        return SERVET_OK; /* a recording that lacks this curve */
    }
    return code == SERVET_OK
               ? code
               : srv_fail_at(error, code, failed.file, failed.line, "%s", failed.text);
}

int srv_stage_visits(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                     double share, srv_visits *visits, double *huge_share, servet_error *error)
{
    curve_progress progress = {srv_stage_part(stage, from, from + share), plan->traversal.core,
                               what};
    place_plan(stage, plan, &progress);
    return srv_bench_visits(stage->machine, plan, visits, huge_share, error);
}
