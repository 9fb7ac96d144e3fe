/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/print/explain_map.h"
#include "core/units.h"
#include "servet/map.h"

typedef struct map_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *nodes, *node_class, *matrix, *output, *near;
    int code, work, format, order, pattern;
    long long processes, threads;
    double message_bytes, computing;
    bool explain, json, trusted_only;
} map_arguments;

/* Reads "4", the first four nodes, or a list of names. */
static void read_nodes(const char *text, servet_map_request *request)
{
    int end = 0;
    if (text && sscanf(text, "%9d%n", &request->node_count, &end) == 1 && !text[end] &&
        request->node_count > 0)
        return;
    request->node_count = 0;
    request->nodes = text;
}

/* Reads the traffic of the processes; NULL if no option defines it. */
static int read_traffic(const map_arguments *arguments, servet_traffic **traffic,
                        servet_error *error)
{
    int processes = (int)arguments->processes;
    *traffic = NULL;
    if (arguments->matrix)
        return servet_traffic_read(traffic, arguments->matrix, processes, error);
    if (arguments->pattern >= 0)
        return servet_traffic_pattern(traffic, (servet_pattern)arguments->pattern, processes,
                                      arguments->message_bytes, error);
    return SERVET_OK;
}

/* A file to write. */
typedef struct map_file {
    const servet_map *placement;
    servet_map_format format;
} map_file;

static int make_file(FILE *to, const void *context, servet_error *error)
{
    const map_file *file = context;
    return servet_map_write(file->placement, file->format, to, error);
}

/* Writes the placement. The command goes to standard error, so that the output is only the file. */
static int write_map(const servet_profile *profile, const servet_map_request *request,
                     servet_map_format format, const char *output, servet_error *error)
{
    char name[CLI_CLEAN_MAX];
    servet_map *placement;
    int code = servet_map_create(&placement, profile, request, error);
    if (code != SERVET_OK)
        return code;
    code = cli_write(output, make_file, &(map_file){placement, format}, error);
    if (code == SERVET_OK)
        code = servet_map_write_command(placement, format, output ? cli_clean(output, name) : NULL,
                                        stderr, error);
    servet_map_destroy(placement);
    return code;
}

/* Reads "gpu", all of them, or "gpu:2", the first two; 0: nothing is named, negative: anything
 * else.
 */
static int read_near(const char *text)
{
    int count = 0, end = 0;
    if (!text || strcmp(text, "gpu") == 0)
        return text ? INT_MAX : 0;
    return sscanf(text, "gpu:%4d%n", &count, &end) == 1 && !text[end] && count > 0 ? count : -1;
}

static int map(servet_profile *profile, const void *parsed, servet_error *error)
{
    const map_arguments *arguments = parsed;
    servet_traffic *traffic = NULL;
    const char *pattern =
        arguments->pattern < 0 ? NULL : servet_pattern_name((servet_pattern)arguments->pattern);
    servet_map_request request = {
        .processes = (int)arguments->processes,
        .threads = (int)arguments->threads,
        .code = (servet_code)arguments->code,
        .work = (servet_work)arguments->work,
        .order = (servet_order)arguments->order,
        .node_class = arguments->node_class,
        .accelerators = read_near(arguments->near),
    };
    read_nodes(arguments->nodes, &request);
    servet_profile_trusted_only(profile, arguments->trusted_only);
    int code = read_traffic(arguments, &traffic, error);
    request.traffic = traffic;
    if (code == SERVET_OK && arguments->explain)
        code = explain_map(profile, &request,
                           &(explain_program){arguments->matrix ? arguments->matrix : pattern,
                                              arguments->computing},
                           arguments->json, error);
    else if (code == SERVET_OK)
        code = write_map(profile, &request,
                         arguments->json ? SERVET_MAP_JSON : (servet_map_format)arguments->format,
                         arguments->output, error);
    servet_traffic_destroy(traffic);
    return code;
}

