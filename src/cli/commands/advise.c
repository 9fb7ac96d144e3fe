/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/report/advice.h"
#include "cli/report/document.h"

typedef struct advise_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *node_class, *topic, *whom;
    long long core;
    bool json;
} advise_arguments;

/* --- words ------------------------------------------------------------------------------------ */

/* Returns the number of the word in a list of names that ends with "?"; -1: it is not there. */
static int number_of(const char *word, const char *(*name)(int number))
{
    for (int i = 0; strcmp(name(i), "?") != 0; i++)
        if (strcmp(name(i), word) == 0)
            return i;
    return -1;
}

static const char *topic_name(int number)
{
    return servet_advice_topic_name((servet_advice_topic)number);
}

static const char *whom_name(int number)
{
    return servet_advice_for_name((servet_advice_for)number);
}

/* "block, no-block, loads" */
static void list_names(const char *(*name)(int number), char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (int i = 0; strcmp(name(i), "?") != 0 && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", name(i));
}

/* --- output ----------------------------------------------------------------------------------- */

static void print_text(const servet_advice *advice)
{
    char sentence[REPORT_SENTENCE_MAX];
    report_advice_sentence(advice, sentence);
    report_print_wrapped("", 2, sentence);
    report_advice_reason(advice, sentence);
    report_print_wrapped("  ", 2, sentence);
    if (*advice->cores) {
        char cores[SERVET_CORES_MAX + 16];
        snprintf(cores, sizeof cores, "PUs: %s", advice->cores);
        report_print_wrapped("  ", 2, cores);
    }
    if (!advice->trusted) {
        snprintf(sentence, sizeof sentence, "Not trusted: %s.", advice->doubt);
        report_print_wrapped("  ", 2, sentence);
    }
}

/* The keys of the facts, as an array. */
static json_t *facts_of(const servet_advice *advice)
{
    json_t *facts = json_array();
    const char *key = advice->facts;
    while (*key) {
        size_t length = strcspn(key, " ");
        json_array_append_new(facts, json_stringn(key, length));
        key += length + (key[length] == ' ');
    }
    return facts;
}

/* A number or a text; null if there is none. */
static json_t *number_or_null(bool known, double number)
{
    return known && isfinite(number) ? json_real(number) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return *text ? json_string(text) : json_null();
}

static json_t *as_json(const servet_advice *advice)
{
    const servet_value *value = &advice->value;
    bool known = servet_value_known(value);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:s, s:s, s:o, s:b, s:o}", "topic",
                     servet_advice_topic_name(advice->topic), "level",
                     advice->level ? json_integer(advice->level) : json_null(), "kind",
                     text_or_null(advice->kind), "value", number_or_null(known, value->value),
                     "low", number_or_null(known, value->low), "high",
                     number_or_null(known, value->high), "unit", servet_unit_symbol(value->unit),
                     "cores", text_or_null(advice->cores), "text", advice->text, "why", advice->why,
                     "facts", facts_of(advice), "trusted", advice->trusted, "doubt",
                     text_or_null(advice->doubt));
}

static int print_json(const servet_advice *advice, int count, servet_error *error)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, as_json(&advice[i]));
    json_t *whole = json_pack("{s:o}", "advice", list);
    return cli_print_json(whole, JSON_INDENT(2)) ? SERVET_OK : cli_fail_memory(error);
}

/* --- the command ------------------------------------------------------------------------------ */

/* Keeps the advice of a topic; returns its number. */
static int keep_topic(servet_advice *advice, int count, int topic)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (topic < 0 || (int)advice[i].topic == topic)
            advice[kept++] = advice[i];
    return kept;
}

static int print_all(const servet_profile *profile, const advise_arguments *arguments,
                     servet_error *error)
{
    char name[SERVET_NAME_MAX];
    servet_at at = cli_at(arguments->node_class, arguments->core);
    servet_advice *advice = NULL;
    int count = 0, code = SERVET_OK;
    if (servet_profile_class_count(profile) >
        0) /* stores the reason in `error` if no class matches */
        code = servet_profile_get(profile, &at, "class.name", name, sizeof name, error);
    if (code == SERVET_OK) {
        code = report_advice_list(profile, &at,
                                  (servet_advice_for)number_of(arguments->whom, whom_name), &advice,
                                  &count);
        if (code == SERVET_EMEMORY)
            code = cli_fail_memory(error);
    }
    if (code == SERVET_OK) {
        int topic = arguments->topic ? number_of(arguments->topic, topic_name) : -1;
        count = keep_topic(advice, count, topic);
        if (arguments->json)
            code = print_json(advice, count, error);
        for (int i = 0; i < count && !arguments->json; i++)
            print_text(&advice[i]);
    }
    free(advice);
    return code;
}

static int run(const void *parsed)
{
    const advise_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    char words[SERVET_TEXT_MAX];
    if (arguments->topic && number_of(arguments->topic, topic_name) < 0) {
        list_names(topic_name, words, sizeof words);
        return cli_usage_error("unknown topic '%s'; topics are %s", arguments->topic, words);
    }
    if (number_of(arguments->whom, whom_name) < 0) {
        list_names(whom_name, words, sizeof words);
        return cli_usage_error("--for must be one of %s, not '%s'", words, arguments->whom);
    }
    if (servet_profile_open(&profile, arguments->operands[0], &error) != SERVET_OK)
        return cli_error(&error);
    int code = print_all(profile, arguments, &error);
    servet_profile_close(profile);
    return code == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

/* The words of --topic and --for. */
static bool complete(const char *name)
{
    const char *(*names)(int number) = strcmp(name, "TOPIC") == 0  ? topic_name
                                       : strcmp(name, "WHOM") == 0 ? whom_name
                                                                   : NULL;
    for (int i = 0; names && strcmp(names(i), "?") != 0; i++)
        cli_candidate(names(i), "");
    return names;
}

static const cli_option options[] = {
    {"topic", 0, CLI_TEXT, offsetof(advise_arguments, topic), "TOPIC",
     "print advice on this only: block, threads, pages, ..."},
    {"for", 0, CLI_TEXT, offsetof(advise_arguments, whom), "WHOM",
     "process: with this process's cores and CPU quota (default), or node: with all cores"},
    {"json", 0, CLI_FLAG, offsetof(advise_arguments, json), NULL,
     "print JSON, with values, intervals and the facts behind them"},
    CLI_OPTION_CLASS(advise_arguments),
    CLI_OPTION_CORE(advise_arguments),
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const advise_arguments defaults = {.core = SERVET_ANY_CORE, .whom = "process"};

const cli_command command_advise = {
    .name = "advise",
    .summary = "print what programs should do, and why",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(advise_arguments),
    .operands_offset = offsetof(advise_arguments, operands),
    .defaults = &defaults,
    .run = run,
    .complete = complete,
};
