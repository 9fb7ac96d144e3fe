/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/env/env.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/commands.h"
#include "core/error.h"

typedef struct env_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *node_class;
    int bound;
    bool explain;
} env_arguments;

static const env_target *find_target(const char *name)
{
    for (const env_target *target = env_targets; target->name; target++)
        if (name && strcmp(target->name, name) == 0)
            return target;
    return NULL;
}

static void list_targets(char *text, size_t size)
{
    size_t used = 0;
    for (const env_target *target = env_targets; target->name && used < size; target++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", target->name);
}

/* Prints one target, or all. Looks the class up first: the profile may be of other nodes. */
static int print(const env_source *from, const env_target *only, servet_error *error)
{
    char name[SERVET_NAME_MAX];
    int code = servet_profile_get(from->profile, &from->at, "class.name", name, sizeof name, error);
    for (const env_target *target = env_targets; target->name && code == SERVET_OK; target++)
        if (!only || target == only)
            code = target->print(from, target->name, error);
    return code;
}

/* Says why there is no variable at all. Returns an exit status: it is a failure if facts lack. */
static int say_none(const env_printed *printed, const char *name)
{
    if (!printed->lacks) {
        fprintf(stderr, "servet: %s: nothing to set: %s\n", name, printed->reason);
        return CLI_OK;
    }
    servet_error error = SERVET_ERROR_INIT;
    (void)srv_fail_at(&error, SERVET_EUNMEASURED, name, 0,
                      "nothing can be set: %.160s: measure again (--explain gives all reasons)",
                      printed->reason);
    return cli_error(&error);
}

static int run(const void *parsed)
{
    const env_arguments *arguments = parsed;
    const env_target *target = find_target(arguments->operands[0]);
    const char *path = arguments->operands[target ? 1 : 0];
    char words[SERVET_TEXT_MAX];
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    list_targets(words, sizeof words);
    if (!target && arguments->operands[1])
        return cli_usage_error("unknown target '%s'; targets are %s", arguments->operands[0],
                               words);
    if (servet_profile_open(&profile, path, &error) != SERVET_OK)
        return cli_error(&error);
    env_printed printed = {.any = false};
    const env_source from = {.profile = profile,
                             .at = {arguments->node_class, SERVET_ANY_CORE},
                             .bound = (env_bound)arguments->bound,
                             .explain = arguments->explain,
                             .printed = &printed};
    int code = print(&from, target, &error);
    servet_profile_close(profile);
    int status = code == SERVET_OK ? cli_finish_output() : cli_error(&error);
    return status != CLI_OK || printed.any ? status
                                           : say_none(&printed, target ? target->name : "env");
}

static bool complete(const char *name)
{
    if (strcmp(name, "TARGET") != 0)
        return false;
    for (const env_target *target = env_targets; target->name; target++)
        cli_candidate(target->name, target->summary);
    return true;
}

static const cli_option options[] = {
    {"bound", 0, CLI_WORD, offsetof(env_arguments, bound), "KIND",
     "what limits the program, for omp", .word = env_bound_name},
    {"explain", 0, CLI_FLAG, offsetof(env_arguments, explain), NULL,
     "say as comments which fact filled which line, and why others are left out"},
    CLI_OPTION_CLASS(env_arguments),
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const env_arguments defaults = {.bound = ENV_BOUND_MEMORY};

const cli_command command_env = {
    .name = "env",
    .summary = "print environment variables of other programs",
    .operands = "[TARGET] [PROFILE]",
    .operands_max = 2,
    .options = options,
    .size = sizeof(env_arguments),
    .defaults = &defaults,
    .run = run,
    .complete = complete,
};