static int run(const void *parsed)
{
    const map_arguments *arguments = parsed;
    if (arguments->processes < 1)
        return cli_usage_error("map needs -n N, the number of processes, at least 1");
    if (arguments->pattern >= 0 && arguments->matrix)
        return cli_usage_error("--matrix and --pattern exclude each other");
    if (read_near(arguments->near) < 0)
        return cli_usage_error("--near must be gpu or gpu:N, not '%s'", arguments->near);
    if (arguments->explain && arguments->output)
        return cli_usage_error("--explain and --output exclude each other");
    return cli_with_profile(arguments->operands[0], map, arguments);
}

static const cli_option options[] = {
    {"processes", 'n', CLI_WHOLE, offsetof(map_arguments, processes), "N",
     "number of processes to place", 1, SERVET_PROCESSES_MAX},
    {"class", 0, CLI_WORD, offsetof(map_arguments, code), "KIND",
     "kind of program, by what limits it", .word = servet_code_name},
    {"work", 0, CLI_WORD, offsetof(map_arguments, work), "KIND",
     "work of which core types have different speeds; usual is memory if the class is, else vector",
     .word = servet_work_name},
    {"format", 0, CLI_WORD, offsetof(map_arguments, format), "FORMAT", "output format",
     .word = servet_map_format_name},
    {"output", 'o', CLI_FILE, offsetof(map_arguments, output), "FILE",
     "output file (default: standard output)"},
    {"nodes", 0, CLI_TEXT, offsetof(map_arguments, nodes), "LIST",
     "comma-separated nodes to use, or the number of first nodes"},
    {"node-class", 0, CLI_TEXT, offsetof(map_arguments, node_class), "NAME",
     "node class of nodes that the profile does not list"},
    {"threads-per-process", 0, CLI_WHOLE, offsetof(map_arguments, threads), "T",
     "adjacent cores for each process (default: 1)", 1, SERVET_PROCESSES_MAX},
    {"matrix", 0, CLI_TEXT, offsetof(map_arguments, matrix), "FILE",
     "traffic between processes: lines FROM TO BYTES, or a square matrix (CSV)"},
    {"pattern", 0, CLI_WORD, offsetof(map_arguments, pattern), "NAME",
     "traffic of a pattern (default: none)", .word = servet_pattern_name},
    {"message-size", 0, CLI_BYTES, offsetof(map_arguments, message_bytes), "SIZE",
     "message size of the pattern (default: 1M)", 1, SRV_BYTES_MAX},
    {"computing", 0, CLI_NUMBER, offsetof(map_arguments, computing), "S",
     "seconds that a step of the program takes beside its messages", 0, SRV_SECONDS_MAX},
    {"order", 0, CLI_WORD, offsetof(map_arguments, order), "ORDER", "order of the processes",
     .word = servet_order_name},
    {"near", 0, CLI_TEXT, offsetof(map_arguments, near), "WHAT",
     "place processes near to each GPU in turn: gpu, or gpu:N for the first N of each node"},
    {"explain", 0, CLI_FLAG, offsetof(map_arguments, explain), NULL,
     "compare the predicted cost of this and the scheduler's placements"},
    {"json", 0, CLI_FLAG, offsetof(map_arguments, json), NULL, "print the result as JSON"},
    {"trusted-only", 0, CLI_FLAG, offsetof(map_arguments, trusted_only), NULL,
     "fail if the placement depends on facts that are not trusted"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const map_arguments defaults = {
    .code = SERVET_CODE_COMMUNICATION,
    .work = SERVET_WORK_USUAL,
    .format = SERVET_MAP_TEXT,
    .order = SERVET_ORDER_SERVET,
    .pattern = -1,
    .threads = 1,
    .message_bytes = 1 << 20,
};

const cli_command command_map = {
    .name = "map",
    .summary = "compute where to run the processes of a program",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(map_arguments),
    .defaults = &defaults,
    .run = run,
};
