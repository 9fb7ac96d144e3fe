/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/traversals.h"

#include <stdlib.h>

#include "core/error.h"

typedef struct running {
    srv_hardware_traversal traversal;
    const srv_traversal *request;
    srv_timing *timing;
    double ns_per_load;
} running;

static int prepare(void *self, servet_error *error)
{
    running *on = self;
    return srv_hardware_traversal_prepare(&on->traversal, on->request, error);
}

static void warm(void *self)
{
    running *on = self;
    on->ns_per_load = srv_hardware_traversal_warm(&on->traversal);
}

static void sample(void *self)
{
    running *on = self;
    srv_hardware_traversal_sample(&on->traversal, on->request->seconds, on->ns_per_load,
                                  on->timing);
}

static void keep_on(void *self)
{
    running *on = self;
    srv_hardware_traversal_keep_on(&on->traversal, on->ns_per_load);
}

static void finish(void *self)
{
    running *on = self;
    srv_hardware_traversal_finish(&on->traversal);
}

static const srv_thread_team_job job = {prepare, warm, sample, keep_on, finish};

int srv_hardware_traversals_run(const srv_hardware_traversal *like, const srv_traversal *traversals,
                                int count, srv_timing *timings, servet_error *error)
{
    size_t room = (size_t)(count > 0 ? count : 1);
    running *runs = calloc(room, sizeof *runs);
    srv_thread_task *tasks = calloc(room, sizeof *tasks);
    int code = runs && tasks ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        srv_hardware_traversal_init(&runs[i].traversal, like->pool, like->clock,
                                    like->memory_bytes / count, like->page_bytes);
        runs[i].request = &traversals[i];
        runs[i].timing = &timings[i];
        tasks[i] = (srv_thread_task){traversals[i].core, &runs[i]};
    }
    if (code == SERVET_OK)
        code = srv_thread_team_run(like->pool->topology, like->clock, &job, tasks, count, error);
    free(runs);
    free(tasks);
    return code;
}
