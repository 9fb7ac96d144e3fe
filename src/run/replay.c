/* SPDX-License-Identifier: BSD-3-Clause */
/* Deciding an earlier measurement again, from its raw folder. */
#include "run/measure.h"

#include <stdio.h>
#include <unistd.h>

#include "core/error.h"
#include "run/options.h"

/* The clock was read for it; a replay does not wait. */
static int no_progress(void *context, const servet_progress *progress)
{
    (void)context;
    (void)progress;
    return 0;
}

static bool has_part(const char *folder, const char *name)
{
    char path[SERVET_ERROR_FILE_MAX];
    return snprintf(path, sizeof path, "%s/answers-%s.txt", folder, name) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

/* The benchmarks that the run planned. One that is finished has the part of its repeats. If it has
 * no part of the last benchmarks, then the version that measured had no such benchmarks, and the
 * others shared all of the time. */
static unsigned planned(const char *folder, unsigned only)
{
    int count = 0;
    if (only || !has_part(folder, "repeats"))
        return only;
    for (int i = 0; i < SERVET_BENCHMARK_COUNT; i++)
        if (has_part(folder, servet_benchmark_name((servet_benchmark)i)))
            count = i + 1;
    return count < SERVET_BENCHMARK_COUNT ? (1u << count) - 1 : only;
}

/* Files may contain anything. */
static int check(const servet_measure_options *options, servet_error *error)
{
    if ((unsigned)options->approach >= SERVET_APPROACH_COUNT ||
        (unsigned)options->pages >= SERVET_PAGES_COUNT)
        return srv_fail(error, SERVET_EFORMAT, "the recording has an unknown method");
    return srv_check_options(options, error);
}

int servet_explain_replay(
    const char *folder, void (*missing)(void *context, servet_benchmark benchmark, const char *why),
    void *context, servet_profile **profile, servet_findings *findings, servet_error *error)
{
    srv_machine *machine;
    srv_recorded_run run = {.options = SERVET_MEASURE_OPTIONS_INIT};
    srv_replay_notes notes = {missing, context};
    int code = srv_replay_create(&machine, folder, &run, error);
    if (code != SERVET_OK)
        return code;
    run.options.only = planned(folder, run.options.only);
    run.options.findings = findings;
    run.options.command = run.command;
    run.options.progress = run.progress ? no_progress : NULL;
    code = check(&run.options, error);
    if (code == SERVET_OK)
        code = srv_measure_again(machine, &run.options, &run, &notes, profile, error);
    srv_machine_destroy(machine);
    return code;
}

int servet_replay(const char *folder,
                  void (*missing)(void *context, servet_benchmark benchmark, const char *why),
                  void *context, servet_profile **profile, servet_error *error)
{
    return servet_explain_replay(folder, missing, context, profile, NULL, error);
}
