/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/walks.h"

#include <stdlib.h>

#include "core/error.h"

typedef struct walking {
    srv_walk walk;
    const srv_traversal *traversal;
    srv_timing *timing;
    double ns_per_load;
} walking;

static int prepare(void *self, servet_error *error)
{
    walking *on = self;
    return srv_walk_prepare(&on->walk, on->traversal, error);
}

static void warm(void *self)
{
    walking *on = self;
    on->ns_per_load = srv_walk_warm(&on->walk);
}

static void sample(void *self)
{
    walking *on = self;
    srv_walk_sample(&on->walk, on->traversal->seconds, on->ns_per_load, on->timing);
}

static void keep_on(void *self)
{
    walking *on = self;
    srv_walk_on(&on->walk, on->ns_per_load);
}

static void finish(void *self)
{
    walking *on = self;
    srv_walk_finish(&on->walk);
}

static const srv_team_job job = {prepare, warm, sample, keep_on, finish};

int srv_walks_run(const srv_walk *like, const srv_traversal *traversals, int count,
                  srv_timing *timings, servet_error *error)
{
    size_t room = (size_t)(count > 0 ? count : 1);
    walking *walks = calloc(room, sizeof *walks);
    srv_duty *duties = calloc(room, sizeof *duties);
    int code = walks && duties ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        srv_walk_init(&walks[i].walk, like->topology, like->clock, like->memory_bytes / count,
                      like->page_bytes);
        walks[i].traversal = &traversals[i];
        walks[i].timing = &timings[i];
        duties[i] = (srv_duty){traversals[i].core, &walks[i]};
    }
    if (code == SERVET_OK)
        code = srv_team_run(like->topology, like->clock, &job, duties, count, error);
    free(walks);
    free(duties);
    return code;
}
