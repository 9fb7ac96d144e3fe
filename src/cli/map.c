/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "servet/map.h"

typedef struct map_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *code, *format, *nodes;
    long long processes, threads;
} map_arguments;

/* The number whose name `name_of` says `text` is; -1 for none. */
static int number_of(const char *text, int count, const char *(*name_of)(int))
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, name_of(i)) == 0)
            return i;
    return -1;
}

static const char *code_name(int code)
{
    return servet_code_name((servet_code)code);
}

static const char *format_name(int format)
{
    return servet_map_format_name((servet_map_format)format);
}

static int at_most_int(long long number)
{
    return number > INT_MAX ? INT_MAX : (int)number;
}

/* "4" is the first four nodes, anything else a list of names. */
static void read_nodes(const char *text, servet_map_request *request)
{
    int end = 0;
    if (text && sscanf(text, "%9d%n", &request->node_count, &end) == 1 && !text[end] &&
        request->node_count > 0)
        return;
    request->node_count = 0;
    request->nodes = text;
}

static int map(const map_arguments *arguments, const servet_map_request *request, int format,
               servet_error *error)
{
    servet_profile *profile;
    servet_map *placement;
    int code = servet_profile_open(&profile, arguments->operands[0], error);
    if (code != SERVET_OK)
        return code;
    code = servet_map_create(&placement, profile, request, error);
    servet_profile_close(profile);
    if (code != SERVET_OK)
        return code;
    code = servet_map_write(placement, (servet_map_format)format, stdout, error);
    servet_map_destroy(placement);
    return code;
}

static int run(const void *parsed)
{
    const map_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    int code = number_of(arguments->code, SERVET_CODE_COUNT, code_name);
    int format = number_of(arguments->format, SERVET_MAP_FORMAT_COUNT, format_name);
    if (arguments->processes < 1)
        return cli_usage_error("map needs -n N, at least 1");
    if (arguments->threads < 1)
        return cli_usage_error("--threads-per-process: at least 1");
    if (code < 0)
        return cli_usage_error("--class: '%s' is neither memory nor communication",
                               arguments->code);
    if (format < 0)
        return cli_usage_error("--format: there is no format '%s' (servet map --help lists them)",
                               arguments->format);
    servet_map_request request = {
        .processes = at_most_int(arguments->processes),
        .threads = at_most_int(arguments->threads),
        .code = (servet_code)code,
    };
    read_nodes(arguments->nodes, &request);
    return map(arguments, &request, format, &error) == SERVET_OK ? cli_finish_output()
                                                                 : cli_error(&error);
}

static const cli_option options[] = {
    {"processes", 'n', CLI_WHOLE, offsetof(map_arguments, processes), "N", "how many to place"},
    {"class", 0, CLI_TEXT, offsetof(map_arguments, code), "CLASS",
     "what limits the program: memory, or communication (default)"},
    {"format", 0, CLI_TEXT, offsetof(map_arguments, format), "FORMAT",
     "text (default), json, openmpi-rankfile, openmpi5-rankfile, slurm, mpich, pbs, omp-places"},
    {"nodes", 0, CLI_TEXT, offsetof(map_arguments, nodes), "LIST",
     "on these nodes, names with commas between; a number: so many of the first"},
    {"threads-per-process", 0, CLI_WHOLE, offsetof(map_arguments, threads), "T",
     "cores for each process, near to each other (default 1)"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const map_arguments defaults = {{NULL}, "communication", "text", NULL, 0, 1};

const cli_command command_map = {
    .name = "map",
    .summary = "place the processes of a program",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(map_arguments),
    .operands_offset = offsetof(map_arguments, operands),
    .defaults = &defaults,
    .run = run,
};
