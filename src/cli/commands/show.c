/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <stdio.h>

#include "cli/cli.h"
#include "cli/report/report.h"
#include "servet/identity.h"
#include "servet/record.h"

typedef struct show_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *node_class;
    long long core;
    bool json;
} show_arguments;

/* Returns the class to show; NULL: the class of this node. A profile that the user names may be of
 * another machine: then a note is printed. */
static const char *class_to_show(const servet_profile *profile)
{
    servet_error error = SERVET_ERROR_INIT;
    char line[SERVET_ERROR_TEXT_MAX];
    int code = servet_profile_here(profile, NULL, &error);
    *error.file = '\0';
    if (code == SERVET_OK && servet_profile_identity(profile) == SERVET_IDENTITY_ALIKE)
        printf("Note: the profile does not list this node; its type is that of nodes that it "
               "lists\n");
    if (code == SERVET_OK || servet_profile_class_count(profile) == 0)
        return NULL;
    printf("! %s\n", servet_error_line(&error, line, sizeof line));
    return servet_profile_class_name(profile, 0);
}

static int show(servet_profile *profile, const void *parsed, servet_error *error)
{
    const show_arguments *arguments = parsed;
    char name[SERVET_NAME_MAX], path[CLI_CLEAN_MAX];
    servet_at at = {arguments->node_class, (int)arguments->core};
    if (arguments->json)
        return servet_profile_dump(profile, stdout, error);
    if (!at.node_class)
        at.node_class = class_to_show(profile);
    int code = servet_profile_get(profile, &at, "class.name", name, sizeof name, error);
    if (code == SERVET_OK) {
        if (*servet_profile_path(profile))
            printf("Profile   %s\n", cli_clean(servet_profile_path(profile), path));
        code = cli_report(profile, &at, NULL, error);
    }
    if (code == SERVET_OK)
        code = cli_report_network(profile, error);
    return code;
}

static int run(const void *parsed)
{
    return cli_with_profile(((const show_arguments *)parsed)->operands[0], show, parsed);
}

static const cli_option options[] = {
    {"json", 0, CLI_FLAG, offsetof(show_arguments, json), NULL, "print the whole profile as JSON"},
    CLI_OPTION_CLASS(show_arguments),
    CLI_OPTION_CORE(show_arguments),
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const show_arguments defaults = {.core = SERVET_ANY_CORE};

const cli_command command_show = {
    .name = "show",
    .summary = "print a profile as a report",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(show_arguments),
    .defaults = &defaults,
    .run = run,
};
