/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/print/facts.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"

/* Limits of texts. Sets of cores are the longest facts: 16 Ki single cores fit. */
enum { FACT_MAX = 1 << 17, KEY_MAX = 160 };

static int get(const fact_source *source, const char *key, char text[FACT_MAX], servet_error *error)
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

int facts_print_one(const fact_source *source, const char *key, servet_error *error)
{
    char text[FACT_MAX];
    int code = get(source, key, text, error);
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
        get(source, name, text, NULL) == SERVET_OK)
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
    int code = get(source, key, text, error);
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
    if (!facts || json_dumpf(facts, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) != 0)
        return cli_fail_memory(error);
    putchar('\n');
    return SERVET_OK;
}

int facts_print_one_json(const fact_source *source, const char *key, servet_error *error)
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
    int code = get(to->source, key, text, to->error);
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

int facts_print_all(const fact_source *source, servet_error *error)
{
    listing to = {source, NULL, error};
    return servet_profile_each(source->profile, &source->at, print_line, &to, error);
}

int facts_print_all_json(const fact_source *source, servet_error *error)
{
    listing to = {source, json_object(), error};
    int code = servet_profile_each(source->profile, &source->at, add_member, &to, error);
    if (code == SERVET_OK)
        code = print_json(to.facts, error);
    json_decref(to.facts);
    return code;
}
