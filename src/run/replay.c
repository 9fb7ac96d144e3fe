/* SPDX-License-Identifier: BSD-3-Clause */
/* Deciding an earlier measurement again, from its raw folder. */
#include "run/measure.h"

#include "core/error.h"
#include "facts/facts.h"

/* The clock was read for it; a replay does not wait. */
static int no_progress(void *context, const servet_progress *progress)
{
    (void)context;
    (void)progress;
    return 0;
}

/* Files may contain anything. */
static int read_options(srv_recorded_run *run, servet_error *error)
{
    servet_measure_options *options = &run->options;
    if ((unsigned)options->approach >= SERVET_APPROACH_COUNT ||
        (unsigned)options->pages >= SERVET_PAGES_COUNT)
        return srv_fail(error, SERVET_EFORMAT, "the recording has an unknown method");
    options->only = srv_plan_set(srv_facts_of(options->approach), run->benchmarks);
    options->command = run->command;
    options->progress = run->progress ? no_progress : NULL;
    return options->only ? srv_check_options(options, error)
                         : srv_fail(error, SERVET_EFORMAT, "the recording has no benchmark");
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
    run.options.findings = findings;
    code = read_options(&run, error);
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
