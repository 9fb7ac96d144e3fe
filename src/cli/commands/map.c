/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/print/explain_map.h"
#include "core/memory_stream.h"
#include "core/units.h"
#include "servet/map.h"

typedef struct map_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *code, *work, *format, *nodes, *node_class, *order, *matrix, *pattern, *output,
        *near;
    long long processes, threads;
    double message_bytes, computing;
    bool explain, json, trusted_only;
} map_arguments;

static const char *code_name(int code)
{
    return servet_code_name((servet_code)code);
}

static const char *work_name(int work)
{
    return servet_work_name((servet_work)work);
}

static const char *format_name(int format)
{
    return servet_map_format_name((servet_map_format)format);
}

static const char *order_name(int order)
{
    return servet_order_name((servet_order)order);
}

static const char *pattern_name(int pattern)
{
    return servet_pattern_name((servet_pattern)pattern);
}

/* Values of the options whose arguments are words. */
typedef struct map_words {
    int code, work, format, order, pattern;
} map_words;

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
static int read_traffic(const map_arguments *arguments, int pattern, servet_traffic **traffic,
                        servet_error *error)
{
    int processes = (int)arguments->processes;
    *traffic = NULL;
    if (arguments->matrix)
        return servet_traffic_read(traffic, arguments->matrix, processes, error);
    if (arguments->pattern)
        return servet_traffic_pattern(traffic, (servet_pattern)pattern, processes,
                                      arguments->message_bytes, error);
    return SERVET_OK;
}

/* Writes the placement completely before it replaces the file. */
static int write_file(const servet_map *placement, servet_map_format format, const char *output,
                      servet_error *error)
{
    char *text = NULL;
    size_t size;
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return cli_fail_memory(error);
    int code = servet_map_write(placement, format, memory.stream, error);
    if (!srv_memory_stream_close(&memory, &text, &size) && code == SERVET_OK)
        code = cli_fail_memory(error);
    if (code == SERVET_OK)
        code = cli_file_write(output, text, size, error);
    free(text);
    return code;
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
    code = write_file(placement, format, output, error);
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

static int map(const map_arguments *arguments, const map_words *words, servet_error *error)
{
    servet_profile *profile;
    servet_traffic *traffic = NULL;
    const char *messages = arguments->matrix ? arguments->matrix : arguments->pattern;
    servet_map_request request = {
        .processes = (int)arguments->processes,
        .threads = (int)arguments->threads,
        .code = (servet_code)words->code,
        .work = (servet_work)words->work,
        .order = (servet_order)words->order,
        .node_class = arguments->node_class,
        .accelerators = read_near(arguments->near),
    };
    read_nodes(arguments->nodes, &request);
    int code = servet_profile_open(&profile, arguments->operands[0], error);
    if (code != SERVET_OK)
        return code;
    servet_profile_trusted_only(profile, arguments->trusted_only);
    code = read_traffic(arguments, words->pattern, &traffic, error);
    request.traffic = traffic;
    if (code == SERVET_OK && arguments->explain)
        code = explain_map(profile, &request, &(explain_program){messages, arguments->computing},
                           arguments->json, error);
    else if (code == SERVET_OK)
        code = write_map(profile, &request, (servet_map_format)words->format, arguments->output,
                         error);
    servet_traffic_destroy(traffic);
    servet_profile_close(profile);
    return code;
}

static int run(const void *parsed)
{
    const map_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    map_words words = {
        .code = cli_find_name(arguments->code, SERVET_CODE_COUNT, code_name),
        .work = cli_find_name(arguments->work, SERVET_WORK_COUNT, work_name),
        .format = cli_find_name(arguments->json ? "json" : arguments->format,
                                SERVET_MAP_FORMAT_COUNT, format_name),
        .order = cli_find_name(arguments->order, SERVET_ORDER_COUNT, order_name),
        .pattern = arguments->pattern
                       ? cli_find_name(arguments->pattern, SERVET_PATTERN_COUNT, pattern_name)
                       : 0,
    };
    if (arguments->processes < 1)
        return cli_usage_error("map needs -n N, the number of processes, at least 1");
    if (words.code < 0)
        return cli_usage_error("--class must be memory or communication, not '%s'",
                               arguments->code);
    if (words.work < 0)
        return cli_usage_error("--work must be usual, vector, integer or memory, not '%s'",
                               arguments->work);
    if (words.format < 0)
        return cli_usage_error(
            "--format: unknown format '%s' (servet map --help lists the formats)",
            arguments->format);
    if (words.order < 0)
        return cli_usage_error("--order must be servet, block or cyclic, not '%s'",
                               arguments->order);
    if (words.pattern < 0)
        return cli_usage_error(
            "--pattern: unknown pattern '%s' (servet map --help lists the patterns)",
            arguments->pattern);
    if (arguments->pattern && arguments->matrix)
        return cli_usage_error("--matrix and --pattern exclude each other");
    if (read_near(arguments->near) < 0)
        return cli_usage_error("--near must be gpu or gpu:N, not '%s'", arguments->near);
    if (arguments->explain && arguments->output)
        return cli_usage_error("--explain and --output exclude each other");
    return map(arguments, &words, &error) == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

#define LISTED(name, text) text " "
#define FORMATS            SERVET_MAP_FORMAT_LIST(LISTED)
#define PATTERNS           SERVET_PATTERN_LIST(LISTED)
static const cli_option options[] = {
    {"processes", 'n', CLI_WHOLE, offsetof(map_arguments, processes), "N",
     "number of processes to place", 1, SERVET_PROCESSES_MAX},
    {"class", 0, CLI_TEXT, offsetof(map_arguments, code), "KIND",
     "kind of program, by what limits it: memory or communication (default: communication)"},
    {"work", 0, CLI_TEXT, offsetof(map_arguments, work), "KIND",
     "of which core types have different speeds: vector, integer, memory or usual (default: usual, "
     "which is memory if the class is memory, else vector)"},
    {"format", 0, CLI_TEXT, offsetof(map_arguments, format), "FORMAT",
     "output format: " FORMATS "(default: text)"},
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
    {"pattern", 0, CLI_TEXT, offsetof(map_arguments, pattern), "NAME",
     "traffic of a pattern: " PATTERNS "(default: none)"},
    {"message-size", 0, CLI_BYTES, offsetof(map_arguments, message_bytes), "SIZE",
     "message size of the pattern (default: 1M)", 1, SRV_BYTES_MAX},
    {"computing", 0, CLI_NUMBER, offsetof(map_arguments, computing), "S",
     "seconds that a step of the program takes beside its messages", 0, SRV_SECONDS_MAX},
    {"order", 0, CLI_TEXT, offsetof(map_arguments, order), "ORDER",
     "order of the processes: servet, block or cyclic (default: servet)"},
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
    .code = "communication",
    .work = "usual",
    .format = "text",
    .order = "servet",
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
    .operands_offset = offsetof(map_arguments, operands),
    .defaults = &defaults,
    .run = run,
};
