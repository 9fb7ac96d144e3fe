/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles that are written and read again. */
#include "test.h"
#include "profile_sample.h"

#include <locale.h>
#include "folder.h"
#include "profile_fixture.h"

static const servet_at big = {"fat", 2}, first = {"fat", 0}, little = {"fat", 9},
                       thin = {"thin", SERVET_ANY_CORE};

TEST_EACH(profile_begin, profile_end)

/* The facts that have keys, as they were made and as they are read. */
static void every_field_is_kept(void)
{
    servet_profile *read = profile_reopened(profile);
    for (size_t i = 0; i < sizeof sample_keys / sizeof *sample_keys; i++)
        profile_prints(read, &first, sample_keys[i].key, sample_keys[i].text);
    assert_string_equal(servet_profile_path(profile), "");
    assert_non_null(strstr(servet_profile_path(read), ".json"));
    char *made = profile_text(profile), *again = profile_text(read);
    assert_string_equal(made, again);
    free(made);
    free(again);
    servet_profile_close(read);
}

TEST(every_field_survives)
{
    every_field_is_kept();
}

TEST(classes_kinds_and_caches_are_listed)
{
    servet_kind kind;
    servet_cache cache;
    servet_sharing sharing;
    int count = -1;
    assert_int_equal(servet_profile_class_count(profile), 2);
    assert_string_equal(servet_profile_class_name(profile, 1), "thin");
    assert_null(servet_profile_class_name(profile, 2));
    assert_string_equal(servet_profile_node(profile, &thin, 0), "node02");
    assert_null(servet_profile_node(profile, &thin, 1));
    assert_ok(servet_kind_get(profile, &big, 1, &kind));
    assert_string_equal(kind.cores, "8-11");
    assert_code(servet_kind_get(profile, &big, 2, &kind), SERVET_ERANGE);
    assert_ok(servet_cache_get(profile, &big, 3, &cache));
    assert_int_equal(cache.kind, SERVET_CACHE_TURNOVER);
    assert_code(servet_cache_get(profile, &big, 4, &cache), SERVET_ERANGE);
    assert_ok(servet_cache_sharing(profile, &big, 1, &sharing));
    assert_true(sharing.confidence == sample_sharing.confidence);
    assert_code(servet_cache_sharing(profile, &big, 4, &sharing), SERVET_ERANGE);
    assert_ok(servet_cache_count(profile, &little, &count));
    assert_int_equal(count, 0);
    assert_code(servet_cache_count(profile, &thin, &count), SERVET_EUNMEASURED);
}

static void is_for_people(void)
{
    char *text = profile_text(profile);
    assert_ptr_equal(strstr(text, "{\n  \"schema\": 4,\n  \"run\": {\n"), text);
    /* A value is one line, whole bytes are whole numbers, unknown is null. */
    assert_non_null(strstr(text, "\"bytes\": {\"value\": 49152, \"low\": 36864, \"high\": 61440, "
                                 "\"unit\": \"B\", \"samples\": 579, \"method\": \"curve-fit\", "
                                 "\"trusted\": true},\n"));
    assert_non_null(strstr(text, "\"latency_ns\": {\"value\": 1.39, "));
    assert_non_null(strstr(text, "\"reported\": null,\n"));
    assert_non_null(strstr(text, "\"nodes\": [\"node01\"],\n"));
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);
}

TEST(the_file_is_for_people)
{
    is_for_people();
}

TEST(the_locale_does_not_matter)
{
    char text[32];
    if (!use_comma_locale())
        test_skip("this system makes no locales");
    snprintf(text, sizeof text, "%g", 1.5);
    assert_string_equal(text, "1,5");
    every_field_is_kept();
    is_for_people();
    setlocale(LC_NUMERIC, "C");
}
