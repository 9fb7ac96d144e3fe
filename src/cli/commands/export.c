/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/export.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/query.h"

typedef struct export_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *format, *topology, *node_class;
} export_arguments;

/* SERVET_EXPORT_COUNT for none. */
static servet_export_format find_format(const char *name)
{
    servet_export_format format = (servet_export_format)0;
    while (format < SERVET_EXPORT_COUNT && strcmp(name, servet_export_name(format)) != 0)
        format++;
    return format;
}

static int run(const void *parsed)
{
    const export_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    const servet_export_request request = {.format = find_format(arguments->format),
                                           .node_class = arguments->node_class,
                                           .topology = arguments->topology};
    if (request.format == SERVET_EXPORT_COUNT)
        return cli_usage_error("--format must be hwloc-xml, not '%s'", arguments->format);
    if (servet_profile_open(&profile, arguments->operands[0], &error) != SERVET_OK)
        return cli_error(&error);
    int code = servet_export_write(profile, &request, stdout, &error);
    servet_profile_close(profile);
    return code == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

static const cli_option options[] = {
    {"format", 0, CLI_TEXT, offsetof(export_arguments, format), "FORMAT",
     "output format: hwloc-xml (default: hwloc-xml)"},
    {"topology", 0, CLI_TEXT, offsetof(export_arguments, topology), "TOPOLOGY",
     "hwloc XML file or synthetic 'pack:2 core:4 pu:2' (default: this node)"},
    CLI_OPTION_CLASS(export_arguments),
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const export_arguments defaults = {{NULL}, "hwloc-xml", NULL, NULL};

const cli_command command_export = {
    .name = "export",
    .summary = "write a profile for other tools",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(export_arguments),
    .operands_offset = offsetof(export_arguments, operands),
    .defaults = &defaults,
    .run = run,
};
