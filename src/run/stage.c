/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/stage.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"

srv_slot srv_slot_part(const srv_slot *slot, double now, double from, double to)
{
    srv_slot part = *slot;
    double work = slot->to - slot->from;
    part.from = slot->from + work * from;
    part.to = slot->from + work * to;
    if (slot->until > 0 && to < 1)
        part.until = now + fmax(0, slot->until - now) * (to - from) / (1 - from);
    return part;
}

double srv_slot_done(const srv_slot *slot, double within)
{
    srv_repeats_tick(slot->repeats, slot->until > 0 ? slot->until : INFINITY);
    return slot->from + (slot->to - slot->from) * within;
}

srv_stage srv_stage_part(const srv_stage *stage, double from, double to)
{
    srv_stage part = *stage;
    double now = stage->machine->ops->elapsed(stage->machine);
    part.slot = srv_slot_part(&stage->slot, now, from, to);
    return part;
}

srv_account srv_stage_account(const srv_stage *stage, servet_topic topic, int level)
{
    return (srv_account){stage->options->findings, topic, stage->name, level};
}

srv_deadline srv_stage_deadline(const srv_stage *stage)
{
    return (srv_deadline){stage->slot.until, stage->slot.cut};
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
    double done = srv_slot_done(&stage->slot, within);
    if (!options->progress)
        return 0;
    servet_progress progress = {what, done, stage->machine->ops->elapsed(stage->machine)};
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
