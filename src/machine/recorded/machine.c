/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines that are recorded, and replays of them. */
#include <stdlib.h>

#include "core/error.h"
#include "machine/recorded/record.h"

typedef struct recorded {
    srv_machine head;
    srv_machine *inner; /* NULL: this is a replay */
    srv_record record;
} recorded;

static recorded *self(srv_machine *machine)
{
    return (recorded *)machine;
}

/* The answer of the machine behind a recorder, before it is recorded. */
#define INNER(on, probe, ...)                                                                      \
    ((on)->inner ? (on)->inner->ops->probe((on)->inner, __VA_ARGS__) : SERVET_OK)

/* A probe that needs no request. */
#define PLAIN(probe, kind_, type)                                                                  \
    static int answer_##probe(srv_machine *machine, type *answer_, servet_error *error)            \
    {                                                                                              \
        recorded *on = self(machine);                                                              \
        srv_call call = {.kind = kind_, .answer = answer_, .most = 1};                             \
        return srv_record_answer(&on->record, &call, INNER(on, probe, answer_, error), error);     \
    }

PLAIN(describe, SRV_PROBE_DESCRIBE, servet_machine)
PLAIN(clock, SRV_PROBE_CLOCK, srv_clock_facts)
PLAIN(memory, SRV_PROBE_MEMORY, double)

/* One that is answered by a list. */
#define LISTED(probe, kind_, type, most_)                                                          \
    static int answer_##probe(srv_machine *machine, type *list_, int *count_, servet_error *error) \
    {                                                                                              \
        recorded *on = self(machine);                                                              \
        srv_call call = {.kind = kind_, .answer = list_, .most = most_, .count = count_};          \
        return srv_record_answer(&on->record, &call, INNER(on, probe, list_, count_, error),       \
                                 error);                                                           \
    }

LISTED(core_types, SRV_PROBE_CORE_TYPES, srv_core_type, SRV_CORE_TYPES_MAX)
LISTED(nodes, SRV_PROBE_NUMA, srv_numa, SRV_NUMA_MAX)

