/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/traversals.h"

#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/company.h"

typedef struct running {
    srv_hardware_traversal traversal;
    const srv_traversal *request;
    srv_step_log *log;
    double ns_per_load, ghz;
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

static void step(void *self)
{
    running *on = self;
    srv_step_log_add(on->log, srv_hardware_traversal_step(&on->traversal, on->ns_per_load));
}

static void sample(void *self)
{
    running *on = self;
    srv_step_log_begin(on->log);
    while (!srv_step_log_suffices(on->log, on->request->seconds))
        step(on);
    on->ghz = srv_spin_frequency(on->traversal.clock);
}

/* The memory stays until all samples are compared. */
static void finish(void *self)
{
    (void)self;
}

static const srv_thread_team_job job = {prepare, warm, sample, step, finish};

/* --- all of them ------------------------------------------------------------------------------ */

static int read_timings(running *runs, srv_company *company, srv_timing *timings,
                        servet_error *error)
{
    double samples[SRV_COMPANY_STEPS];
    int code = srv_company_compare(company, error);
    for (int i = 0; i < company->count && code == SERVET_OK; i++) {
        size_t n = srv_company_samples(company, i, samples);
        timings[i] =
            srv_hardware_traversal_timing(&runs[i].traversal, runs[i].ns_per_load, samples, n);
        timings[i].ghz = runs[i].ghz;
    }
    return code;
}

int srv_hardware_traversals_run(const srv_hardware_traversal *like, const srv_traversal *traversals,
                                int count, srv_timing *timings, servet_error *error)
{
    srv_topology *topology = like->pool->topology;
    size_t room = (size_t)(count > 0 ? count : 1);
    srv_company company;
    running *runs = calloc(room, sizeof *runs);
    srv_thread_task *tasks = calloc(room, sizeof *tasks);
    int code = srv_company_init(&company, count, error);
    if (code == SERVET_OK && !(runs && tasks))
        code = srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        srv_hardware_traversal_init(&runs[i].traversal, like->pool, like->clock,
                                    like->memory_bytes / count, like->page_bytes);
        runs[i].request = &traversals[i];
        runs[i].log = &company.log[i];
        tasks[i] = (srv_thread_task){traversals[i].core, &runs[i]};
    }
    if (code == SERVET_OK)
        code = srv_thread_team_run(topology, like->clock, &job, tasks, count, error);
    if (code == SERVET_OK)
        code = read_timings(runs, &company, timings, error);
    if (code == SERVET_OK)
        srv_company_note(&company, &topology->absences);
    for (int i = 0; runs && i < count; i++)
        srv_hardware_traversal_finish(&runs[i].traversal);
    srv_company_finish(&company);
    free(runs);
    free(tasks);
    return code;
}
