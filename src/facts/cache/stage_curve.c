/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "facts/cache/stage_parts.h"
#include "stats/visits.h"

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

static srv_stage_task task_of(const srv_stage *stage, const srv_curve_plan *plan, const char *what,
                              double from, double to)
{
    srv_stage_task task = {srv_stage_part(stage, from, to)};
    snprintf(task.what, sizeof task.what, "caches of core %d, %s: ", plan->traversal.core, what);
    return task;
}

/* Gives the plan the stage's seed, the task's progress, and the nearer deadline. */
static void place_plan(srv_stage_task *task, srv_curve_plan *plan)
{
    srv_sampler own = srv_stage_sampler(task);
    own.deadline = plan->sampler.deadline;
    plan->sampler = srv_stage_sampler(task);
    plan->seed = (uint64_t)task->stage.options->seed;
    if (srv_sampler_left(&plan->sampler) >= srv_sampler_left(&own))
        plan->sampler = own;
}

int srv_stage_curve(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                    double share, srv_series *series, servet_error *error)
{
    srv_stage_task task = task_of(stage, plan, what, from, from + share);
    servet_error failed = SERVET_ERROR_INIT;
    place_plan(&task, plan);
    int code = srv_bench_curve(plan, series, &failed);
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
    srv_stage_task task = task_of(stage, plan, what, from, from + share);
    place_plan(&task, plan);
    return srv_bench_visits(plan, visits, huge_share, error);
}
