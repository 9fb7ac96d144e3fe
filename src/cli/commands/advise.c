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
#include "core/error.h"

typedef struct advise_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *node_class;
    int topic, whom;
    long long core;
    bool json;
} advise_arguments;

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

/* Null if there is no text. */
static json_t *text_or_null(const char *text)
{
    return *text ? json_string(text) : json_null();
}

static json_t *as_json(const servet_advice *advice)
{
    const servet_value *value = &advice->value;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:s, s:s, s:o, s:b, s:o}", "topic",
                     servet_advice_topic_name(advice->topic), "level",
                     advice->level ? json_integer(advice->level) : json_null(), "kind",
                     text_or_null(advice->kind), "value", cli_json_number(value->value), "low",
                     cli_json_number(value->low), "high", cli_json_number(value->high), "unit",
                     servet_unit_symbol(value->unit), "cores", text_or_null(advice->cores), "text",
                     advice->text, "why", advice->why, "facts", facts_of(advice), "trusted",
                     advice->trusted, "doubt", text_or_null(advice->doubt));
}

static int print_json(const servet_advice *advice, int count, servet_error *error)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, as_json(&advice[i]));
    json_t *whole = json_pack("{s:o}", "advice", list);
    return cli_print_json(whole, JSON_INDENT(2), error);
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

static int print_all(servet_profile *profile, const void *parsed, servet_error *error)
{
    const advise_arguments *arguments = parsed;
    char name[SERVET_NAME_MAX];
    servet_at at = {arguments->node_class, (int)arguments->core};
    servet_advice *advice = NULL;
    int count = 0, code = SERVET_OK;
    if (servet_profile_class_count(profile) >
        0) /* stores the reason in `error` if no class matches */
        code = servet_profile_get(profile, &at, "class.name", name, sizeof name, error);
    if (code == SERVET_OK) {
        code =
            report_advice_list(profile, &at, (servet_advice_for)arguments->whom, &advice, &count);
        if (code == SERVET_EMEMORY)
            code = srv_fail_memory(error);
    }
    if (code == SERVET_OK) {
        count = keep_topic(advice, count, arguments->topic);
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
    return cli_with_profile(((const advise_arguments *)parsed)->operands[0], print_all, parsed);
}

static const cli_option options[] = {
    {"topic", 0, CLI_WORD, offsetof(advise_arguments, topic), "TOPIC", "print advice on this only",
     .word = servet_advice_topic_name},
    {"for", 0, CLI_WORD, offsetof(advise_arguments, whom), "WHOM",
     "for a program with all cores, or with this process's cores and CPU quota",
     .word = servet_advice_for_name},
    {"json", 0, CLI_FLAG, offsetof(advise_arguments, json), NULL,
     "print JSON, with values, intervals and the facts behind them"},
    CLI_OPTION_CLASS(advise_arguments),
    CLI_OPTION_CORE(advise_arguments),
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const advise_arguments defaults = {
    .core = SERVET_ANY_CORE, .topic = -1, .whom = SERVET_ADVICE_FOR_PROCESS};

const cli_command command_advise = {
    .name = "advise",
    .summary = "print what programs should do, and why",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(advise_arguments),
    .defaults = &defaults,
    .run = run,
};
