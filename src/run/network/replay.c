/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/bit.h"
#include "core/error.h"
#include "facts/network.h"
#include "machine/recorded/recorded.h"
#include "run/measure.h"
#include "servet/measure.h"

/* --- recording -------------------------------------------------------------------------------- */

static srv_network_record record_of(const srv_network_options *options, const char *command,
                                    const servet_profile *profile)
{
    servet_run run = {0};
    servet_at first = {.node_class = servet_profile_class_name(profile, 0),
                       .core = SERVET_ANY_CORE};
    srv_network_record record = {
        .job = {.layer_bytes = options->layer_bytes,
                .message_bytes = options->message_bytes,
                .budget_seconds = options->budget_seconds,
                .nodes = options->nodes,
                .buffers = options->buffers ? (int)*options->buffers : -1,
                .progress = options->progress != NULL},
        .objects = options->objects ? *options->objects : (srv_sets){NULL, 0},
    };
    (void)servet_profile_run(profile, &run);
    (void)servet_profile_machine(profile, &first, &record.machine);
    memcpy(record.job.version, run.version, sizeof run.version);
    memcpy(record.job.started, run.started, sizeof run.started);
    snprintf(record.job.command, sizeof record.job.command, "%s", command);
    srv_plan_list(srv_network_plan, options->only ? options->only : ~0u, record.job.benchmarks);
    return record;
}

int srv_record_network(srv_network *network, const srv_network_options *options,
                       const char *command, servet_profile *profile, servet_error *error)
{
    srv_network *recorder;
    srv_network_options rounded = *options;
    if (!options->raw_dir)
        return srv_measure_network(network, options, profile, error);
    /* what is left of a budget, down to the last digit, has the digits of the clock on record */
    rounded.budget_seconds = round(options->budget_seconds * SRV_MICROSECONDS) / SRV_MICROSECONDS;
    srv_network_record record = record_of(&rounded, command, profile);
    int code = srv_network_recorder_create(&recorder, network, options->raw_dir, &record, error);
    if (code != SERVET_OK)
        return code;
    code = srv_measure_network(recorder, &rounded, profile, error);
    if (code != SERVET_OK && code != SERVET_EINTERRUPTED)
        (void)srv_network_part(recorder, NULL, &(servet_error)SERVET_ERROR_INIT);
    srv_network_destroy(recorder);
    return code;
}

/* --- deciding again --------------------------------------------------------------------------- */

typedef struct replaying {
    servet_profile *profile; /* what is decided so far; NULL: nothing */
    bool own;                /* no other thread uses it */
    unsigned wanted;         /* by the last job */
    char why[SRV_NETWORK_BENCHMARK_COUNT][SERVET_TEXT_MAX]; /* not, of each benchmark */
} replaying;

/* Only for its reading of the clock; a replay shows no progress. */
static int no_progress(void *context, const servet_progress *progress)
{
    (void)context;
    (void)progress;
    return 0;
}

static void note_missing(void *context, srv_network_benchmark benchmark, const char *why)
{
    replaying *on = context;
    snprintf(on->why[benchmark], sizeof on->why[benchmark], "%s", why);
}

static srv_network_options options_of(replaying *on, const srv_network_record *record,
                                      const srv_buffers *buffers)
{
    const srv_recorded_job *job = &record->job;
    srv_network_options options = SRV_NETWORK_OPTIONS_INIT;
    options.only = srv_plan_set(srv_network_plan, job->benchmarks);
    options.layer_bytes = job->layer_bytes;
    options.message_bytes = job->message_bytes;
    options.nodes = job->nodes;
    options.budget_seconds = job->budget_seconds;
    options.buffers = job->buffers < 0 ? NULL : buffers;
    options.objects = &record->objects;
    options.progress = job->progress ? no_progress : NULL;
    options.missing = note_missing;
    options.context = on;
    return options;
}

static int begin_profile(replaying *on, srv_network *network, const srv_network_record *record,
                         servet_error *error)
{
    servet_run run = srv_run_begin(record->job.command);
    memcpy(run.version, record->job.version, sizeof run.version);
    memcpy(run.started, record->job.started, sizeof run.started);
    servet_profile_close(on->profile);
    on->profile = NULL;
    on->own = true;
    return srv_network_list_nodes(network, &run, &record->machine, &on->profile, error);
}

