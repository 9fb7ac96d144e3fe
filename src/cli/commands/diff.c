/* SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/commands.h"
#include "servet/diff.h"

/* --- a fact in words -------------------------------------------------------------------------- */

/* Characters of a text that are shown; sets of cores may be very long. */
enum { SHOWN_MAX = 48 };

/* Prints a text as one line. */
static void print_value(const char *text)
{
    int shown = 0;
    for (; *text && shown < SHOWN_MAX; text++, shown++)
        printf(*text == '\n' ? " | " : "%c", *text);
    fputs(*text ? "..." : "", stdout);
}

/* One side of a fact. */
static void print_side(const servet_diff_fact *fact, const char *text)
{
    if (text)
        print_value(*text ? text : "nothing");
    else
        fputs(fact->host ? "not listed" : "not measured", stdout);
}

static void print_change(const servet_diff_fact *fact)
{
    if (fact->quantity == SERVET_QUANTITY_GROUPS && fact->change > 0)
        printf(" (%.3g %% of the pairs)", 100 * fact->change);
    else if (isfinite(fact->change) && fact->change != 0)
        printf(" (%+.3g %%)", 100 * fact->change);
}

/* "class fat, kind big: caches.2.bytes: 2097152 -> 1048576 (-50 %)" */
static void print_fact(const servet_diff_fact *fact)
{
    if (fact->node_class)
        printf("%s%s%s: ", fact->node_class, fact->kind ? "/" : "", fact->kind ? fact->kind : "");
    if (fact->host)
        printf("%s: ", fact->host);
    printf("%s: ", fact->key);
    print_side(fact, fact->first);
    if (fact->first && fact->second && strcmp(fact->first, fact->second) == 0)
        return;
    fputs(" -> ", stdout);
    print_side(fact, fact->second);
    print_change(fact);
}

static void print_doubt(const servet_diff_fact *fact, const char *const names[2])
{
    printf("not trusted in %s", fact->first_trusted ? "" : names[0]);
    printf("%s%s", fact->first_trusted || fact->second_trusted ? "" : " and ",
           fact->second_trusted ? "" : names[1]);
}

/* --- for people ------------------------------------------------------------------------------- */

static void print_line(const servet_diff_fact *fact, const char *const names[2])
{
    bool doubtful = fact->comparison == SERVET_COMPARISON_DOUBTFUL;
    fputs(doubtful ? "! " : "", stdout);
    print_fact(fact);
    if (doubtful) {
        fputs(", ", stdout);
        print_doubt(fact, names);
    }
    putchar('\n');
}

static void print_counts(const servet_diff *diff)
{
    printf("%d facts:", servet_diff_count(diff));
    for (int i = 0; i < SERVET_COMPARISON_COUNT; i++) {
        int count = servet_diff_count_of(diff, (servet_comparison)i);
        printf("%s %d %s", i ? "," : "", count, servet_comparison_name((servet_comparison)i));
    }
    putchar('\n');
}

/* `names` are the names of the two profiles. Returns an exit status. */
static int print_text(const servet_diff *diff, const char *const names[2])
{
    servet_diff_fact fact;
    for (int i = 0; servet_diff_get(diff, i, &fact) == SERVET_OK; i++)
        if (fact.comparison != SERVET_COMPARISON_SAME)
            print_line(&fact, names);
    print_counts(diff);
    return cli_finish_output();
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *fact_json(const servet_diff_fact *fact)
{
    return json_pack("{s:s?, s:s?, s:s?, s:s, s:s, s:s, s:s?, s:s?, s:b, s:b, s:o}", "class",
                     fact->node_class, "kind", fact->kind, "host", fact->host, "key", fact->key,
                     "quantity", servet_quantity_name(fact->quantity), "comparison",
                     servet_comparison_name(fact->comparison), "first", fact->first, "second",
                     fact->second, "first_trusted", fact->first_trusted, "second_trusted",
                     fact->second_trusted, "change", cli_json_number(fact->change));
}

static json_t *diff_json(const servet_diff *diff, bool changed)
{
    servet_diff_fact fact;
    json_t *counts = json_object(), *facts = json_array();
    for (int i = 0; i < SERVET_COMPARISON_COUNT; i++)
        json_object_set_new(counts, servet_comparison_name((servet_comparison)i),
                            json_integer(servet_diff_count_of(diff, (servet_comparison)i)));
    for (int i = 0; servet_diff_get(diff, i, &fact) == SERVET_OK; i++)
        json_array_append_new(facts, fact_json(&fact));
    return json_pack("{s:b, s:o, s:o}", "differs", changed, "counts", counts, "facts", facts);
}

/* --- the command ------------------------------------------------------------------------------ */

typedef struct diff_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *tolerance;
    bool common, json;
} diff_arguments;

/* --- tolerances ------------------------------------------------------------------------------- */

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
    int named = cli_find_word(item, name, servet_quantity_name);
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
    if (read_tolerance(arguments->tolerance, tolerance) != CLI_OK)
        return CLI_USAGE;
    if (compare(arguments, tolerance, &diff, &error) != SERVET_OK) {
        cli_error(&error);
        return CLI_USAGE;
    }
    bool changed = differs(diff, arguments->common);
    int status = arguments->json ? cli_finish_json(diff_json(diff, changed), JSON_INDENT(1))
                                 : print_text(diff, arguments->operands);
    servet_diff_destroy(diff);
    if (status != CLI_OK)
        return CLI_USAGE;
    return changed ? CLI_FAILED : CLI_OK;
}

static const cli_option options[] = {
    {"tolerance", 0, CLI_TEXT, offsetof(diff_arguments, tolerance), "LIST",
     "percentage, or NAME=PERCENT,... (default: see servet(1))"},
    {"common", 0, CLI_FLAG, offsetof(diff_arguments, common), NULL,
     "ignore values that only one profile has"},
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
    .run = run,
};
