/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole measurements of simulated machines: the budget is on their clock, and core types may
 * share caches. */
#include "test.h"

#include <unistd.h>

#include "servet/measure.h"

static servet_measure_options options;

TEST_FIXTURE(prepare)
{
    options = (servet_measure_options)SERVET_MEASURE_OPTIONS_INIT;
    return 0;
}

static double seconds_of(const servet_profile *profile)
{
    servet_run run;
    assert_ok(servet_profile_run(profile, &run));
    return run.duration.value;
}

TEST_EACH(prepare, NULL)

TEST(the_budget_is_kept)
{
    const double budgets[] = {1, 2, 4};
    options.machine = "dunnington";
    for (int approach = 0; approach < SERVET_APPROACH_COUNT; approach++)
        for (size_t i = 0; i < test_cases(1, sizeof budgets / sizeof *budgets); i++) {
            servet_profile *profile;
            servet_error error = SERVET_ERROR_INIT;
            options.approach = (servet_approach)approach;
            options.budget_seconds = budgets[i];
            assert_ok(servet_measure(&options, &profile, &error));
            double seconds = seconds_of(profile);
            servet_profile_close(profile);
            if (seconds > 1.1 * budgets[i])
                fail_msg("%s: %g s of %g s", servet_approach_name((servet_approach)approach),
                         seconds, budgets[i]);
            assert_true(seconds > 0.5 * budgets[i]); /* and used: dunnington has more to measure */
        }
}

/* Nothing is measured for it, and benchmarks that are not requested cost nothing. */
TEST(the_cost_is_predicted)
{
    double all, caches, distances, idle;
    options.machine = "dunnington";
    assert_ok(servet_measure_cost(&options, &idle, &all, NULL));
    options.only = 1u << SERVET_BENCHMARK_CACHE;
    assert_ok(servet_measure_cost(&options, &idle, &caches, NULL));
    options.only = 1u << SERVET_BENCHMARK_DISTANCE;
    assert_ok(servet_measure_cost(&options, &idle, &distances, NULL));
    assert_true(all <= 180 && caches > 0 && distances > 0 && caches + distances < all);
    options.approach = SERVET_APPROACH_SERVET2010;
    assert_code(servet_measure_cost(&options, &idle, &all, NULL), SERVET_EUNSUPPORTED);
    options.machine = "nobody";
    options.only = 0;
    assert_code(servet_measure_cost(&options, &idle, &all, NULL), SERVET_ENOTFOUND);
}

static void says(const servet_profile *profile, int core, const char *key, const char *expected)
{
    char text[256];
    servet_at at = {NULL, core};
    assert_ok(servet_profile_get(profile, &at, key, text, sizeof text, NULL));
    assert_string_equal(text, expected);
}

static void trust_is(const servet_profile *profile, const char *key, bool trusted)
{
    servet_trust trust;
    servet_at at = {NULL, 0};
    assert_ok(servet_profile_trust(profile, &at, key, &trust, NULL));
    if (trust.trusted != trusted)
        fail_msg("%s: %s trusted", key, trusted ? "not" : "is");
}

/* The 64 entries of Niagara's TLB translate 512 KiB, and a miss costs more than the L2: of a fit
 * that contains a part of this, the rest is no cache. */
TEST(the_reach_of_a_tlb_is_no_level)
{
    test_leave_to_night();
    servet_profile *profile;
    options.machine = "niagara-t1";
    options.only = 1u << SERVET_BENCHMARK_CACHE;
    options.max_bytes = 8 << 20;
    options.budget_seconds = 2; /* no more than the curve needs */
    assert_ok(servet_measure(&options, &profile, NULL));
    says(profile, 0, "caches.count", "2");
    says(profile, 0, "caches.2.bytes", "3145728");
    servet_profile_close(profile);
}

/* This L2 has two colours of pages of 16 KiB, and none of 64 KiB; the TLB reaches 64 pages. */
static const char large_pages[] =
    "{\"model\": 1, \"kinds\": [{\"name\": \"all\", \"cores\": 1, \"clock_ghz\": 2}],\n"
    " \"caches\": [\n"
    "   {\"level\": 1, \"bytes\": \"32K\", \"ways\": 8, \"latency_cycles\": 4},\n"
    "   {\"level\": 2, \"bytes\": \"256K\", \"ways\": 8, \"latency_cycles\": 14}],\n"
    " \"tlbs\": [{\"entries\": 64, \"penalty_cycles\": 7}],\n"
    " \"pages\": {\"bytes\": \"%dK\", \"placement\": \"random\"},\n"
    " \"noise\": {\"jitter\": 0.02}, \"memory\": {\"bytes\": \"4G\", \"latency_ns\": 150,\n"
    "   \"core_bytes_per_second\": 20e9,\n"
    "   \"domains\": [{\"name\": \"memory\", \"bytes_per_second\": 75e9}]}}\n";

