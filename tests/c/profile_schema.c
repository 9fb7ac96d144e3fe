/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's schema in share/ against the library. */
#include "test.h"
#include "profile_sample.h"

#include "json_schema.h"
#include "profile_fixture.h"

static json_t *schema, *sample;
static char path[TEST_PATH_MAX];

TEST_FIXTURE(setup)
{
    schema = schema_load("profile.schema.json");
    sample_path(path);
    assert_int_equal(profile_begin(state), 0);
    char *text = profile_text(profile);
    sample = json_loads(text, 0, NULL);
    free(text);
    return profile_end(state);
}

TEST_FIXTURE(teardown)
{
    json_decref(schema);
    json_decref(sample);
    return sample_remove(path);
}

/* The library is stricter than a schema can be where the value of one member limits another. */
static schema_verdict library_answers(const json_t *json)
{
    servet_profile *opened;
    servet_error error = SERVET_ERROR_INIT;
    unlink(path); /* some file systems flush a file that is truncated and written again */
    assert_int_equal(json_dump_file(json, path, 0), 0);
    if (servet_profile_open(&opened, path, &error) == SERVET_OK) {
        servet_profile_close(opened);
        return SCHEMA_ACCEPTED;
    }
    bool beyond = strstr(error.text, "outside its interval") ||
                  strstr(error.text, "machine.cores: not a set of cores") ||
                  strstr(error.text, "were measured") || strstr(error.text, "NUMA node") ||
                  strstr(error.text, "ascend") || strstr(error.text, "took part") ||
                  strstr(error.text, "first ratio") || strstr(error.text, "took no part") ||
                  strstr(error.text, "processes of the job") || strstr(error.text, "count less") ||
                  strstr(error.text, "smaller value");
    return beyond ? SCHEMA_BEYOND : SCHEMA_REFUSED;
}

TEST_EACH(setup, teardown)

TEST(the_sample_is_valid)
{
    assert_true(schema_valid(schema, sample));
    assert_int_equal(library_answers(sample), SCHEMA_ACCEPTED);
}

TEST(schema_and_library_agree)
{
    /* One class, one kind and one cache are enough, and every member of them is tried. */
    json_t *classes = json_object_get(sample, "classes");
    json_array_remove(classes, 1);
    json_t *kinds = json_object_get(json_array_get(classes, 0), "kinds");
    json_array_remove(kinds, 1);
    json_t *caches = json_object_get(json_array_get(kinds, 0), "caches");
    json_array_remove(caches, 2);
    json_array_remove(caches, 1);
    json_t *layers = json_object_get(json_object_get(sample, "network"), "layers");
    json_array_remove(layers, 2);
    json_array_remove(layers, 1);
    schema_agrees(sample, library_answers);
}

TEST(the_same_members)
{
    schema_same_members(sample);
}

TEST(the_same_words)
{
#define TEXT(name, text) text,
    static const char *const units[] = {SERVET_UNIT_LIST(TEXT) "ns", "us"}; /* of files */
    static const char *const methods[] = {SERVET_METHOD_LIST(TEXT)};
    static const char *const kinds[] = {SERVET_CACHE_KIND_LIST(TEXT)};
    static const char *const verdicts[] = {SERVET_VERDICT_LIST(TEXT)};
#undef TEXT
    schema_same_words("value", "unit", units, SERVET_UNIT_COUNT + 2);
    schema_same_words("value", "method", methods + 1,
                      SERVET_METHOD_COUNT - 2); /* not "none", nor "interpolated" */
    schema_same_words("cache", "kind", kinds, SERVET_CACHE_KIND_COUNT);
    schema_same_words("cache", "verdict", verdicts, SERVET_VERDICT_COUNT);
}
