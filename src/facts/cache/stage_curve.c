/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "facts/cache/stage_parts.h"
#include "run/raw_file.h"
#include "stats/curve.h"
#include "stats/visits.h"

int srv_stage_save(const srv_stage *stage, const char *what, const servet_curve *curve,
                   servet_error *error)
{
    srv_raw_file file;
    if (srv_raw_begin(&file, stage->options->raw_dir, error, "cache-%s-%s.csv", stage->name, what))
        srv_curve_print(curve, file.stream);
    return srv_raw_end(&file, error);
}

int srv_stage_save_visits(const srv_stage *stage, const char *what, const srv_visits *visits,
                          servet_error *error)
{
    srv_raw_file file;
    if (srv_raw_begin(&file, stage->options->raw_dir, error, "cache-%s-%s-visits.csv", stage->name,
                      what)) {
        fprintf(
            file.stream,
            "# %zu of %zu visits were quiet\nbytes,placement,moment,seconds,ns,error,busy,ghz\n",
            srv_visits_quiet(visits), visits->count);
        for (size_t i = 0; i < visits->count; i++) {
            const srv_visit *visit = &visits->visit[i];
            fprintf(file.stream, "%.17g,%d,%d,%.6f,%.9g,%.3g,%.5g,%.6g\n", visit->bytes,
                    visit->placement, visit->moment, visit->seconds, visit->ns, visit->error,
                    visit->busy, visit->ghz);
        }
    }
    return srv_raw_end(&file, error);
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
