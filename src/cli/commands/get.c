/* SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/commands.h"
#include "cli/message.h"
#include "servet/keys.h"
#include "servet/node.h"

/* The profile, class and core, and the choice of facts. */
typedef struct fact_source {
    const servet_profile *profile;
    servet_at at;
    bool trusted_only; /* leave out facts that are not trusted */
} fact_source;

/* All print to stdout; errors are those of servet_profile_get(), and SERVET_EMEMORY. */

/* Limits of texts. Sets of cores are the longest facts: 16 Ki single cores fit. */
enum { FACT_MAX = 1 << 17, KEY_MAX = 160 };

static int get_text(const fact_source *source, const char *key, char text[FACT_MAX],
                    servet_error *error)
{
    return servet_profile_get(source->profile, &source->at, key, text, FACT_MAX, error);
}

/* Prints on stderr that the fact is not trusted, unless the key names a part of it, such as
 * KEY.method. */
static void note_doubt(const fact_source *source, const char *key)
{
    servet_key_type type;
    servet_trust trust;
    char reason[KEY_MAX];
    snprintf(reason, sizeof reason, "%s.reason", key);
    bool is_part = servet_profile_key_type(reason, &type, NULL) != SERVET_OK;
    if (!is_part &&
        servet_profile_trust(source->profile, &source->at, key, &trust, NULL) == SERVET_OK &&
        !trust.trusted)
        cli_doubt(key, trust.reason);
}

