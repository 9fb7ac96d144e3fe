/* SPDX-License-Identifier: BSD-3-Clause */
/* The papers' method from the machine to the profile, on a machine whose caches and sharing are
 * known. */
#include "test.h"

#include "fake_machine.h"
#include "folder.h"
#include "profile_text.h"
#include "run/measure.h"

static fake_machine fake;
static servet_measure_options options;
static servet_profile *profile;

/* Six cores: L2 is shared by three each, L3 by all, L1 by none. */
TEST_FIXTURE(prepare)
{
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

/* Measures anew: `profile`, which the next measurement or the end of the test closes. */
static void measure(void)
{
    servet_profile_close(profile);
    profile = NULL;
    assert_ok(srv_measure_on(&fake.machine, &options, &profile, NULL));
}

TEST_FIXTURE(end)
{
    servet_profile_close(profile);
    profile = NULL;
    return 0;
}

static void prints(const servet_profile *of, const char *key, const char *expected)
{
    profile_prints(of, NULL, key, expected);
}

static void prints_of(const servet_profile *of, int core, const char *key, const char *expected)
{
    profile_prints(of, &(servet_at){NULL, core}, key, expected);
}

/* A file of the raw folder begins with this header; returns how many lines it has. */
static int lines_of(const char *name, const char *header)
{
    char path[TEST_PATH_MAX];
    int lines = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = test_read_file(path, NULL);
    assert_memory_equal(text, header, strlen(header));
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    free(text);
    return lines;
}

TEST_EACH(prepare, end)

TEST(sizes_latencies_and_groups_are_found)
{
    measure();
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
    assert_ok(servet_cache_get(profile, NULL, 2, &cache));
    assert_int_equal(cache.bytes.method, SERVET_METHOD_SERVET2010_STEP); /* a sharp machine */
}

TEST(caches_are_measured_alone)
{
    options.only = 1u << SERVET_BENCHMARK_CACHE;
    measure();
    prints(profile, "caches.count", "3");
    prints(profile, "caches.2.groups", NULL);
    assert_int_equal(fake.most_at_once, 1);
}

/* Together a load takes 5 times as long on L2 (20 ns for 4 ns), and on L3 as well (100 for 20). */
TEST(the_ratio_is_that_of_the_options)
{
    options.sharing_ratio = 4.9;
    measure();
    prints(profile, "caches.2.groups", "0-2\n3-5");
    options.sharing_ratio = 5.1;
    measure();
    prints(profile, "caches.2.groups", "0\n1\n2\n3\n4\n5");
}

TEST(facts_beyond_the_budget_stay_unmeasured)
{
    options.budget_seconds = 2;
    measure();
    assert_true(fake.seconds <= 1.1 * options.budget_seconds);
    prints(profile, "caches.1.bytes", "32768");
    prepare(NULL);
    strcpy(fake.kind[0].cores, "0-63"); /* 2016 pairs of 4 ms for each level */
    options.budget_seconds = 6;
    measure();
    prints(profile, "caches.1.groups", NULL);
}

/* 4 KiB to 2 MiB are 10 sizes, then 62 up to 64 MiB. A level that the budget cuts has no groups,
 * but its measured pairs are stored. */
TEST(raw_series_are_stored)
{
    assert_int_equal(make_folder(NULL), 0);
    for (int cut = 0; cut < 2; cut++) {
        options.raw_dir = folder;
        options.max_bytes = cut ? 64 << 20 : 0;
        options.budget_seconds = cut ? 6 : 0;
        strcpy(fake.kind[0].cores, cut ? "0-63" : "0-5");
        measure();
        if (cut)
            prints(profile, "caches.1.groups", NULL);
        assert_int_equal(lines_of("cache-all-servet2010.csv", "bytes,cycles,low,high\n"), 1 + 72);
        for (int level = 1; level <= 3; level++) {
            char name[32];
            snprintf(name, sizeof name, "sharing-L%d.csv", level);
            int pairs = lines_of(name, "core,other,ratio\n") - 1;
            assert_true(cut ? pairs > 0 && pairs < 64 * 63 / 2 : pairs == 15);
        }
    }
    assert_int_equal(remove_folder(NULL), 0);
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
    measure();
    prints_of(profile, 0, "caches.3.bytes", "16777216");
    prints_of(profile, 3, "caches.3.bytes", "8388608");
    prints_of(profile, 0, "caches.1.groups", "0\n1\n2");
    prints_of(profile, 3, "caches.1.groups", "3\n4\n5");
    prints_of(profile, 0, "caches.2.groups", "0-2");
    prints_of(profile, 3, "caches.2.groups", "3-5");
    prints_of(profile, 0, "caches.3.groups", "0-5");
    prints_of(profile, 3, "caches.3.groups", "0-5");
}

TEST(too_little_time_leaves_caches_unmeasured)
{
    for (int i = 0; i < SERVET_APPROACH_COUNT; i++) {
        servet_profile *made = NULL;
        servet_error error = SERVET_ERROR_INIT;
        prepare(NULL);
        options.approach = (servet_approach)i;
        options.budget_seconds = 0.01;
        assert_code(srv_measure_on(&fake.machine, &options, &made, &error), SERVET_EUNMEASURED);
        assert_non_null(strstr(error.text, "too little time to tell"));
        assert_null(made);
    }
}

/* A machine without caches has none however long one looks. */
TEST(no_cache_is_a_result)
{
    fake.level_count = 1;
    fake.level[0] = (fake_level){1e12, 1};
    measure();
    prints(profile, "caches.count", "0");
}

TEST(invalid_options_are_refused)
{
    const servet_measure_options sane = options;
    servet_measure_options wrong[5] = {sane, sane, sane, sane, sane};
    servet_profile *made = NULL;
    servet_error error = SERVET_ERROR_INIT;
    wrong[0].sharing_ratio = 0.5;
    wrong[1].votes = 0;
    wrong[2].votes = SERVET_2010_VOTES_MAX + 1;
    wrong[3].approach = SERVET_APPROACH_COUNT;
    wrong[4].only = 1u << SERVET_BENCHMARK_COUNT;
    for (int i = 0; i < 5; i++)
        assert_code(servet_measure(&wrong[i], &made, NULL), SERVET_EARGUMENT);
    options.only = 1u << SERVET_BENCHMARK_LINE;
    assert_code(servet_measure(&options, &made, &error), SERVET_EUNSUPPORTED);
    assert_non_null(strstr(error.text, "line"));
    options.only = 0;
    options.machine = "/no/such/model.json";
    assert_code(servet_measure(&options, &made, NULL), SERVET_ENOTFOUND);
    assert_null(made);
}

TEST(constants_have_names)
{
    assert_string_equal(servet_approach_name(SERVET_APPROACH_SERVET2010), "servet2010");
    assert_string_equal(servet_benchmark_name(SERVET_BENCHMARK_SHARING), "sharing");
}
