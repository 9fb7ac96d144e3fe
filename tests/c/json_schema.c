/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_schema.h"

/* The schema whose "$defs" references lead to: one a test program. */
static json_t *schema;

json_t *schema_load(const char *name)
{
    char file[1024];
    snprintf(file, sizeof file, "%s/share/schema/%s", getenv("SOURCE_ROOT"), name);
    schema = json_load_file(file, JSON_REJECT_DUPLICATES, NULL);
    return schema;
}

/* --- a validator ------------------------------------------------------------------------------ */

static json_t *resolve(const json_t *reference)
{
    const char *text = json_string_value(reference), prefix[] = "#/$defs/";
    assert_memory_equal(text, prefix, strlen(prefix));
    json_t *found = json_object_get(json_object_get(schema, "$defs"), text + strlen(prefix));
    assert_non_null(found);
    return found;
}

const json_t *schema_follow(const json_t *rules)
{
    const json_t *reference = json_object_get(rules, "$ref");
    return reference ? resolve(reference) : rules;
}

static bool has_type(const json_t *type, const json_t *value)
{
    static const char *const names[] = {"object", "array",   "string",  "integer",
                                        "number", "boolean", "boolean", "null"};
    size_t i;
    json_t *item;
    json_array_foreach (type, i, item)
        if (has_type(item, value))
            return true;
    if (!json_is_string(type))
        return false;
    const char *wanted = json_string_value(type);
    double number = json_number_value(value);
    bool is_whole = json_is_real(value) && number == floor(number);
    return strcmp(wanted, names[json_typeof(value)]) == 0 ||
           (strcmp(wanted, "number") == 0 && json_is_integer(value)) ||
           (strcmp(wanted, "integer") == 0 && is_whole);
}

static bool is_listed(const json_t *words, const json_t *value)
{
    size_t i;
    json_t *item;
    json_array_foreach (words, i, item)
        if (json_equal(item, value))
            return true;
    return false;
}

static bool has_all(const json_t *names, const json_t *object)
{
    size_t i;
    json_t *name;
    json_array_foreach (names, i, name)
        if (!json_object_get(object, json_string_value(name)))
            return false;
    return true;
}

static bool members_valid(json_t *properties, const json_t *object)
{
    const char *name;
    json_t *rules;
    json_object_foreach (properties, name, rules) {
        const json_t *member = json_object_get(object, name);
        if (member && !schema_valid(rules, member))
            return false;
    }
    return true;
}

static bool has_no_other(const json_t *properties, const json_t *object)
{
    const char *name;
    json_t *member;
    json_object_foreach ((json_t *)(uintptr_t)object, name, member)
        if (!json_object_get(properties, name))
            return false;
    return true;
}

static bool items_valid(const json_t *rules, const json_t *array)
{
    size_t i;
    json_t *item;
    json_array_foreach (array, i, item)
        if (!schema_valid(rules, item))
            return false;
    return true;
}

/* The first items of an array have rules of their own. */
static bool first_items_valid(const json_t *rules, const json_t *array)
{
    size_t i;
    json_t *item;
    json_array_foreach (array, i, item)
        if (i < json_array_size(rules) && !schema_valid(json_array_get(rules, i), item))
            return false;
    return true;
}

static bool has_pattern(const char *pattern, const char *text)
{
    regex_t regex;
    assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    bool found = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return found;
}

static bool obeys_any(const json_t *choices, const json_t *value)
{
    size_t i;
    json_t *rules;
    json_array_foreach (choices, i, rules)
        if (schema_valid(rules, value))
            return true;
    return false;
}