/* One of several requests at once, an answer to each. */
#define AT_ONCE(KIND, name, request, answer)                                                       \
    static int answer_##name(srv_machine *machine, const request *requests, int count,             \
                             answer *answers, servet_error *error)                                 \
    {                                                                                              \
        recorded *on = self(machine);                                                              \
        srv_call call = {SRV_PROBE_##KIND, requests, count, answers, count, NULL, NULL};           \
        return srv_record_answer(&on->record, &call,                                               \
                                 INNER(on, name, requests, count, answers, error), error);         \
    }

SRV_PROBES_AT_ONCE(AT_ONCE)

/* Members of an answer that are not on record become 0. */
#define ALONE(KIND, name, request, answer)                                                         \
    static int answer_##name(srv_machine *machine, const request *wanted, answer *found,           \
                             servet_error *error)                                                  \
    {                                                                                              \
        recorded *on = self(machine);                                                              \
        srv_call call = {SRV_PROBE_##KIND, wanted, 1, found, 1, NULL, NULL};                       \
        if (!on->inner)                                                                            \
            *found = (answer){0};                                                                  \
        return srv_record_answer(&on->record, &call, INNER(on, name, wanted, found, error),        \
                                 error);                                                           \
    }

SRV_PROBES_ALONE(ALONE)

static int reported(srv_machine *machine, int core, srv_reported *found, servet_error *error)
{
    recorded *on = self(machine);
    srv_call call = {SRV_PROBE_REPORTED, &core,         1,   found->level,
                     SRV_CACHES_MAX,     &found->count, NULL};
    return srv_record_answer(&on->record, &call, INNER(on, reported, core, found, error), error);
}

static int objects(srv_machine *machine, srv_sets *sets, servet_error *error)
{
    recorded *on = self(machine);
    void *list = NULL;
    if (!on->inner)
        *sets = (srv_sets){NULL, 0};
    int code = INNER(on, objects, sets, error);
    list = sets->set;
    srv_call call = {.kind = SRV_PROBE_OBJECTS, .count = &sets->count, .list = &list};
    code = srv_record_answer(&on->record, &call, code, error);
    sets->set = list;
    return code;
}

static int noise(srv_machine *machine, int core, double seconds, srv_noise *seen,
                 servet_error *error)
{
    recorded *on = self(machine);
    srv_glance glance = {core, seconds};
    srv_call call = {SRV_PROBE_NOISE, &glance, 1, seen, 1, NULL, NULL};
    return srv_record_answer(&on->record, &call, INNER(on, noise, core, seconds, seen, error),
                             error);
}

static int absence(srv_machine *machine, srv_absence *seen, servet_error *error)
{
    recorded *on = self(machine);
    srv_call call = {.kind = SRV_PROBE_ABSENCE, .answer = seen, .most = 1};
    int code = on->inner ? srv_machine_absence(on->inner, seen, error) : SERVET_OK;
    return srv_record_answer(&on->record, &call, code, error);
}

static int evict(srv_machine *machine, const srv_eviction *eviction, float *ns, servet_error *error)
{
    recorded *on = self(machine);
    srv_hashed_eviction request = srv_eviction_hashed(eviction);
    srv_call call = {
        SRV_PROBE_EVICT, &request, 1, ns, eviction->trials * eviction->walked, NULL, NULL};
    return srv_record_answer(&on->record, &call, INNER(on, evict, eviction, ns, error), error);
}

static double elapsed(srv_machine *machine)
{
    recorded *on = self(machine);
    return srv_record_elapsed(&on->record, on->inner ? on->inner->ops->elapsed(on->inner) : 0);
}

/* A part without a recording, as of a measurement that was ended, has no answers. */
static int part(srv_machine *machine, const char *name, servet_error *error)
{
    servet_error wrong = SERVET_ERROR_INIT;
    int code = srv_record_part(&self(machine)->record, name, &wrong);
    return code == SERVET_OK || code == SERVET_EUNMEASURED
               ? SERVET_OK
               : srv_fail_at(error, code, wrong.file, wrong.line, "%s", wrong.text);
}

static void destroy(srv_machine *machine)
{
    srv_record_finish(&self(machine)->record);
    free(machine);
}

/* The run is recorded, or read. */
static int begin(recorded *on, const char *folder, srv_recorded_run *run, bool resume,
                 servet_error *error)
{
    srv_call call = {.kind = SRV_PROBE_RUN, .answer = run, .most = 1};
    servet_error wrong = SERVET_ERROR_INIT;
    bool replays = !on->inner;
    int code = srv_record_open(&on->record, folder, 0, replays, resume || replays, &wrong);
    if (code == SERVET_ENOTFOUND && !replays)
        code = SERVET_OK;
    if (code != SERVET_OK)
        return srv_fail_at(error, code, wrong.file, wrong.line, "%s", wrong.text);
    code = srv_record_answer(&on->record, &call, SERVET_OK, error);
    return code == SERVET_OK ? part(&on->head, SRV_RECORD_BEGIN, error) : code;
}

static int create(srv_machine **machine, srv_machine *inner, const char *folder,
                  srv_recorded_run *run, bool resume, servet_error *error)
{
#define OPERATION(KIND, name, request, answer) .name = answer_##name,
    static const srv_machine_ops ops = {
        .describe = answer_describe,
        .core_types = answer_core_types,
        .reported = reported,
        .clock = answer_clock,
        .memory = answer_memory,
        .noise = noise,
        .absence = absence,
        SRV_PROBES_AT_ONCE(OPERATION) SRV_PROBES_ALONE(OPERATION).evict = evict,
        .nodes = answer_nodes,
        .objects = objects,
        .elapsed = elapsed,
        .part = part,
        .destroy = destroy,
    };
    recorded *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->head.ops = &ops;
    on->inner = inner;
    int code = begin(on, folder, run, resume, error);
    if (code == SERVET_OK)
        *machine = &on->head;
    else
        destroy(&on->head);
    return code;
}

int srv_recorder_create(srv_machine **machine, srv_machine *inner, const char *folder,
                        const srv_recorded_run *run, bool resume, servet_error *error)
{
    srv_recorded_run kept = *run;
    return create(machine, inner, folder, &kept, resume, error);
}

int srv_replay_create(srv_machine **machine, const char *folder, srv_recorded_run *run,
                      servet_error *error)
{
    return create(machine, NULL, folder, run, true, error);
}
