/* SPDX-License-Identifier: BSD-3-Clause */
/* Deciding an earlier measurement again, from its raw folder. */
#include "run/measure.h"

#include <stdio.h>
#include <unistd.h>

#include "core/bit.h"
#include "core/error.h"
#include "facts/facts.h"
#include "run/options.h"

/* The clock was read for it; a replay does not wait. */
static int no_progress(void *context, const servet_progress *progress)
{
    (void)context;
    (void)progress;
    return 0;
}

/* Files may contain anything. */
static int check(const servet_measure_options *options, servet_error *error)
{
    if ((unsigned)options->approach >= SERVET_APPROACH_COUNT ||
        (unsigned)options->pages >= SERVET_PAGES_COUNT)
        return srv_fail(error, SERVET_EFORMAT, "the recording has an unknown method");
    return srv_check_options(options, error);
}

static bool has_part(const char *folder, const char *name)
{
    char path[SERVET_TEXT_MAX * 16];
    int length = snprintf(path, sizeof path, "%s/answers-%s.txt", folder, name);
    return length < (int)sizeof path && access(path, F_OK) == 0;
}

/* The benchmarks that a finished recording is too old for: those behind the last one that it has.
 * They would have a share of its budget, and the others less time than they had. */
static unsigned find_younger(const char *folder, const servet_measure_options *options)
{
    const srv_benchmark *plan = srv_facts_of(options->approach);
    unsigned before = 0, recorded = 0;
    for (const srv_benchmark *row = plan; row->cost; row++) {
        before |= SRV_BIT(row->id);
        recorded = has_part(folder, row->name) ? before : recorded;
    }
    return recorded && has_part(folder, "repeats")
               ? srv_plan_wanted(plan, options->only) & ~recorded
               : 0;
}

static void note_younger(const srv_benchmark *plan, unsigned younger, const srv_replay_notes *notes)
{
    for (const srv_benchmark *row = plan; row->cost && notes->missing; row++)
        if (younger & SRV_BIT(row->id))
            notes->missing(notes->context, (servet_benchmark)row->id,
                           "not on record: the recording is older than this benchmark");
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
    run.options.command = run.command;
    run.options.progress = run.progress ? no_progress : NULL;
    code = check(&run.options, error);
    unsigned younger = code == SERVET_OK ? find_younger(folder, &run.options) : 0;
    if (younger)
        run.options.only =
            srv_plan_wanted(srv_facts_of(run.options.approach), run.options.only) & ~younger;
    if (code == SERVET_OK)
        code = srv_measure_again(machine, &run.options, &run, &notes, profile, error);
    if (code == SERVET_OK)
        note_younger(srv_facts_of(run.options.approach), younger, &notes);
    srv_machine_destroy(machine);
    return code;
}

int servet_replay(const char *folder,
                  void (*missing)(void *context, servet_benchmark benchmark, const char *why),
                  void *context, servet_profile **profile, servet_error *error)
{
    return servet_explain_replay(folder, missing, context, profile, NULL, error);
}
