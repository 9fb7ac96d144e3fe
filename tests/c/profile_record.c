/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording: what is refused, with the member named, and leaves the profile as it was. */
#include "test.h"
#include "profile_sample.h"
#include "profile_fixture.h"

static char *before;

TEST_FIXTURE(setup)
{
    int code = profile_begin(state);
    before = profile_text(profile);
    return code;
}

TEST_FIXTURE(teardown)
{
    free(before);
    return profile_end(state);
}

static void refused(int code, const servet_error *error, const char *what)
{
    char *after = profile_text(profile);
    assert_code(code, SERVET_EARGUMENT);
    assert_code(error->code, SERVET_EARGUMENT);
    assert_non_null(strstr(error->text, what));
    assert_string_equal(after, before);
    free(after);
}

static void run_refused(const servet_run *run, const char *what)
{
    servet_error error = SERVET_ERROR_INIT;
    refused(servet_profile_set_run(profile, run, &error), &error, what);
}

static void caches_refused(const servet_cache *caches, int count, const char *what)
{
    servet_error error = SERVET_ERROR_INIT;
    servet_value memory = sample_memory();
    refused(record_caches(profile, 0, 0, caches, count, &memory, &error), &error, what);
}

TEST_EACH(setup, teardown)

TEST(bad_runs)
{
    servet_run run = sample_run();
    run.noise.value = run.noise.low = run.noise.high = 1.01;
    run_refused(&run, "noise: 1.01, not within 0 to 1");
    run = sample_run();
    run.clock_overhead.high = INFINITY;
    run_refused(&run, "clock_overhead_ns.high: not a finite number");
    run = sample_run();
    run.steal.method = (servet_method)99;
    run_refused(&run, "steal.method: 99 is none of its words");
}

TEST(bad_caches)
{
    servet_cache caches[3] = {sample_cache(1), sample_cache(2), sample_cache(2)};
    caches_refused(caches, 3, "caches[2].level: level 2 where level 3 belongs");
    caches[2] = sample_cache(3);
    caches[0].latency.high = caches[0].latency.value / 2;
    caches_refused(caches, 3, "caches[0].latency_ns: the value lies outside");
    caches_refused(caches, SERVET_CACHE_LEVELS_MAX + 1, "9 items, at most 8 are allowed");
}

