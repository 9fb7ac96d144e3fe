/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"

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

srv_account srv_stage_account(const srv_stage *stage, servet_topic topic, int level)
{
    return (srv_account){stage->options->findings, topic, stage->name, level};
}

srv_deadline srv_stage_deadline(const srv_stage *stage)
{
    return (srv_deadline){stage->until, stage->cut};
}

static srv_sampler limit_of(const srv_stage *stage)
{
    return (srv_sampler){.machine = stage->machine, .deadline = srv_stage_deadline(stage)};
}

double srv_stage_left(const srv_stage *stage)
{
    srv_sampler limit = limit_of(stage);
    return srv_sampler_left(&limit);
}

bool srv_stage_fits(const srv_stage *stage, double seconds)
{
    srv_sampler limit = limit_of(stage);
    return srv_sampler_fits(&limit, seconds);
}

int srv_stage_progress(const srv_stage *stage, const char *what, double within)
{
    const servet_measure_options *options = stage->options;
    srv_repeats_tick(stage->repeats, stage->until > 0 ? stage->until : INFINITY);
    if (!options->progress)
        return 0;
    servet_progress progress = {.what = what,
                                .done = stage->from + (stage->to - stage->from) * within,
                                .seconds = stage->machine->ops->elapsed(stage->machine)};
    return options->progress(options->context, &progress);
}

static int on_progress(void *context, const char *what, double done)
{
    const srv_stage_task *task = context;
    char text[2 * SRV_TASK_MAX];
    snprintf(text, sizeof text, "%s%s", task->what, what);
    return srv_stage_progress(&task->stage, text, done);
}

srv_sampler srv_stage_sampler(srv_stage_task *task)
{
    srv_sampler made = limit_of(&task->stage);
    made.progress = on_progress;
    made.context = task;
    return made;
}
