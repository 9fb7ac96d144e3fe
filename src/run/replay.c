/* SPDX-License-Identifier: BSD-3-Clause */
/* Deciding an earlier measurement again, from its raw folder. */
#include "run/measure.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "machine/recorded/recorded.h"
#include "run/options.h"

/* The clock was read for it; a replay does not wait. */
static int no_progress(void *context, const servet_progress *progress)
{
    (void)context;
    (void)progress;
    return 0;
}

static servet_measure_options options_of(const srv_recorded_run *run)
{
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    options.min_bytes = run->min_bytes;
    options.max_bytes = run->max_bytes;
    options.budget_seconds = run->budget_seconds;
    options.sharing_ratio = run->sharing_ratio;
    options.pages = (servet_pages)run->pages;
    options.approach = (servet_approach)run->approach;
    options.only = (unsigned)run->only;
    options.votes = run->votes;
    options.seed = run->seed;
    options.command = run->command;
    options.progress = run->progress ? no_progress : NULL;
    return options;
}

/* Files may contain anything. */
static int check(const srv_recorded_run *run, const servet_measure_options *options,
                 servet_error *error)
{
    if (run->approach < 0 || run->approach >= SERVET_APPROACH_COUNT || run->pages < 0 ||
        run->pages >= SERVET_PAGES_COUNT)
        return srv_fail(error, SERVET_EFORMAT, "the recording has an unknown method");
    return srv_check_options(options, error);
}

/* It was measured then, by that version. */
static int date(servet_profile *profile, const srv_recorded_run *recorded, servet_error *error)
{
    servet_run run;
    servet_profile_run(profile, &run);
    snprintf(run.started, sizeof run.started, "%s", recorded->started);
    snprintf(run.version, sizeof run.version, "%s", recorded->version);
    return servet_profile_set_run(profile, &run, error);
}

int servet_explain_replay(
    const char *folder, void (*missing)(void *context, servet_benchmark benchmark, const char *why),
    void *context, servet_profile **profile, servet_findings *findings, servet_error *error)
{
    srv_machine *machine;
    srv_recorded_run run;
    servet_profile *decided = NULL;
    int code = srv_replay_create(&machine, folder, &run, error);
    if (code != SERVET_OK)
        return code;
    servet_measure_options options = options_of(&run);
    options.findings = findings;
    srv_replay_notes notes = {missing, context};
    code = check(&run, &options, error);
    if (code == SERVET_OK)
        code = srv_measure_again(machine, &options, &notes, &decided, error);
    if (code == SERVET_OK)
        code = date(decided, &run, error);
    if (code == SERVET_OK)
        *profile = decided;
    else
        servet_profile_close(decided);
    srv_machine_destroy(machine);
    return code;
}

int servet_replay(const char *folder,
                  void (*missing)(void *context, servet_benchmark benchmark, const char *why),
                  void *context, servet_profile **profile, servet_error *error)
{
    return servet_explain_replay(folder, missing, context, profile, NULL, error);
}