TEST(bad_kinds)
{
    static const struct {
        int node_class;
        const char *name, *cores, *what;
    } cases[] = {
        {0, "new", "3-5", "core kinds 'big' and 'new' share cores"},
        {0, "new", "5-4", "not a set of cores"},
        {0, "new", "", "not a set of cores"},
        {0, "", "20", "name: missing or empty"},
        {2, "new", "20", "no node class has number 2"},
        {-1, "new", "20", "no node class has number -1"},
        {0, "0123456789012345678901234567890123456789012345678901234567890123", "20", "too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        servet_error error = SERVET_ERROR_INIT;
        int kind = -7, code = servet_profile_add_kind(profile, cases[i].node_class, cases[i].name,
                                                      cases[i].cores, &kind, &error);
        refused(code, &error, cases[i].what);
        assert_int_equal(kind, -7);
    }
}

TEST(bad_classes)
{
    servet_machine machine = sample_machine("node03");
    servet_error error = SERVET_ERROR_INIT;
    int index = -7;
    refused(servet_profile_add_class(profile, "thin", &machine, &index, &error), &error,
            "two node classes are called 'thin'");
    error = (servet_error)SERVET_ERROR_INIT;
    refused(servet_profile_add_class(profile, "", &machine, &index, &error), &error,
            "name: missing or empty");
    machine.core_count = -1;
    error = (servet_error)SERVET_ERROR_INIT;
    refused(servet_profile_add_class(profile, "new", &machine, &index, &error), &error,
            "classes[2].machine.core_count: -1 is negative");
    assert_int_equal(index, -7);
}

TEST(caches_are_replaced)
{
    servet_cache cache = sample_cache(1);
    servet_value unknown = servet_value_unknown(SERVET_UNIT_SECOND), memory;
    const servet_at big = {"fat", 0};
    int count;
    assert_ok(record_caches(profile, 0, 0, &cache, 1, &unknown, NULL));
    assert_ok(servet_cache_count(profile, &big, &count));
    assert_int_equal(count, 1);
    assert_code(servet_memory_latency(profile, &big, &memory), SERVET_EUNMEASURED);
}

TEST(groups_are_replaced_and_forgotten)
{
    const char *const pairs[] = {"0-1", "2-3"};
    const servet_at big = {"fat", 3}, any = {"fat", SERVET_ANY_CORE};
    const char *cores;
    int count, group;
    assert_ok(record_cache_groups(profile, 0, 0, 1, pairs, 2, NULL, NULL));
    assert_ok(servet_cache_group_count(profile, &big, 1, &count));
    assert_int_equal(count, 2);
    assert_ok(servet_cache_group_of(profile, &big, 1, &group));
    assert_int_equal(group, 1);
    assert_code(servet_cache_group_of(profile, &any, 1, &group), SERVET_EARGUMENT);
    assert_code(servet_cache_group_of(profile, NULL, 1, &group), SERVET_EARGUMENT);
    assert_code(servet_cache_group(profile, &big, 1, 2, &cores), SERVET_ERANGE);
    assert_code(servet_cache_group(profile, &big, 1, -1, &cores), SERVET_ERANGE);
    assert_code(servet_cache_group(profile, &big, 4, 0, &cores), SERVET_ERANGE);
    assert_ok(record_cache_groups(profile, 0, 0, 1, pairs, 1, NULL, NULL));
    assert_code(servet_cache_group_of(profile, &big, 1, &group), SERVET_EUNMEASURED);
    caches_are_replaced(NULL);
    assert_code(servet_cache_group_count(profile, &big, 1, &count), SERVET_EUNMEASURED);
}

/* Host names and options may hold any bytes, cut anywhere; what is written must be readable. */
TEST(texts_are_made_fit_for_json)
{
    servet_run run = sample_run(), stored;
    const char good[] = "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 ";
    const char bad[] = "\xff \xc3 \xe2\x82 \xc0\x80 \xed\xa0\x80 \n\x7f|";
    const char made[] = "? ? ?? ?? ??? ??|";      /* as long: a byte for a byte */
    memset(run.options, 'x', sizeof run.options); /* not even ended */
    memcpy(run.options, good, sizeof good - 1);
    memcpy(run.options + sizeof good - 1, bad, sizeof bad - 1);
    assert_ok(servet_profile_set_run(profile, &run, NULL));
    assert_ok(servet_profile_run(profile, &stored));
    assert_memory_equal(stored.options, good, sizeof good - 1);
    assert_memory_equal(stored.options + sizeof good - 1, made, sizeof made - 1);
    assert_int_equal(strlen(stored.options), sizeof stored.options - 1);
    free(profile_text(profile));
}

/* Every second of `count` PUs, in at most `size` bytes. */
static void every_second(int count, char *text, size_t size)
{
    size_t n = 0;
    for (int pu = 0; pu < count; pu += 2) {
        char range[16];
        size_t length = (size_t)snprintf(range, sizeof range, "%s%d", pu ? "," : "", pu);
        if (n + length >= size)
            return;
        memcpy(text + n, range, length + 1);
        n += length;
    }
}

/* Threads of 4,096 PUs are left out: the machine's set is cut, the kind's is whole. */
TEST(long_sets_of_cores)
{
    enum { PUS = 4096 };
    static char set[PUS * 5];
    servet_machine machine = {.hostname = "large", .pu_count = PUS / 2}, stored;
    servet_at last = {"large", PUS - 2}, beyond = {"large", PUS - 1};
    int class, kind;
    char found[8];
    every_second(PUS, machine.cores, sizeof machine.cores);
    every_second(PUS, set, sizeof set);
    assert_true(strlen(set) > 2 * sizeof machine.cores);
    assert_ok(servet_profile_add_class(profile, "large", &machine, &class, NULL));
    assert_ok(servet_profile_add_kind(profile, class, "all", set, &kind, NULL));

    servet_profile *read_back = profile_reopened(profile);
    assert_ok(servet_profile_machine(read_back, &last, &stored));
    assert_string_equal(stored.cores, machine.cores);
    servet_kind all;
    assert_ok(servet_kind_get(read_back, &last, 0, &all));
    assert_string_equal(all.cores, set);
    profile_prints(read_back, &last, "kind.name", "all");
    assert_code(servet_profile_get(read_back, &beyond, "kind.name", found, sizeof found, NULL),
                SERVET_ERANGE);
    servet_profile_close(read_back);
}
