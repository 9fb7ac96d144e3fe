/* SPDX-License-Identifier: BSD-3-Clause */
/* The papers' method from the machine to the profile, on a machine whose caches and sharing are
 * known. */
#include "test.h"

#include "fake_machine.h"
#include "folder.h"
#include "run/measure.h"

static fake_machine fake;
static servet_measure_options options;

/* Six cores: L2 is shared by three each, L3 by all, L1 by none. */
static int prepare(void **state)
{
    (void)state;
    fake_machine_init(&fake);
    fake.sharp = true;
    strcpy(fake.kind[0].cores, "0-5");
    for (int core = 0; core < 6; core++) {
        fake.instance[1][core] = core < 3 ? 1 : 2;
        fake.instance[2][core] = 1;
    }
    options = (servet_measure_options)SERVET_MEASURE_OPTIONS_INIT;
    options.approach = SERVET_APPROACH_SERVET2010;
    return 0;
}

static servet_profile *measure(void)
{
    servet_profile *profile = NULL;
    assert_int_equal(srv_measure_on(&fake.machine, &options, &profile, NULL), SERVET_OK);
    return profile;
}

static void prints(const servet_profile *profile, const char *key, const char *expected)
{
    char text[256];
    assert_int_equal(servet_profile_get(profile, NULL, key, text, sizeof text, NULL), SERVET_OK);
    assert_string_equal(text, expected);
}

static void lacks(const servet_profile *profile, const char *key)
{
    char text[256];
    assert_int_equal(servet_profile_get(profile, NULL, key, text, sizeof text, NULL),
                     SERVET_EUNMEASURED);
}

TEST_EACH(prepare, NULL)

TEST(sizes_latencies_and_groups_are_found)
{
    servet_profile *profile = measure();
    prints(profile, "caches.count", "3");
    prints(profile, "caches.1.bytes", "32768");
    prints(profile, "caches.2.bytes", "1048576");
    prints(profile, "caches.3.bytes", "16777216");
    prints(profile, "caches.2.latency_ns", "4");
    prints(profile, "caches.2.latency_cycles", "8"); /* the fake runs at 2 GHz */
    prints(profile, "memory.latency_ns", "100");
    prints(profile, "caches.3.verdict", "agrees");
    prints(profile, "caches.1.groups", "0\n1\n2\n3\n4\n5");
    prints(profile, "caches.2.groups", "0-2\n3-5");
    prints(profile, "caches.3.groups", "0-5");
    servet_cache cache;
    assert_int_equal(servet_cache_get(profile, NULL, 2, &cache), SERVET_OK);
    assert_int_equal(cache.bytes.method, SERVET_METHOD_SERVET2010_STEP); /* a sharp machine */
    servet_profile_close(profile);
}

TEST(caches_are_measured_alone)
{
    options.only = 1u << SERVET_BENCHMARK_CACHE;
    servet_profile *profile = measure();
    prints(profile, "caches.count", "3");
    lacks(profile, "caches.2.groups");
    assert_int_equal(fake.most_at_once, 1);
    servet_profile_close(profile);
}

/* Together a load takes 5 times as long on L2 (20 ns for 4 ns), and on L3 as well (100 for 20). */
TEST(the_ratio_is_that_of_the_options)
{
    options.sharing_ratio = 4.9;
    servet_profile *profile = measure();
    prints(profile, "caches.2.groups", "0-2\n3-5");
    servet_profile_close(profile);
    options.sharing_ratio = 5.1;
    profile = measure();
    prints(profile, "caches.2.groups", "0\n1\n2\n3\n4\n5");
    servet_profile_close(profile);
}

TEST(facts_beyond_the_budget_stay_unmeasured)
{
    options.budget_seconds = 2;
    servet_profile *profile = measure();
    assert_true(fake.seconds <= 1.1 * options.budget_seconds);
    prints(profile, "caches.1.bytes", "32768");
    servet_profile_close(profile);
    prepare(NULL);
    strcpy(fake.kind[0].cores, "0-63"); /* 2016 pairs of 4 ms for each level */
    options.budget_seconds = 6;
    profile = measure();
    lacks(profile, "caches.1.groups");
    servet_profile_close(profile);
}

static int stop_at_pairs(void *context, const servet_progress *progress)
{
    (void)context;
    assert_true(progress->done >= 0 && progress->done <= 1);
    return strncmp(progress->what, "sharing of L2: cores ", 21) == 0;
}

TEST(the_caller_can_end_the_stage)
{
    servet_profile *profile = NULL;
    options.progress = stop_at_pairs;
    assert_int_equal(srv_measure_on(&fake.machine, &options, &profile, NULL), SERVET_EINTERRUPTED);
    assert_null(profile);
}

