/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/resume.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "servet/measure.h"
#include "servet/version.h"

/* The longest list. */
_Static_assert(sizeof(SERVET_BENCHMARK_LIST(SRV_JOINED)) <= SERVET_TEXT_MAX,
               "the names of all benchmarks fit into run.cut");

static int differs(servet_error *error, const char *what, const char *then, const char *now)
{
    return srv_fail(error, SERVET_EARGUMENT, "cannot resume: the %s changed from %s to %s", what,
                    *then ? then : "none", *now ? now : "none");
}

/* Takes "--seed 7" off the front of options that are written like that. */
static bool next_option(const char **options, char option[SERVET_TEXT_MAX])
{
    const char *from = *options + strspn(*options, " "), *end = strstr(from, " --");
    size_t length = end ? (size_t)(end - from) : strlen(from);
    snprintf(option, SERVET_TEXT_MAX, "%.*s", (int)length, from);
    *options = from + length;
    return length > 0;
}

/* The options among `these` that are not among `those`. */
static void list_others(const char *these, const char *those, char others[SERVET_TEXT_MAX])
{
    char option[SERVET_TEXT_MAX], other[SERVET_TEXT_MAX];
    size_t n = 0;
    others[0] = '\0';
    while (next_option(&these, option)) {
        bool found = strncmp(option, "--budget ", strlen("--budget ")) == 0; /* may differ */
        for (const char *rest = those; !found && next_option(&rest, other);)
            found = strcmp(option, other) == 0;
        if (!found && n < SERVET_TEXT_MAX)
            n += (size_t)snprintf(others + n, SERVET_TEXT_MAX - n, "%s%s", n ? " " : "", option);
    }
}

int srv_resume_check(const char *version, const char *then, const char *now, servet_error *error)
{
    char then_alone[SERVET_TEXT_MAX], now_alone[SERVET_TEXT_MAX];
    if (strcmp(version, servet_version()) != 0)
        return differs(error, "version", version, servet_version());
    list_others(then, now, then_alone);
    list_others(now, then, now_alone);
    if (!*then_alone && !*now_alone)
        return SERVET_OK;
    return differs(error, "options", then_alone, now_alone);
}

/* Checks that the facts in the profile were measured with the options of this measurement. */
static int check_same(const servet_measure_options *options, const servet_machine *machine,
                      const servet_profile *profile, servet_error *error)
{
    servet_run run;
    servet_machine then;
    if (servet_profile_run(profile, &run) != SERVET_OK ||
        servet_profile_machine(profile, NULL, &then) != SERVET_OK)
        return srv_fail_at(error, SERVET_EFORMAT, options->progress_file, 0,
                           "the folder has no measurement to resume");
    int code =
        srv_resume_check(run.version, run.options, options->command ? options->command : "", error);
    if (code != SERVET_OK)
        return code;
    if (strcmp(then.hostname, machine->hostname) != 0)
        return differs(error, "host", then.hostname, machine->hostname);
    if (strcmp(then.cores, machine->cores) != 0)
        return differs(error, "cores", then.cores, machine->cores);
    return SERVET_OK;
}

int srv_resume(const servet_measure_options *options, const servet_machine *machine,
               servet_profile **profile, servet_error *error)
{
    *profile = NULL;
    if (!options->resume || !options->progress_file)
        return SERVET_OK;
    servet_profile *found = NULL;
    servet_error why = SERVET_ERROR_INIT;
    int code = servet_profile_open(&found, options->progress_file, &why);
    if (code == SERVET_ENOTFOUND)
        return SERVET_OK;
    if (code != SERVET_OK)
        return srv_fail_at(error, code, why.file, why.line, "%s", why.text);
    code = check_same(options, machine, found, error);
    if (code == SERVET_OK)
        *profile = found;
    else
        servet_profile_close(found);
    return code;
}
