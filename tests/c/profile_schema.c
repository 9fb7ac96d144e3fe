/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The schema in share/ against the library: the same members, the same words, the same judgement.
 * The validator below knows the keywords that the schema uses, and no other.
 */
#include "test.h"
#include "profile_sample.h"

#include <jansson.h>
#include <regex.h>

static json_t *schema, *sample;
static char path[64];

static int setup(void **state)
{
    (void)state;
    char file[1024], *text = NULL;
    size_t size;
    servet_profile *profile;
    snprintf(file, sizeof file, "%s/share/schema/profile.schema.json", getenv("SOURCE_ROOT"));
    schema = json_load_file(file, JSON_REJECT_DUPLICATES, NULL);
    sample_path(path);
    if (!schema || sample_profile(&profile, NULL) != SERVET_OK)
        return -1;
    FILE *stream = open_memstream(&text, &size);
    int code = servet_profile_dump(profile, stream, NULL);
    fclose(stream);
    sample = json_loads(text, 0, NULL);
    free(text);
    servet_profile_close(profile);
    return code;
}

static int teardown(void **state)
{
    (void)state;
    json_decref(schema);
    json_decref(sample);
    return sample_remove(path);
}

/* --- a validator ------------------------------------------------------------------------------ */

static bool valid(const json_t *rules, const json_t *value);

static json_t *resolve(const json_t *reference)
{
    const char *text = json_string_value(reference), prefix[] = "#/$defs/";
    assert_memory_equal(text, prefix, strlen(prefix));
    json_t *found = json_object_get(json_object_get(schema, "$defs"), text + strlen(prefix));
    assert_non_null(found);
    return found;
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
    return strcmp(wanted, names[json_typeof(value)]) == 0 ||
           (strcmp(wanted, "number") == 0 && json_is_integer(value));
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
        if (member && !valid(rules, member))
            return false;
    }
    return true;
}