static int lines_of(const char *name, char *first, int size)
{
    char path[TEST_PATH_MAX], line[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    int n = 0;
    while (fgets(line, sizeof line, stream))
        if (n++ == 0)
            snprintf(first, (size_t)size, "%s", line);
    fclose(stream);
    return n;
}

TEST(raw_series_are_stored)
{
    char first[64];
    assert_int_equal(make_folder(NULL), 0);
    options.raw_dir = folder;
    servet_profile_close(measure());
    /* 4 KiB to 2 MiB are 10 sizes, then 62 up to 64 MiB. */
    assert_int_equal(lines_of("cache-all-servet2010.csv", first, sizeof first), 1 + 72);
    assert_string_equal(first, "bytes,cycles,low,high\n");
    for (int level = 1; level <= 3; level++) {
        char name[32];
        snprintf(name, sizeof name, "sharing-L%d.csv", level);
        assert_int_equal(lines_of(name, first, sizeof first), 1 + 15);
        assert_string_equal(first, "core,other,ratio\n");
    }
    assert_int_equal(remove_folder(NULL), 0);
}

/* A level that the budget cuts has no groups, but its measured pairs are stored. */
TEST(pairs_of_an_incomplete_level_are_stored)
{
    char first[64];
    assert_int_equal(make_folder(NULL), 0);
    strcpy(fake.kind[0].cores, "0-63");
    options.raw_dir = folder;
    options.budget_seconds = 6;
    options.max_bytes = 64 << 20;
    servet_profile *profile = measure();
    lacks(profile, "caches.1.groups");
    servet_profile_close(profile);
    lines_of("cache-all-servet2010.csv", first, sizeof first);
    for (int level = 1; level <= 3; level++) {
        char name[32];
        snprintf(name, sizeof name, "sharing-L%d.csv", level);
        int lines = lines_of(name, first, sizeof first);
        assert_true(lines > 1 && lines < 1 + 64 * 63 / 2);
        assert_string_equal(first, "core,other,ratio\n");
    }
    assert_int_equal(remove_folder(NULL), 0);
}

static void prints_of(const servet_profile *profile, int core, const char *key,
                      const char *expected)
{
    char text[256];
    assert_int_equal(
        servet_profile_get(profile, &(servet_at){NULL, core}, key, text, sizeof text, NULL),
        SERVET_OK);
    assert_string_equal(text, expected);
}

/* Two kinds, numbered in turns; the second is slower and sees half of each cache. L2 is shared
 * within a kind, L3 across both: one instance. */
TEST(core_types_may_share_a_cache)
{
    fake.kind_count = 2;
    strcpy(fake.kind[0].name, "fast");
    strcpy(fake.kind[0].cores, "0-2");
    strcpy(fake.kind[1].name, "slow");
    strcpy(fake.kind[1].cores, "3-5");
    fake.slow_core = 3;
    servet_profile *profile = measure();
    prints_of(profile, 0, "caches.3.bytes", "16777216");
    prints_of(profile, 3, "caches.3.bytes", "8388608");
    prints_of(profile, 0, "caches.1.groups", "0\n1\n2");
    prints_of(profile, 3, "caches.1.groups", "3\n4\n5");
    prints_of(profile, 0, "caches.2.groups", "0-2");
    prints_of(profile, 3, "caches.2.groups", "3-5");
    prints_of(profile, 0, "caches.3.groups", "0-5");
    prints_of(profile, 3, "caches.3.groups", "0-5");
    servet_profile_close(profile);
}

TEST(too_little_time_leaves_caches_unmeasured)
{
    for (int i = 0; i < SERVET_APPROACH_COUNT; i++) {
        servet_profile *profile = NULL;
        servet_error error = SERVET_ERROR_INIT;
        prepare(NULL);
        options.approach = (servet_approach)i;
        options.budget_seconds = 0.01;
        assert_int_equal(srv_measure_on(&fake.machine, &options, &profile, &error),
                         SERVET_EUNMEASURED);
        assert_non_null(strstr(error.text, "too little time to tell"));
        assert_null(profile);
    }
}

/* A machine without caches has none however long one looks. */
TEST(no_cache_is_a_result)
{
    fake.level_count = 1;
    fake.level[0] = (fake_level){1e12, 1};
    servet_profile *profile = measure();
    prints(profile, "caches.count", "0");
    servet_profile_close(profile);
}

TEST(invalid_options_are_refused)
{
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    options.sharing_ratio = 0.5;
    assert_int_equal(servet_measure(&options, &profile, NULL), SERVET_EARGUMENT);
    options.sharing_ratio = 2;
    options.votes = 0;
    assert_int_equal(servet_measure(&options, &profile, NULL), SERVET_EARGUMENT);
    options.votes = SERVET_2010_VOTES_MAX + 1;
    assert_int_equal(servet_measure(&options, &profile, NULL), SERVET_EARGUMENT);
    options.votes = 1;
    options.approach = SERVET_APPROACH_COUNT;
    assert_int_equal(servet_measure(&options, &profile, NULL), SERVET_EARGUMENT);
    options.approach = SERVET_APPROACH_DEFAULT;
    options.only = 1u << SERVET_BENCHMARK_COUNT;
    assert_int_equal(servet_measure(&options, &profile, NULL), SERVET_EARGUMENT);
    options.approach = SERVET_APPROACH_SERVET2010;
    options.only = 1u << SERVET_BENCHMARK_LINE;
    assert_int_equal(servet_measure(&options, &profile, &error), SERVET_EUNSUPPORTED);
    assert_non_null(strstr(error.text, "line"));
    options.only = 0;
    options.machine = "/no/such/model.json";
    assert_int_equal(servet_measure(&options, &profile, NULL), SERVET_ENOTFOUND);
    assert_null(profile);
}

TEST_EACH(NULL, NULL)

TEST(constants_have_names)
{
    assert_string_equal(servet_approach_name(SERVET_APPROACH_SERVET2010), "servet2010");
    assert_string_equal(servet_approach_name(SERVET_APPROACH_COUNT), "?");
    assert_string_equal(servet_benchmark_name(SERVET_BENCHMARK_SHARING), "sharing");
    assert_string_equal(servet_benchmark_name(SERVET_BENCHMARK_COUNT), "?");
}
