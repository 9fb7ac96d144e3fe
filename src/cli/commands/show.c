/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <stdio.h>

#include "cli/cli.h"
#include "cli/plot/draw.h"
#include "cli/plot/plots.h"
#include "cli/report/report.h"
#include "servet/identity.h"
#include "servet/record.h"

typedef struct show_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *node_class;
    long long core;
    bool json, graph;
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

/* The topology as text. */
static int draw_graph(const servet_profile *profile, const servet_at *at, servet_error *error)
{
    plot_source source;
    figure drawn = {.form = FIGURE_BOXES};
    plot_source_init(&source, profile, at->node_class, at->core);
    int code = plot_fill(plot_find("topology"), &source, &drawn, error);
    if (code == SERVET_OK)
        draw_text(stdout, &drawn);
    figure_finish(&drawn);
    return code;
}

static int show(const servet_profile *profile, const show_arguments *arguments, servet_error *error)
{
    char name[SERVET_NAME_MAX], path[CLI_CLEAN_MAX];
    servet_at at = cli_at(arguments->node_class, arguments->core);
    if (arguments->json)
        return servet_profile_dump(profile, stdout, error);
    if (!at.node_class)
        at.node_class = class_to_show(profile);
    int code = servet_profile_get(profile, &at, "class.name", name, sizeof name, error);
    if (code == SERVET_OK && arguments->graph)
        return draw_graph(profile, &at, error);
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
    const show_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    if (servet_profile_open(&profile, arguments->operands[0], &error) != SERVET_OK)
        return cli_error(&error);
    int code = show(profile, arguments, &error);
    servet_profile_close(profile);
    return code == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

static const cli_option options[] = {
    {"graph", 0, CLI_FLAG, offsetof(show_arguments, graph), NULL,
     "draw what cores share instead (as plot topology)"},
    {"json", 0, CLI_FLAG, offsetof(show_arguments, json), NULL, "print the whole profile as JSON"},
    CLI_OPTION_CLASS(show_arguments),
    CLI_OPTION_CORE(show_arguments),
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const show_arguments defaults = {{NULL}, NULL, SERVET_ANY_CORE, false, false};

const cli_command command_show = {
    .name = "show",
    .summary = "print a profile as a report",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(show_arguments),
    .operands_offset = offsetof(show_arguments, operands),
    .defaults = &defaults,
    .run = run,
};
