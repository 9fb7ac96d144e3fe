/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/print/diff.h"

typedef struct diff_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *tolerance;
    bool common, tap, json;
} diff_arguments;

/* --- tolerances ------------------------------------------------------------------------------- */

static const char *quantity_name(int quantity)
{
    return servet_quantity_name((servet_quantity)quantity);
}

/* Sets a tolerance. A number without a name is for all quantities with a default tolerance above 0.
 */
static bool set_tolerance(const char *item, size_t length, double tolerance[SERVET_QUANTITY_COUNT])
{
    const char *equals = memchr(item, '=', length), *number = equals ? equals + 1 : item;
    char *end;
    double share = strtod(number, &end) / 100;
    if (end == number || end != item + length || !(share >= 0 && share <= 1e6))
        return false;
    size_t name = equals ? (size_t)(equals - item) : 0;
    int named = cli_find_word(item, name, SERVET_QUANTITY_COUNT, quantity_name);
    if (equals && (named < 0 || named == SERVET_QUANTITY_WORD))
        return false;
    for (int i = 0; i < SERVET_QUANTITY_COUNT; i++)
        if (equals ? i == named : servet_quantity_tolerance((servet_quantity)i) > 0)
            tolerance[i] = share;
    return true;
}

/* Reads tolerances in percent: "10,groups=5". */
static int read_tolerance(const char *list, double tolerance[SERVET_QUANTITY_COUNT])
{
    for (int i = 0; i < SERVET_QUANTITY_COUNT; i++)
        tolerance[i] = servet_quantity_tolerance((servet_quantity)i);
    size_t length;
    for (const char *item; list && (item = cli_next_word(&list, &length));)
        if (!set_tolerance(item, length, tolerance))
            return cli_usage_error(
                "--tolerance must be a percentage or NAME=PERCENT, not '%.*s'; NAME is "
                "size, latency, bandwidth, ratio, enough, groups or number",
                (int)length, item);
    return CLI_OK;
}

/* --- the command ------------------------------------------------------------------------------ */

static int compare(const diff_arguments *arguments, const double *tolerance, servet_diff **diff,
                   servet_error *error)
{
    servet_profile *first, *second;
    int code = servet_profile_open(&first, arguments->operands[0], error);
    if (code != SERVET_OK)
        return code;
    code = servet_profile_open(&second, arguments->operands[1], error);
    if (code == SERVET_OK) {
        code = servet_diff_create(diff, first, second, tolerance, SERVET_QUANTITY_COUNT, error);
        servet_profile_close(second);
    }
    servet_profile_close(first);
    return code;
}

static bool differs(const servet_diff *diff, bool common)
{
    int count = servet_diff_count_of(diff, SERVET_COMPARISON_CHANGED);
    if (!common)
        count += servet_diff_count_of(diff, SERVET_COMPARISON_GONE) +
                 servet_diff_count_of(diff, SERVET_COMPARISON_NEW);
    return count > 0;
}

/* Runs the comparison. As in diff(1), a failure and a difference have different exit statuses. */
static int run(const void *parsed)
{
    const diff_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    double tolerance[SERVET_QUANTITY_COUNT];
    servet_diff *diff;
    if (arguments->tap && arguments->json)
        return cli_usage_error("diff: --tap and --json exclude each other");
    if (read_tolerance(arguments->tolerance, tolerance) != CLI_OK)
        return CLI_USAGE;
    if (compare(arguments, tolerance, &diff, &error) != SERVET_OK) {
        cli_error(&error);
        return CLI_USAGE;
    }
    diff_printer *print = arguments->json  ? diff_print_json
                          : arguments->tap ? diff_print_tap
                                           : diff_print_text;
    bool changed = differs(diff, arguments->common);
    bool printed = print(diff, arguments->operands, arguments->common, changed);
    servet_diff_destroy(diff);
    if (!printed || cli_finish_output() != CLI_OK)
        return CLI_USAGE;
    return changed ? CLI_FAILED : CLI_OK;
}

static const cli_option options[] = {
    {"tolerance", 0, CLI_TEXT, offsetof(diff_arguments, tolerance), "LIST",
     "percentage, or NAME=PERCENT,... (default: see servet(1))"},
    {"common", 0, CLI_FLAG, offsetof(diff_arguments, common), NULL,
     "ignore values that only one profile has"},
    {"tap", 0, CLI_FLAG, offsetof(diff_arguments, tap), NULL, "print one TAP test per value"},
    {"json", 0, CLI_FLAG, offsetof(diff_arguments, json), NULL, "print all values as JSON"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

const cli_command command_diff = {
    .name = "diff",
    .summary = "print the differences between two profiles",
    .operands = "A B",
    .operands_min = 2,
    .operands_max = 2,
    .options = options,
    .size = sizeof(diff_arguments),
    .operands_offset = offsetof(diff_arguments, operands),
    .run = run,
};
