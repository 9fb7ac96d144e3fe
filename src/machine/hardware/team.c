/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/spin.h"

/* What all have to reach before anyone goes on. */
enum { PREPARED, WARM, SAMPLED, PHASES };

typedef struct common {
    srv_topology *topology;
    const srv_clock *clock;
    const srv_team_job *job;
    int count;
    atomic_int reached[PHASES];
    atomic_bool failed;
} common;

typedef struct member {
    common *team;
    srv_duty duty;
    pthread_t thread;
    int code;
    servet_error error;
} member;

static bool all_reached(common *team, int phase)
{
    return atomic_load(&team->reached[phase]) >= team->count;
}

/* Spins: who is woken from sleep starts tens of microseconds later than the others. */
static void meet(common *team, int phase)
{
    atomic_fetch_add(&team->reached[phase], 1);
    while (!all_reached(team, phase))
        sched_yield();
}

static int prepare(member *self)
{
    common *team = self->team;
    int code = srv_topology_bind(team->topology, self->duty.core, &self->error);
    if (code != SERVET_OK)
        return code;
    srv_spin_warm(team->clock);
    return team->job->prepare(self->duty.self, &self->error);
}

static void measure(member *self)
{
    common *team = self->team;
    team->job->warm(self->duty.self);
    meet(team, WARM);
    team->job->sample(self->duty.self);
    atomic_fetch_add(&team->reached[SAMPLED], 1);
    while (!all_reached(team, SAMPLED))
        team->job->keep_on(self->duty.self);
}

static void *run(void *argument)
{
    member *self = argument;
    self->code = prepare(self);
    if (self->code != SERVET_OK)
        atomic_store(&self->team->failed, true);
    meet(self->team, PREPARED);
    if (!atomic_load(&self->team->failed))
        measure(self);
    self->team->job->finish(self->duty.self);
    return NULL;
}

/* Starts the threads; those that cannot be had are counted as present, so that nobody waits. */
static int start(common *team, member *members)
{
    int started = 0;
    while (started < team->count &&
           pthread_create(&members[started].thread, NULL, run, &members[started]) == 0)
        started++;
    if (started < team->count) {
        atomic_store(&team->failed, true);
        atomic_fetch_add(&team->reached[PREPARED], team->count - started);
    }
    return started;
}

static int check(const srv_duty *duties, int count, servet_error *error)
{
    if (count < 1)
        return srv_fail(error, SERVET_EARGUMENT, "nothing to do at once");
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (duties[i].core == duties[j].core)
                return srv_fail(error, SERVET_EARGUMENT, "core %d cannot be taken twice at once",
                                duties[i].core);
    return SERVET_OK;
}

/* Waits for all; the first error of a member is that of the team. */
static int join(member *members, int started, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < started; i++) {
        pthread_join(members[i].thread, NULL);
        if (members[i].code != SERVET_OK && code == SERVET_OK)
            code = srv_fail(error, members[i].code, "%s", members[i].error.text);
    }
    return code;
}

int srv_team_run(srv_topology *topology, const srv_clock *clock, const srv_team_job *job,
                 const srv_duty *duties, int count, servet_error *error)
{
    int code = check(duties, count, error);
    if (code != SERVET_OK)
        return code;
    member *members = calloc((size_t)count, sizeof *members);
    if (!members)
        return srv_fail_memory(error);
    common team = {.topology = topology, .clock = clock, .job = job, .count = count};
    for (int i = 0; i < count; i++)
        members[i] = (member){.team = &team, .duty = duties[i]};
    int started = start(&team, members);
    code = join(members, started, error);
    free(members);
    if (code == SERVET_OK && started < count)
        return srv_fail(error, SERVET_EMACHINE, "only %d of %d threads could be started", started,
                        count);
    return code;
}
