/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/thread_team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/spin.h"

/* A barrier for all threads. */
enum { PREPARED, WARM, SAMPLED, PHASES };

typedef struct common {
    srv_topology *topology;
    const srv_clock *clock;
    const srv_thread_team_job *job;
    int count;
    atomic_int reached[PHASES];
    atomic_bool failed;
} common;

typedef struct worker {
    common *team;
    void *state; /* begins with its core */
    pthread_t thread;
    srv_spell spell;
    int code;
    servet_error error;
} worker;

static bool all_reached(common *team, int phase)
{
    return atomic_load(&team->reached[phase]) >= team->count;
}

/* Spins: a thread that wakes from sleep starts tens of microseconds later than the others. */
static void meet(common *team, int phase)
{
    atomic_fetch_add(&team->reached[phase], 1);
    while (!all_reached(team, phase))
        sched_yield();
}

static int core_of(const worker *self)
{
    return *(const int *)self->state;
}

static int prepare(worker *self)
{
    common *team = self->team;
    int code = srv_topology_bind(team->topology, core_of(self), &self->error);
    if (code != SERVET_OK)
        return code;
    srv_spin_warm(team->clock);
    return team->job->prepare ? team->job->prepare(self->state, &self->error) : SERVET_OK;
}

static void do_step(void (*step)(void *self), worker *self)
{
    if (step)
        step(self->state);
}

/* Threads that get memory at the same time wait for each other; only the following steps count. */
static void measure(worker *self)
{
    common *team = self->team;
    self->spell = srv_spell_begin();
    do_step(team->job->warm, self);
    meet(team, WARM);
    team->job->sample(self->state);
    atomic_fetch_add(&team->reached[SAMPLED], 1);
    while (!all_reached(team, SAMPLED))
        do_step(team->job->keep_on, self);
    srv_spell_end(&self->spell, !srv_topology_is_bound(team->topology, core_of(self)));
}

static void *run(void *argument)
{
    worker *self = argument;
    self->code = prepare(self);
    if (self->code != SERVET_OK)
        atomic_store(&self->team->failed, true);
    meet(self->team, PREPARED);
    if (!atomic_load(&self->team->failed))
        measure(self);
    do_step(self->team->job->finish, self);
    return NULL;
}

/* Starts the threads; those that cannot be created are counted as present, so that no thread waits.
 * */
static int start(common *team, worker *workers)
{
    int started = 0;
    while (started < team->count &&
           pthread_create(&workers[started].thread, NULL, run, &workers[started]) == 0)
        started++;
    if (started < team->count) {
        atomic_store(&team->failed, true);
        atomic_fetch_add(&team->reached[PREPARED], team->count - started);
    }
    return started;
}

/* Waits for all; the first error of a worker is that of the team. */
static int join(worker *workers, int started, srv_spell *spell, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
        srv_spell_join(spell, &workers[i].spell);
        if (workers[i].code != SERVET_OK && code == SERVET_OK)
            code = srv_fail(error, workers[i].code, "%s", workers[i].error.text);
    }
    return code;
}

int srv_thread_team_run(srv_topology *topology, const srv_clock *clock,
                        const srv_thread_team_job *job, void *states, size_t size, int count,
                        servet_error *error)
{
    worker *workers = calloc((size_t)count, sizeof *workers);
    if (!workers)
        return srv_fail_memory(error);
    common team = {.topology = topology, .clock = clock, .job = job, .count = count};
    for (int i = 0; i < count; i++)
        workers[i] = (worker){.team = &team, .state = (char *)states + (size_t)i * size};
    int started = start(&team, workers);
    srv_spell spell = {0};
    int code = join(workers, started, &spell, error);
    free(workers);
    if (code == SERVET_OK && started == count)
        srv_absences_add(&topology->absences, &spell);
    if (code == SERVET_OK && started < count)
        return srv_fail(error, SERVET_EMACHINE, "only %d of %d threads could be started", started,
                        count);
    return code;
}
