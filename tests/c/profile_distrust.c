/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that are marked as not to be trusted: those that were named, with all that is in them. */
#include "test.h"
#include "profile_sample.h"

#include <jansson.h>
#include "profile_fixture.h"

/* Node class `index` as its JSON, which the caller frees. */
static json_t *class_as_json(size_t index)
{
    char *text = profile_text(profile);
    json_t *root = json_loads(text, 0, NULL);
    json_t *class = json_incref(json_array_get(json_object_get(root, "classes"), index));
    json_decref(root);
    free(text);
    return class;
}

/* Counts the values below `json` that are trusted, and those that are not. */
static void count(json_t *json, int *trusted, int *doubtful)
{
    const char *name;
    size_t i;
    json_t *item, *trust = json_object_get(json, "trusted");
    *trusted += json_is_true(trust);
    *doubtful += json_is_false(trust);
    json_array_foreach (json, i, item)
        count(item, trusted, doubtful);
    json_object_foreach (json, name, item)
        count(item, trusted, doubtful);
}

/* How many values below `json` are trusted, or are not. */
static int values_in(json_t *json, bool trusted)
{
    int counts[2] = {0, 0};
    count(json, &counts[true], &counts[false]);
    return counts[trusted];
}

TEST_EACH(profile_begin, profile_end)

TEST(a_member_and_all_in_it)
{
    json_t *before = class_as_json(0);
    assert_int_equal(values_in(before, false), 0);
    assert_ok(servet_profile_distrust(profile, 0, " coherence  memory.levels", "noise", NULL));
    json_t *after = class_as_json(0);
    json_t *coherence = json_object_get(after, "coherence");
    json_t *levels = json_object_get(json_object_get(after, "memory"), "levels");
    assert_int_equal(values_in(coherence, true) + values_in(levels, true), 0);
    /* its line and what the OS says of it; two bandwidths, and three known ones of scaling */
    assert_int_equal(values_in(coherence, false), 2);
    assert_int_equal(values_in(levels, false), 5);
    assert_int_equal(values_in(after, false), 7);
    assert_int_equal(values_in(after, true), values_in(before, true) - 7);
    json_decref(before);
    json_decref(after);
}

TEST(a_member_of_every_item)
{
    servet_cache cache;
    const servet_at big = {"fat", 0};
    assert_ok(servet_profile_distrust(profile, 0, "kinds.caches.line", "noise", NULL));
    for (int level = 1; level <= 3; level++) {
        assert_ok(servet_cache_get(profile, &big, level, &cache));
        assert_false(cache.line.trusted);
        assert_true(cache.bytes.trusted && cache.latency.trusted);
    }
    json_t *after = class_as_json(0);
    assert_int_equal(values_in(after, false), 3);
    json_decref(after);
}

TEST(one_value_of_a_list)
{
    const servet_at at = {"fat", 0};
    servet_value each;
    assert_ok(servet_profile_distrust(profile, 0, "memory.scaling.2", "noise", NULL));
    for (int cores = 1; cores <= 2; cores++) {
        assert_ok(servet_memory_scaling(profile, &at, 0, cores, &each));
        assert_int_equal(each.trusted, cores == 1);
    }
}

TEST(what_is_stored_in_a_doubted_item_later_is_marked)
{
    static const char *const paths[] = {"memory.levels.1.scaling", "memory.scaling"},
                             *const keys[] = {"memory.levels.1.scaling.4", "memory.scaling.4"};
    const servet_at at = {"fat", 0};
    servet_value rates[8];
    servet_trust trust;
    sample_rates(SAMPLE_KERNELS, rates, 8);
    assert_ok(servet_profile_distrust(profile, 0, "memory.levels.1", "noise", NULL));
    for (int i = 0; i < 2; i++) {
        assert_ok(servet_profile_set(profile, 0, paths[i], rates, sizeof *rates, i ? 8 : 4, NULL));
        assert_ok(servet_profile_trust(profile, &at, keys[i], &trust, NULL));
        assert_int_equal(trust.trusted, i);
    }
}

TEST(unknown_values_stay_unknown)
{
    json_t *before = class_as_json(1);
    assert_ok(servet_profile_distrust(profile, 1, "distance.layers kinds numa", "noise", NULL));
    json_t *after = class_as_json(1);
    assert_int_equal(json_array_size(json_object_get(after, "doubts")), 3);
    json_object_set_new(after, "doubts", json_null());
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
}

/* "kinds.caches" covers the doubt about its count, but not the one about all memory. */
TEST(doubts_end_where_facts_are_measured_again)
{
    const servet_at at = {"fat", 0};
    servet_trust trust;
    assert_ok(servet_profile_distrust(profile, 0, "kinds.1.caches.count memory", "noise", NULL));
    assert_ok(servet_profile_forget_doubts(profile, 0, "kinds.caches memory.levels", NULL));
    assert_ok(servet_profile_trust(profile, &at, "caches.count", &trust, NULL));
    assert_true(trust.trusted);
    assert_ok(servet_profile_trust(profile, &at, "memory.levels.count", &trust, NULL));
    assert_false(trust.trusted);
    assert_int_equal(servet_profile_forget_doubts(profile, 0, "memor", NULL), SERVET_EARGUMENT);
}

TEST(names_that_are_none)
{
    static const char *const names[] = {"distanc",
                                        "kinds.caches.lines",
                                        "coherence.coherence_line.x",
                                        "kinds.name",
                                        "distance.layers coherence memor",
                                        "count",
                                        "memory.levels.count.x",
                                        "coherence.count",
                                        "memory.saturation.1",
                                        "network",
                                        "network.layer",
                                        "network.nodes"};
    json_t *before = class_as_json(0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        servet_error error = SERVET_ERROR_INIT;
        const char *last = strrchr(names[i], ' ');
        assert_code(servet_profile_distrust(profile, 0, names[i], "noise", &error),
                    SERVET_EARGUMENT);
        assert_non_null(strstr(error.text, last ? last + 1 : names[i]));
    }
    assert_code(servet_profile_distrust(profile, 2, "coherence", "noise", NULL), SERVET_EARGUMENT);
    json_t *after = class_as_json(0);
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
}