static bool obeys(const json_t *rules, const char *keyword, json_t *rule, const json_t *value)
{
    double bound = json_number_value(rule), number = json_number_value(value);
    size_t length = json_string_length(value);
    if (strcmp(keyword, "$ref") == 0)
        return schema_valid(resolve(rule), value);
    if (strcmp(keyword, "type") == 0)
        return has_type(rule, value);
    if (strcmp(keyword, "const") == 0)
        return json_equal(rule, value);
    if (strcmp(keyword, "enum") == 0)
        return is_listed(rule, value);
    if (strcmp(keyword, "anyOf") == 0)
        return obeys_any(rule, value);
    if (strcmp(keyword, "required") == 0)
        return !json_is_object(value) || has_all(rule, value);
    if (strcmp(keyword, "properties") == 0)
        return members_valid(rule, value);
    if (strcmp(keyword, "additionalProperties") == 0)
        return json_is_true(rule) || has_no_other(json_object_get(rules, "properties"), value);
    if (strcmp(keyword, "items") == 0)
        return items_valid(rule, value);
    if (strcmp(keyword, "prefixItems") == 0)
        return first_items_valid(rule, value);
    if (strcmp(keyword, "minItems") == 0)
        return !json_is_array(value) || json_array_size(value) >= (size_t)bound;
    if (strcmp(keyword, "maxItems") == 0)
        return json_array_size(value) <= (size_t)bound;
    if (strcmp(keyword, "minLength") == 0)
        return !json_is_string(value) || length >= (size_t)bound;
    if (strcmp(keyword, "maxLength") == 0)
        return length <= (size_t)bound;
    if (strcmp(keyword, "pattern") == 0)
        return !json_is_string(value) ||
               has_pattern(json_string_value(rule), json_string_value(value));
    if (strcmp(keyword, "minimum") == 0)
        return !json_is_number(value) || number >= bound;
    if (strcmp(keyword, "exclusiveMinimum") == 0)
        return !json_is_number(value) || number > bound;
    if (strcmp(keyword, "maximum") == 0)
        return !json_is_number(value) || number <= bound;
    static const char *const silent[] = {"description", "title", "$schema", "$defs"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (strcmp(keyword, silent[i]) == 0)
            return true;
    fail_msg("the validator of this test does not know '%s'", keyword);
    return false;
}

bool schema_valid(const json_t *rules, const json_t *value)
{
    const char *keyword;
    json_t *rule;
    void *at;
    for (at = json_object_iter((json_t *)(uintptr_t)rules); at;
         at = json_object_iter_next((json_t *)(uintptr_t)rules, at)) {
        keyword = json_object_iter_key(at);
        rule = json_object_iter_value(at);
        if (!obeys(rules, keyword, rule, value))
            return false;
    }
    return true;
}

/* --- both check alike ------------------------------------------------------------------------- */

static void answer_alike(json_t *sample, schema_check *check, const char *name, const char *change)
{
    schema_verdict verdict = check(sample);
    bool by_schema = schema_valid(schema, sample), accepted = verdict == SCHEMA_ACCEPTED;
    if (verdict != SCHEMA_BEYOND && accepted != by_schema)
        fail_msg("%s %s: the library %s it, the schema %s it", name, change,
                 accepted ? "accepts" : "refuses", by_schema ? "accepts" : "refuses");
}

/* Tries the member `name` of `value`, which is a part of `sample`, with other contents. */
static void try_member(json_t *sample, json_t *value, const char *name, schema_check *check)
{
    static const char *const contents[] = {"null",  "true",   "-1",       "0.5", "0",  "\"\"",
                                           "\"x\"", "\"2T\"", "\"2.5K\"", "[]",  "{}", "1e30"};
    json_t *kept = json_incref(json_object_get(value, name));
    for (size_t i = strlen(name) % test_step(17); i < sizeof contents / sizeof *contents;
         i += test_step(17)) {
        json_object_set_new(value, name, json_loads(contents[i], JSON_DECODE_ANY, NULL));
        answer_alike(sample, check, name, contents[i]);
    }
    json_object_del(value, name);
    answer_alike(sample, check, name, "left out");
    json_object_set_new(value, name, kept);
}

static void try_members(json_t *sample, json_t *value, schema_check *check)
{
    const char *name;
    size_t i;
    json_t *item, *names;
    /* Members of values are read by one description: a few values suffice for each commit. */
    static size_t values;
    if (json_object_get(value, "unit") && values++ % test_step(17) > 0)
        return;
    names = json_object();
    json_array_foreach (value, i, item)
        try_members(sample, item, check);
    json_object_update(names, value);
    json_object_foreach (names, name, item) {
        try_member(sample, value, name, check);
        try_members(sample, item, check);
    }
    json_decref(names);
}

void schema_agrees(json_t *sample, schema_check *check)
{
    try_members(sample, sample, check);
}

/* --- the same members ------------------------------------------------------------------------- */

/* Values, which have a low end, may leave out what need not be there. */
static bool is_usual(const json_t *rules, const char *name)
{
    json_t *named = json_string(name);
    bool required = is_listed(json_object_get(rules, "required"), named);
    json_decref(named);
    return !required && json_object_get(json_object_get(rules, "properties"), "low");
}

/* Every member is named in the schema, and every name of the schema is a member. */
static void same_members(const json_t *rules, json_t *value)
{
    const json_t *reference = json_object_get(rules, "$ref");
    json_t *properties = json_object_get(rules, "properties"), *item;
    const char *name;
    size_t i;
    if (reference) {
        same_members(resolve(reference), value);
        return;
    }
    if (json_is_array(value))
        json_array_foreach (value, i, item)
            if (json_is_object(item))
                same_members(json_object_get(rules, "items"), item);
    if (!json_is_object(value))
        return;
    assert_non_null(properties);
    json_object_foreach (properties, name, item)
        if (!json_object_get(value, name) && !is_usual(rules, name))
            fail_msg("the schema names '%s', the library does not write it", name);
    json_object_foreach (value, name, item) {
        if (!json_object_get(properties, name))
            fail_msg("the library writes '%s', the schema does not name it", name);
        same_members(json_object_get(properties, name), item);
    }
}

void schema_same_members(json_t *sample)
{
    same_members(schema, sample);
}

/* --- the same words --------------------------------------------------------------------------- */

void schema_same_words(const char *definition, const char *member, const char *const *texts,
                       size_t count)
{
    const json_t *defs = json_object_get(json_object_get(schema, "$defs"), definition);
    const json_t *properties = json_object_get(defs, "properties");
    const json_t *words =
        json_object_get(schema_follow(json_object_get(properties, member)), "enum");
    assert_int_equal(json_array_size(words), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(json_string_value(json_array_get(words, i)), texts[i]);
}