/* A curve that ends within the 256 KiB of the L2 shows that in place of memory; one of 1 MiB goes
 * beyond all caches. */
TEST(the_end_of_a_short_curve_may_be_a_cache)
{
    const struct {
        double max_bytes;
        bool beyond_caches;
    } curves[] = {{128 << 10, false}, {1 << 20, true}};
    const size_t all = sizeof curves / sizeof *curves;
    for (size_t i = 0; i < test_cases(all, all); i++) {
        char path[TEST_PATH_MAX], text[sizeof large_pages];
        servet_profile *profile;
        servet_error error = SERVET_ERROR_INIT;
        snprintf(text, sizeof text, large_pages, 64);
        test_temporary_file(path, ".json", text);
        options.machine = path;
        options.only = 1u << SERVET_BENCHMARK_CACHE;
        options.max_bytes = curves[i].max_bytes;
        options.budget_seconds = 1; /* no more than the curve needs */
        if (servet_measure(&options, &profile, &error) != SERVET_OK)
            fail_msg("%s:%d: %s", error.file, error.line, error.text);
        unlink(path);
        trust_is(profile, "caches.count", curves[i].beyond_caches);
        trust_is(profile, "memory.latency_ns", curves[i].beyond_caches);
        servet_profile_close(profile);
    }
}

TEST(the_size_of_pages_changes_no_cache)
{
    const struct {
        int kib;
        double max_bytes; /* beyond the reach */
        const char *page, *reach;
    } pages[] = {{16, 4 << 20, "16384", "1048576"}, {64, 8 << 20, "65536", "4194304"}};
    const size_t all = sizeof pages / sizeof *pages;
    options.only = 1u << SERVET_BENCHMARK_CACHE | 1u << SERVET_BENCHMARK_TRANSLATION;
    for (size_t i = 0; i < test_cases(1, all); i++) {
        char path[TEST_PATH_MAX], text[sizeof large_pages];
        servet_profile *profile;
        servet_error error = SERVET_ERROR_INIT;
        snprintf(text, sizeof text, large_pages, pages[i].kib);
        test_temporary_file(path, ".json", text);
        options.machine = path;
        options.max_bytes = pages[i].max_bytes;
        options.budget_seconds = 6;
        if (servet_measure(&options, &profile, &error) != SERVET_OK)
            fail_msg("%s:%d: %s", error.file, error.line, error.text);
        unlink(path);
        says(profile, 0, "machine.page_bytes", pages[i].page);
        says(profile, 0, "caches.count", "2");
        says(profile, 0, "caches.1.bytes", "32768");
        says(profile, 0, "caches.2.bytes", "262144");
        says(profile, 0, "caches.2.ways", "8");
        says(profile, 0, "translation.1.entries", "64");
        says(profile, 0, "translation.1.reach_bytes", pages[i].reach);
        servet_profile_close(profile);
    }
}

TEST(a_model_is_described_without_measuring)
{
    servet_machine machine;
    assert_ok(servet_machine_of_model("dunnington", &machine, NULL));
    assert_int_equal(machine.pu_count, 24);
    assert_code(servet_machine_of_model("nobody", &machine, NULL), SERVET_ENOTFOUND);
}

static int note_names(void *context, const char *name, const char *about)
{
    int *seen = context;
    if (strcmp(name, "dunnington") == 0 && strstr(about, "E7450"))
        ++*seen;
    return 0;
}

static int stop_at_once(void *context, const char *name, const char *about)
{
    (void)name, (void)about;
    return ++*(int *)context == 1 ? 7 : 0;
}

TEST_EACH(NULL, NULL)

TEST(models_are_listed)
{
    int seen = 0, calls = 0;
    assert_int_equal(servet_machine_models(note_names, &seen), 0);
    assert_int_equal(seen, 1);
    assert_int_equal(servet_machine_models(stop_at_once, &calls), 7);
    assert_int_equal(calls, 1);
}