static bool items_valid(const json_t *rules, const json_t *array)
{
    size_t i;
    json_t *item;
    json_array_foreach (array, i, item)
        if (!valid(rules, item))
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

static bool obeys(const char *keyword, json_t *rule, const json_t *value)
{
    double bound = json_number_value(rule), number = json_number_value(value);
    size_t length = json_string_length(value);
    if (strcmp(keyword, "$ref") == 0)
        return valid(resolve(rule), value);
    if (strcmp(keyword, "type") == 0)
        return has_type(rule, value);
    if (strcmp(keyword, "const") == 0)
        return json_equal(rule, value);
    if (strcmp(keyword, "enum") == 0)
        return is_listed(rule, value);
    if (strcmp(keyword, "required") == 0)
        return !json_is_object(value) || has_all(rule, value);
    if (strcmp(keyword, "properties") == 0)
        return members_valid(rule, value);
    if (strcmp(keyword, "items") == 0)
        return items_valid(rule, value);
    if (strcmp(keyword, "maxItems") == 0)
        return json_array_size(value) <= (size_t)bound;
    if (strcmp(keyword, "minItems") == 0)
        return !json_is_array(value) || json_array_size(value) >= (size_t)bound;
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

static bool valid(const json_t *rules, const json_t *value)
{
    const char *keyword;
    json_t *rule;
    void *at;
    for (at = json_object_iter((json_t *)(uintptr_t)rules); at;
         at = json_object_iter_next((json_t *)(uintptr_t)rules, at)) {
        keyword = json_object_iter_key(at);
        rule = json_object_iter_value(at);
        if (!obeys(keyword, rule, value))
            return false;
    }
    return true;
}

/* --- both judge alike ------------------------------------------------------------------------- */

static bool library_accepts(const json_t *profile)
{
    servet_profile *opened;
    assert_int_equal(json_dump_file(profile, path, 0), 0);
    int code = servet_profile_open(&opened, path, NULL);
    if (code == SERVET_OK)
        servet_profile_close(opened);
    return code == SERVET_OK;
}

static void judge(const char *name, const char *change)
{
    bool library = library_accepts(sample), by_schema = valid(schema, sample);
    if (library != by_schema)
        fail_msg("%s %s: the library %s it, the schema %s it", name, change,
                 library ? "accepts" : "refuses", by_schema ? "accepts" : "refuses");
}

/* Tries every member below `value` with other contents, and without it. */
static void try_members(json_t *value)
{
    static const char *const contents[] = {"null", "true",  "-1", "0.5", "0",
                                           "\"\"", "\"x\"", "[]", "{}",  "1e30"};
    const char *name;
    size_t i;
    json_t *item;
    json_array_foreach (value, i, item)
        try_members(item);
    json_t *names = json_object();
    json_object_update(names, value);
    json_object_foreach (names, name, item) {
        for (i = 0; i < sizeof contents / sizeof *contents; i++) {
            json_object_set_new(value, name, json_loads(contents[i], JSON_DECODE_ANY, NULL));
            /* What no schema can say: levels in order, low <= value <= high, names that differ. */
            bool beyond = json_object_get(value, "trusted") && json_is_number(item) &&
                          strcmp(name, "samples") != 0;
            if (!beyond && !(strcmp(name, "cores") == 0 && json_object_get(value, "cpu")))
                judge(name, contents[i]);
        }
        json_object_del(value, name);
        judge(name, "left out");
        json_object_set(value, name, item);
    }
    json_object_foreach (names, name, item)
        try_members(item);
    json_decref(names);
}

static void the_sample_is_valid(void **state)
{
    (void)state;
    assert_true(valid(schema, sample));
    assert_true(library_accepts(sample));
}

static void schema_and_library_agree(void **state)
{
    (void)state;
    /* One class, one kind and one cache are enough, and every member of them is tried. */
    json_t *classes = json_object_get(sample, "classes");
    json_array_remove(classes, 1);
    json_t *kinds = json_object_get(json_array_get(classes, 0), "kinds");
    json_array_remove(kinds, 1);
    json_t *caches = json_object_get(json_array_get(kinds, 0), "caches");
    json_array_remove(caches, 2);
    json_array_remove(caches, 1);
    try_members(sample);
}

/* --- the same members ------------------------------------------------------------------------- */

/* Every member is named in the schema, and every name of the schema is a member. */
static void same_members(const json_t *rules, json_t *value)
{
    const json_t *reference = json_object_get(rules, "$ref");
    json_t *properties = json_object_get(rules, "properties"), *item;
    const char *name;
    size_t i;
    if (reference && json_is_object(value)) {
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
        if (!json_object_get(value, name))
            fail_msg("the schema names '%s', the library does not write it", name);
    json_object_foreach (value, name, item) {
        if (!json_object_get(properties, name))
            fail_msg("the library writes '%s', the schema does not name it", name);
        same_members(json_object_get(properties, name), item);
    }
}

static void the_same_members(void **state)
{
    (void)state;
    same_members(schema, sample);
}

/* --- the same words --------------------------------------------------------------------------- */

static const json_t *words_of(const char *definition, const char *member)
{
    const json_t *defs = json_object_get(json_object_get(schema, "$defs"), definition);
    return json_object_get(json_object_get(json_object_get(defs, "properties"), member), "enum");
}

static void same_words(const json_t *words, const char *const *texts, size_t count)
{
    assert_int_equal(json_array_size(words), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(json_string_value(json_array_get(words, i)), texts[i]);
}

static void the_same_words(void **state)
{
    (void)state;
#define TEXT(name, text) text,
    static const char *const units[] = {SERVET_UNIT_LIST(TEXT)};
    static const char *const methods[] = {SERVET_METHOD_LIST(TEXT)};
    static const char *const kinds[] = {SERVET_CACHE_KIND_LIST(TEXT)};
    static const char *const verdicts[] = {SERVET_VERDICT_LIST(TEXT)};
#undef TEXT
    same_words(words_of("value", "unit"), units, SERVET_UNIT_COUNT);
    same_words(words_of("value", "method"), methods + 1, SERVET_METHOD_COUNT - 1); /* not "none" */
    same_words(words_of("cache", "kind"), kinds, SERVET_CACHE_KIND_COUNT);
    same_words(words_of("cache", "verdict"), verdicts, SERVET_VERDICT_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_sample_is_valid, setup, teardown),
        cmocka_unit_test_setup_teardown(schema_and_library_agree, setup, teardown),
        cmocka_unit_test_setup_teardown(the_same_members, setup, teardown),
        cmocka_unit_test_setup_teardown(the_same_words, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