/* Prints the value of one fact; a list of sets has a line for each set. */
static int facts_print_one(const fact_source *source, const char *key, servet_error *error)
{
    char text[FACT_MAX];
    int code = get_text(source, key, text, error);
    if (code == SERVET_OK)
        puts(text);
    if (code == SERVET_OK)
        note_doubt(source, key);
    return code;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *lines_json(char *text)
{
    json_t *list = json_array();
    for (char *rest, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        json_array_append_new(list, json_string(line));
    return list;
}

/* Returns a text as JSON; numbers have enough digits to be read back unchanged. */
static json_t *text_json(servet_key_type type, char *text)
{
    switch (type) {
    case SERVET_KEY_VALUE:
    case SERVET_KEY_NUMBER:
        return json_loads(text, JSON_DECODE_ANY, NULL);
    case SERVET_KEY_TRUTH:
        return json_boolean(strcmp(text, "yes") == 0);
    case SERVET_KEY_LINES:
        return lines_json(text);
    default:
        return json_string(text);
    }
}

/* Adds the answer to the key with `part` behind it, if there is one. */
static void add_part(const fact_source *source, const char *key, const char *part, json_t *fact)
{
    char name[KEY_MAX], text[FACT_MAX];
    servet_key_type type;
    snprintf(name, sizeof name, "%s.%s", key, part);
    if (servet_profile_key_type(name, &type, NULL) == SERVET_OK &&
        get_text(source, name, text, NULL) == SERVET_OK)
        json_object_set_new(fact, part, text_json(type, text));
}

static void add_trust(const fact_source *source, const char *key, json_t *fact)
{
    servet_trust trust;
    if (servet_profile_trust(source->profile, &source->at, key, &trust, NULL) != SERVET_OK)
        return;
    json_object_set_new(fact, "trusted", json_boolean(trust.trusted));
    json_object_set_new(fact, "confidence",
                        isnan(trust.confidence) ? json_null() : json_real(trust.confidence));
    json_object_set_new(fact, "reason", trust.trusted ? json_null() : json_string(trust.reason));
}

/* Adds the fact of the key to `facts`. */
static int add_fact(const fact_source *source, const char *key, json_t *facts, servet_error *error)
{
    static const char *const parts[] = {"low", "high", "samples", "method"};
    char text[FACT_MAX];
    servet_key_type type = SERVET_KEY_TEXT;
    int code = get_text(source, key, text, error);
    if (code == SERVET_OK)
        code = servet_profile_key_type(key, &type, error);
    if (code != SERVET_OK)
        return code;
    json_t *fact = json_object();
    json_object_set_new(fact, "value", text_json(type, text));
    for (size_t i = 0; type == SERVET_KEY_VALUE && i < sizeof parts / sizeof *parts; i++)
        add_part(source, key, parts[i], fact);
    add_trust(source, key, fact);
    return json_object_set_new(facts, key, fact) == 0 ? SERVET_OK : SERVET_EMEMORY;
}

static int print_json(json_t *facts, servet_error *error)
{
    return cli_print_json(json_incref(facts), JSON_INDENT(1) | JSON_REAL_PRECISION(15), error);
}

/* Prints one fact as JSON: {"KEY": {"value", ...}}. */
static int facts_print_one_json(const fact_source *source, const char *key, servet_error *error)
{
    json_t *facts = json_object();
    int code = add_fact(source, key, facts, error);
    if (code == SERVET_OK)
        code = print_json(facts, error);
    json_decref(facts);
    return code;
}

/* --- all facts -------------------------------------------------------------------------------- */

/* State of a walk over all facts. */
typedef struct listing {
    const fact_source *source;
    json_t *facts;
    servet_error *error;
} listing;

/* Returns an error that ends the listing, or SERVET_OK if the fact is left out because it is not
 * trusted. */
static int unless_left_out(const listing *to, int code)
{
    if (code != SERVET_EUNTRUSTED || !to->source->trusted_only)
        return code;
    *to->error = (servet_error)SERVET_ERROR_INIT; /* otherwise it would hide later errors */
    return SERVET_OK;
}

static int print_line(void *context, const char *key)
{
    const listing *to = context;
    char text[FACT_MAX];
    int code = get_text(to->source, key, text, to->error);
    if (code != SERVET_OK)
        return unless_left_out(to, code);
    for (char *end = text; (end = strchr(end, '\n'));)
        *end = ' ';
    printf("%s=%s\n", key, text);
    return SERVET_OK;
}

static int add_member(void *context, const char *key)
{
    const listing *to = context;
    return unless_left_out(to, add_fact(to->source, key, to->facts, to->error));
}

/* Prints a line KEY=VALUE for each fact, with blanks between sets of cores. */
static int facts_print_all(const fact_source *source, servet_error *error)
{
    listing to = {source, NULL, error};
    return servet_profile_each(source->profile, &source->at, print_line, &to, error);
}

/* Prints all facts as JSON, each as facts_print_one_json() does. */
static int facts_print_all_json(const fact_source *source, servet_error *error)
{
    listing to = {source, json_object(), error};
    int code = servet_profile_each(source->profile, &source->at, add_member, &to, error);
    if (code == SERVET_OK)
        code = print_json(to.facts, error);
    json_decref(to.facts);
    return code;
}

typedef struct get_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *node_class;
    int pages;
    long long core;
    bool all, json, keys, trusted_only;
} get_arguments;

/* Prints lines, or an object of JSON; descriptions of keys need no escapes. */
static int list_keys(bool json)
{
    const char *summary;
    char pattern[SERVET_NAME_MAX];
    for (int i = 0; servet_profile_key(i, pattern, sizeof pattern, &summary) == SERVET_OK; i++)
        printf(json ? "%s\"%s\": \"%s\"" : "%s%-42s %s\n", json ? (i ? ",\n " : "{") : "", pattern,
               summary);
    if (json)
        puts("}");
    return cli_finish_output();
}

/* Facts of translation with huge pages have keys of their own. */
static const char *key_of(const get_arguments *arguments, char key[SERVET_NAME_MAX])
{
    static const char of_base[] = "translation.";
    const char *wanted = arguments->operands[0];
    if (arguments->pages != SERVET_PAGES_HUGE || strncmp(wanted, of_base, strlen(of_base)) != 0)
        return wanted;
    snprintf(key, SERVET_NAME_MAX, "translation_huge.%s", wanted + strlen(of_base));
    return key;
}

/* Prints one fact or all, as text or JSON. */
static int print(const get_arguments *arguments, const fact_source *source, servet_error *error)
{
    char key[SERVET_NAME_MAX];
    if (arguments->all)
        return (arguments->json ? facts_print_all_json : facts_print_all)(source, error);
    return (arguments->json ? facts_print_one_json
                            : facts_print_one)(source, key_of(arguments, key), error);
}

static int get(servet_profile *profile, const void *parsed, servet_error *error)
{
    const get_arguments *arguments = parsed;
    const fact_source source = {
        profile, {arguments->node_class, (int)arguments->core}, arguments->trusted_only};
    servet_profile_trusted_only(profile, arguments->trusted_only);
    return print(arguments, &source, error);
}

static int run(const void *parsed)
{
    const get_arguments *arguments = parsed;
    if (arguments->keys)
        return list_keys(arguments->json);
    if (!arguments->all && !arguments->operands[0])
        return cli_usage_error(
            "get needs KEY [PROFILE] or --all [PROFILE] (servet get --keys lists the keys)");
    if (arguments->all && arguments->operands[1])
        return cli_usage_error("get --all takes no KEY, only a PROFILE: unexpected '%s'",
                               arguments->operands[1]);
    return cli_with_profile(arguments->operands[!arguments->all], get, arguments);
}

/* The key with the number for N, and 1 for M. */
static void key_with(const char *pattern, char number, char key[SERVET_NAME_MAX])
{
    size_t length = 0;
    for (; length < SERVET_NAME_MAX - 1 && pattern[length]; length++)
        key[length] = pattern[length] == 'N'   ? number
                      : pattern[length] == 'M' ? '1'
                                               : pattern[length];
    key[length] = '\0';
}

/* The keys, with the levels that machines have. */
static bool complete(const char *name)
{
    const char *summary;
    char pattern[SERVET_NAME_MAX], key[SERVET_NAME_MAX];
    if (strcmp(name, "KEY") != 0)
        return false;
    for (int i = 0; servet_profile_key(i, pattern, sizeof pattern, &summary) == SERVET_OK; i++)
        for (char number = '1'; number <= (strchr(pattern, 'N') ? '3' : '1'); number++) {
            key_with(pattern, number, key);
            cli_candidate(key, summary);
        }
    return true;
}

static const cli_option options[] = {
    {"all", 0, CLI_FLAG, offsetof(get_arguments, all), NULL,
     "print all values that were measured, a line KEY=VALUE each"},
    {"json", 0, CLI_FLAG, offsetof(get_arguments, json), NULL,
     "print JSON, with intervals and trust"},
    {"keys", 0, CLI_FLAG, offsetof(get_arguments, keys), NULL, "list the keys"},
    CLI_OPTION_CLASS(get_arguments),
    CLI_OPTION_CORE(get_arguments),
    {"pages", 0, CLI_WORD, offsetof(get_arguments, pages), "SIZE", "page size of translation",
     .word = servet_pages_name},
    {"trusted-only", 0, CLI_FLAG, offsetof(get_arguments, trusted_only), NULL,
     "fail if the value is not trusted; leave it out of all values"},
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const get_arguments defaults = {.core = SERVET_ANY_CORE, .pages = SERVET_PAGES_BASE};

const cli_command command_get = {
    .name = "get",
    .summary = "print one value or all, for scripts",
    .operands = "KEY [PROFILE]",
    .operands_max = 2,
    .options = options,
    .size = sizeof(get_arguments),
    .defaults = &defaults,
    .run = run,
    .complete = complete,
};