/* Continues with the results of earlier jobs, unless they had other nodes. */
static int begin(replaying *on, srv_network *network, const srv_network_record *record,
                 servet_error *error)
{
    servet_error other = SERVET_ERROR_INIT;
    int code =
        on->profile ? srv_network_check_same(on->profile, network, &other) : SERVET_EARGUMENT;
    if (code != SERVET_EARGUMENT)
        return code == SERVET_OK ? code : srv_fail(error, code, "%s", other.text);
    return on->profile && !on->own ? SERVET_OK : begin_profile(on, network, record, error);
}

/* The run is that of the whole job, with the options of the last one. */
static int describe_run(replaying *on, const srv_recorded_job *job, servet_error *error)
{
    servet_run run = {0};
    (void)servet_profile_run(on->profile, &run);
    memcpy(run.started, job->started, sizeof run.started);
    snprintf(run.options, sizeof run.options, "%s", job->command);
    srv_plan_list(srv_network_plan, on->wanted & ~srv_network_done(on->profile), run.unfinished);
    return servet_profile_set_run(on->profile, &run, error);
}

/* A job that failed, and a record that ended, have no further results. */
static int measure(replaying *on, srv_network *network, const srv_network_options *options,
                   servet_error *error)
{
    servet_error why = SERVET_ERROR_INIT;
    int code = srv_measure_network(network, options, on->profile, &why);
    if (code != SERVET_EUNMEASURED && code != SERVET_ECOMMUNICATION)
        return code == SERVET_OK ? code
                                 : srv_fail_at(error, code, why.file, why.line, "%s", why.text);
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++)
        if (on->wanted & ~srv_network_done(on->profile) & SRV_BIT(i))
            note_missing(on, (srv_network_benchmark)i, why.text);
    return SERVET_OK;
}

static int decide(replaying *on, srv_network *network, const srv_network_record *record,
                  servet_error *error)
{
    srv_buffers buffers = (srv_buffers)record->job.buffers;
    srv_network_options options = options_of(on, record, &buffers);
    if (record->job.buffers >= SRV_BUFFERS_COUNT || !options.only)
        return srv_fail(error, SERVET_EFORMAT,
                        "the recording has an unknown kind of buffers, or "
                        "no benchmark");
    on->wanted = options.only;
    memset(on->why, 0, sizeof on->why);
    int code = begin(on, network, record, error);
    if (code == SERVET_OK)
        code = measure(on, network, &options, error);
    return code == SERVET_OK ? describe_run(on, &record->job, error) : code;
}

static int decide_job(replaying *on, const char *folder, int number, servet_error *error)
{
    srv_network *network;
    srv_network_record record;
    int code = srv_network_replay_create(&network, folder, number, &record, error);
    if (code == SERVET_OK) {
        code = decide(on, network, &record, error);
        srv_network_destroy(network);
    }
    srv_sets_finish(&record.objects);
    return code;
}

/* Job after job, until there is no further one. */
static int decide_jobs(replaying *on, const char *folder, servet_error *error)
{
    servet_error failed = SERVET_ERROR_INIT;
    int code = SERVET_OK, number = 0;
    while (code == SERVET_OK)
        code = decide_job(on, folder, ++number, &failed);
    return code == SERVET_ENOTFOUND && number > 1
               ? SERVET_OK
               : srv_fail_at(error, code, failed.file, failed.line, "%s", failed.text);
}

int servet_replay_network(const char *folder,
                          void (*missing)(void *context, const char *benchmark, const char *why),
                          void *context, servet_profile **profile, servet_error *error)
{
    replaying on = {.profile = *profile};
    int code = decide_jobs(&on, folder, error);
    if (code != SERVET_OK) {
        if (on.own)
            servet_profile_close(on.profile);
        return code;
    }
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT && missing; i++)
        if (*on.why[i])
            missing(context, srv_network_benchmark_name((srv_network_benchmark)i), on.why[i]);
    *profile = on.profile;
    return SERVET_OK;
}
