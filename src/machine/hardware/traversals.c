/* SPDX-License-Identifier: BSD-3-Clause */
/* Traversals, each on its core, in memory that it touched first. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/company.h"
#include "machine/hardware/probes.h"

typedef struct running {
    int core;
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

/* --- all of them ------------------------------------------------------------------------------ */

static void read_timings(const running *runs, srv_company *company, srv_timing *timings,
                         srv_absences *absences)
{
    double samples[SRV_SAMPLES_MAX];
    for (int i = 0; i < company->count; i++) {
        size_t n = srv_company_samples(company, i, samples);
        timings[i] =
            srv_hardware_traversal_timing(&runs[i].traversal, runs[i].ns_per_load, samples, n);
        timings[i].ghz = runs[i].ghz;
    }
    srv_company_note(company, absences);
}

/* They share the memory in equal parts. */
static int traverse_together(srv_hardware *hw, const srv_traversal *traversals, int count,
                             srv_timing *timings, servet_error *error)
{
    static const srv_thread_team_job job = {prepare, warm, sample, step, NULL};
    srv_company company;
    running *runs = calloc((unsigned)count, sizeof *runs);
    int code = srv_company_init(&company, count, error);
    if (code == SERVET_OK && !runs)
        code = srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        runs[i].core = traversals[i].core;
        srv_hardware_traversal_init(&runs[i].traversal, &hw->arenas, &hw->clock,
                                    hw->memory_bytes / count, hw->traversal.page_bytes);
        runs[i].request = &traversals[i];
        runs[i].log = &company.log[i];
    }
    if (code == SERVET_OK)
        code =
            srv_company_run(&company, &hw->topology, &hw->clock, &job, runs, sizeof *runs, error);
    if (code == SERVET_OK)
        read_timings(runs, &company, timings, &hw->topology.absences);
    for (int i = 0; runs && i < count; i++)
        srv_hardware_traversal_finish(&runs[i].traversal);
    srv_company_finish(&company);
    free(runs);
    return code;
}

/* One traversal stays on the calling thread and finds the caches as the last one left them. */
static int traverse_alone(srv_hardware *hw, const srv_traversal *traversal, srv_timing *timing,
                          servet_error *error)
{
    int code = srv_hardware_settle(hw, traversal->core, error);
    if (code == SERVET_OK)
        code = srv_hardware_traversal_prepare(&hw->traversal, traversal, error);
    if (code != SERVET_OK)
        return code;
    srv_spell spell = srv_spell_begin();
    if (hw->pace.core != traversal->core)
        srv_spin_pace_begin(&hw->pace, &hw->clock, traversal->core);
    double ns_per_load = srv_hardware_traversal_warm(&hw->traversal);
    srv_hardware_traversal_sample(&hw->traversal, traversal->seconds, ns_per_load, timing);
    srv_hardware_end_spell(hw, &spell);
    return SERVET_OK;
}

int srv_hardware_traverse(srv_hardware *hw, const srv_traversal *traversals, int count,
                          srv_timing *timings, servet_error *error)
{
    double bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += fmax(traversals[i].bytes, traversals[i].largest_bytes);
    srv_hardware_leave_room(hw, bytes);
    if (count == 1)
        return traverse_alone(hw, traversals, timings, error);
    srv_hardware_traversal_finish(&hw->traversal); /* its memory belongs to all now */
    return traverse_together(hw, traversals, count, timings, error);
}
