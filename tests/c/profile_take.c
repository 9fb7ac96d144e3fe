/* SPDX-License-Identifier: BSD-3-Clause */
/* Two measurements of one node, joined: what one of them trusts is not lost. */
#include "test.h"
#include "profile_sample.h"

#include <jansson.h>

static servet_profile *first, *second;
static const servet_at fat = {"fat", 0};

static int setup(void **state)
{
    (void)state;
    int code = sample_profile(&first, NULL);
    return code == SERVET_OK ? sample_profile(&second, NULL) : code;
}

static int teardown(void **state)
{
    (void)state;
    servet_profile_close(first);
    servet_profile_close(second);
    return 0;
}

/* The first class, in which no doubts are the same as none; the caller frees it. */
static json_t *class_as_json(const servet_profile *profile)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(servet_profile_dump(profile, stream, NULL), SERVET_OK);
    fclose(stream);
    json_t *root = json_loads(text, 0, NULL);
    json_t *class = json_incref(json_array_get(json_object_get(root, "classes"), 0));
    if (json_array_size(json_object_get(class, "doubts")) == 0)
        json_object_set_new(class, "doubts", json_null());
    json_decref(root);
    free(text);
    return class;
}

static void distrust(servet_profile *profile, const char *facts)
{
    assert_int_equal(servet_profile_distrust(profile, 0, facts, "noise", NULL), SERVET_OK);
}

static void join(void)
{
    assert_int_equal(servet_profile_take_trusted(first, second, 0, NULL), SERVET_OK);
}

static servet_cache cache_of(const servet_profile *profile, int level)
{
    servet_cache cache;
    assert_int_equal(servet_cache_get(profile, &fat, level, &cache), SERVET_OK);
    return cache;
}

static const char *const disturbed[] = {
    "kinds.caches.count kinds.caches.bytes kinds.caches.latency_ns kinds.caches.confidence",
    "kinds.caches.groups kinds.caches.sharing",
    "kinds.caches.line coherence",
    "kinds.caches.concurrency kinds.memory.concurrency",
    "kinds.translation kinds.translation_huge",
    "memory numa.bandwidth numa.latency_ns",
    "distance.layers",
};

/* Whichever of them was disturbed, the result is that of the other one. */
static void noise_of_one_is_settled_by_the_other(void **state)
{
    (void)state;
    json_t *right = class_as_json(first);
    for (size_t i = 0; i < sizeof disturbed / sizeof *disturbed; i++)
        distrust(i % 2 ? first : second, disturbed[i]);
    join();
    json_t *joined = class_as_json(first);
    assert_true(json_equal(right, joined));
    json_decref(right);
    json_decref(joined);
}

static void noise_of_both_remains(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof disturbed / sizeof *disturbed; i++) {
        distrust(first, disturbed[i]);
        distrust(second, disturbed[i]);
    }
    json_t *before = class_as_json(first);
    join();
    json_t *after = class_as_json(first);
    assert_true(json_equal(before, after));
    json_decref(before);
    json_decref(after);
}

static void set_latency(servet_profile *profile, double seconds, bool trusted)
{
    servet_value value = {.value = seconds,
                          .low = seconds,
                          .high = seconds,
                          .samples = 1,
                          .unit = SERVET_UNIT_SECOND,
                          .method = SERVET_METHOD_TIMED,
                          .trusted = trusted};
    assert_int_equal(
        servet_profile_set(profile, 0, "kinds.1.memory.latency_ns", &value, sizeof value, 1, NULL),
        SERVET_OK);
}

static void a_trusted_value_stays(void **state)
{
    (void)state;
    static const struct {
        bool mine, theirs;
        double joined;
    } cases[] = {
        {true, true, 1e-7}, {true, false, 1e-7}, {false, true, 2e-7}, {false, false, 1e-7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        servet_value latency;
        set_latency(first, 1e-7, cases[i].mine);
        set_latency(second, 2e-7, cases[i].theirs);
        join();
        assert_int_equal(servet_memory_latency(first, &fat, &latency), SERVET_OK);
        assert_float_equal(latency.value, cases[i].joined, 1e-12);
        assert_int_equal(latency.trusted, cases[i].mine || cases[i].theirs);
    }
}

static bool has_groups(void)
{
    int count;
    return servet_cache_group_count(first, &fat, 1, &count) == SERVET_OK;
}

/* Stores the first levels of the sample, without the cores that share them. */
static void set_levels(servet_profile *profile, int count)
{
    const servet_cache found[] = {cache_of(profile, 1), cache_of(profile, 2), cache_of(profile, 3)};
    assert_int_equal(
        servet_profile_set(profile, 0, "kinds.1.caches", found, sizeof *found, count, NULL),
        SERVET_OK);
}

static void groups_that_one_lacks_are_those_of_the_other(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        set_levels(i ? second : first, 3);
        assert_int_equal(has_groups(), i);
        join();
        assert_true(has_groups());
    }
}

/* A third level that the first one doubts, and the second one did not find. */
static void levels_that_both_found_are_joined(void **state)
{
    (void)state;
    servet_cache cache;
    distrust(first, "kinds.caches.1.latency_ns kinds.caches.3.bytes");
    set_levels(second, 2);
    join();
    assert_true(cache_of(first, 1).latency.trusted);
    assert_int_equal(servet_cache_get(first, &fat, 3, &cache), SERVET_ERANGE);
    assert_true(has_groups());
}

/* Nobody knows how many levels there are: those of the first one stay. */
static void levels_that_both_doubt_stay(void **state)
{
    (void)state;
    distrust(first, "kinds.caches.1.latency_ns kinds.caches.3.bytes");
    set_levels(second, 2);
    distrust(second, "kinds.caches.2.bytes");
    join();
    assert_true(cache_of(first, 1).latency.trusted);
    assert_false(cache_of(first, 3).bytes.trusted);
    assert_true(has_groups());
}

static void a_class_that_is_not_there_is_refused(void **state)
{
    (void)state;
    assert_int_equal(servet_profile_take_trusted(first, second, 2, NULL), SERVET_EARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(noise_of_one_is_settled_by_the_other, setup, teardown),
        cmocka_unit_test_setup_teardown(noise_of_both_remains, setup, teardown),
        cmocka_unit_test_setup_teardown(a_trusted_value_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(groups_that_one_lacks_are_those_of_the_other, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(levels_that_both_found_are_joined, setup, teardown),
        cmocka_unit_test_setup_teardown(levels_that_both_doubt_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(a_class_that_is_not_there_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
