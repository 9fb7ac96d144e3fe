/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/output/file.h"
#include "cli/page/page.h"
#include "cli/query.h"
#include "core/memory_stream.h"

typedef struct report_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *output, *node_class;
} report_arguments;

/* Writes the page completely before it replaces the file. */
static int write_page(const servet_profile *profile, const report_arguments *arguments,
                      servet_error *error)
{
    char name[SERVET_NAME_MAX], *text = NULL;
    size_t size;
    srv_memory_stream memory;
    plot_source source;
    plot_source_init(&source, profile, arguments->node_class, SERVET_ANY_CORE);
    int code = servet_profile_get(profile, &source.at, "class.name", name, sizeof name, error);
    if (code != SERVET_OK)
        return code;
    if (!srv_memory_stream_open(&memory))
        return figure_out_of_memory(error);
    code = page_write(memory.stream, &source, error);
    if (!srv_memory_stream_close(&memory, &text, &size) && code == SERVET_OK)
        code = figure_out_of_memory(error);
    if (code == SERVET_OK)
        code = cli_file_write(arguments->output, text, size, error);
    free(text);
    return code;
}

static int run(const void *parsed)
{
    const report_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    if (servet_profile_open(&profile, arguments->operands[0], &error) != SERVET_OK)
        return cli_error(&error);
    int code = write_page(profile, arguments, &error);
    servet_profile_close(profile);
    return code == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

static const cli_option options[] = {
    {"output", 'o', CLI_TEXT, offsetof(report_arguments, output), "FILE",
     "output file (default: standard output)"},
    CLI_OPTION_CLASS(report_arguments),
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

const cli_command command_report = {
    .name = "report",
    .summary = "write a profile as a page of HTML with pictures",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(report_arguments),
    .operands_offset = offsetof(report_arguments, operands),
    .run = run,
};
