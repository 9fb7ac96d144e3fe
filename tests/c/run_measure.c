/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <unistd.h>

#include "fake_machine.h"
#include "folder.h"
#include "run/measure.h"
#include "sample_model.h"
#include "sim/simulated.h"

static const double KIB = 1 << 10, MIB = 1 << 20;
static fake_machine fake;
static servet_measure_options options;
static servet_profile *profile;

TEST_FIXTURE(prepare)
{
    fake_machine_init(&fake);
    fake.jitter = 0.005;
    options = (servet_measure_options)SERVET_MEASURE_OPTIONS_INIT;
    options.only = 1u << SERVET_BENCHMARK_CACHE;
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

static servet_cache cache_of(const servet_profile *of, int level)
{
    servet_cache cache;
    assert_ok(servet_cache_get(of, NULL, level, &cache));
    return cache;
}

TEST_EACH(prepare, end)

TEST(three_levels_are_found_end_to_end)
{
    measure();
    int count;
    assert_ok(servet_cache_count(profile, NULL, &count));
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++) {
        servet_cache cache = cache_of(profile, i + 1);
        assert_float_equal(cache.bytes.value / fake.level[i].bytes, 1, 0.1);
        assert_float_equal(1e9 * cache.latency.value / fake.level[i].ns, 1, 0.05);
        assert_float_equal(cache.latency_cycles.value, 2e9 * cache.latency.value, 1e-9);
        assert_int_equal(cache.kind, SERVET_CACHE_CAPACITY);
        assert_int_equal(cache.verdict, SERVET_VERDICT_AGREES);
        assert_true(cache.bytes.trusted);
    }
    servet_value memory;
    assert_ok(servet_memory_latency(profile, NULL, &memory));
    assert_float_equal(1e9 * memory.value / fake.memory_ns, 1, 0.25);
    servet_run run;
    assert_ok(servet_profile_run(profile, &run));
    assert_string_equal(run.clock, "virtual");
    assert_float_equal(run.duration.value, fake.seconds, 1);
}

/* Loads slower than any cache end in memory: no larger sets are needed to show it. */
TEST(sizes_reach_four_times_the_reported_cache)
{
    fake.memory_ns = 150;
    fake.reported.level[2].bytes = 100 * MIB;
    measure();
    assert_float_equal(fake.largest_bytes, 400 * MIB, 0);
}

TEST(sizes_reach_from_64_mib_to_a_quarter_of_memory)
{
    fake.reported.count = 0;
    fake.memory_ns = 150;
    measure();
    assert_float_equal(fake.largest_bytes, 64 * MIB, 0);
    prepare(NULL);
    fake.memory_ns = 150;
    fake.memory_bytes = 128 * MIB;
    measure();
    assert_float_equal(fake.largest_bytes, 32 * MIB, 0);
}

/* The OS reports a third cache of 64 MiB that this machine does not have. A curve that ends before
 * it may end in it; one that ends far behind shows memory, but a cache that others fill would not
 * have shown, either. */
TEST(a_range_that_may_hide_a_cache_is_not_trusted)
{
    static const double memories[] = {160 * 1048576.0, 8e9};
    for (int i = 0; i < 2; i++) {
        prepare(NULL);
        fake.level_count = 2;
        fake.reported.level[2].bytes = 64 * MIB;
        fake.memory_bytes = memories[i];
        measure();
        servet_value latency;
        assert_ok(servet_memory_latency(profile, NULL, &latency));
        assert_float_equal(1e9 * latency.value / fake.memory_ns, 1, 0.1);
        assert_int_equal(latency.trusted, i == 1);
        servet_trust trust;
        assert_ok(servet_profile_trust(profile, NULL, "caches.count", &trust, NULL));
        assert_false(trust.trusted);
    }
}

/* A series that the end of the time cut down to a few points says nothing: what is kept can be read
 * again. */
TEST(stored_series_are_read_back)
{
    static const char *const series[] = {"lines", "pages", "slow", "fast4", "fast8"};
    char path[TEST_PATH_MAX];
    assert_int_equal(make_folder(NULL), 0);
    options.raw_dir = folder;
    options.max_bytes = MIB;
    for (size_t i = 0; i < test_cases(4, 24); i++) {
        double budget = 0.3 * pow(1.03, (double)(i * test_cases(6, 1)));
        fake_machine_init(&fake);
        options.budget_seconds = budget;
        servet_profile *made = NULL;
        srv_measure_on(&fake.machine, &options, &made, NULL);
        servet_profile_close(made);
        for (size_t k = 0; k < sizeof series / sizeof *series; k++) {
            servet_curve curve = SERVET_CURVE_INIT;
            snprintf(path, sizeof path, "%s/cache-all-%s.csv", folder, series[k]);
            if (access(path, F_OK) != 0)
                continue;
            assert_ok(servet_curve_read(path, &curve, NULL));
            assert_true(curve.n >= SERVET_CURVE_POINTS_MIN);
            servet_curve_free(&curve);
            unlink(path);
        }
    }
    assert_int_equal(remove_folder(NULL), 0);
}

TEST(the_quietest_core_is_measured)
{
    fake.noise_of_core[0] = fake.noise_of_core[1] = fake.noise_of_core[3] = 0.5;
    fake.noise_of_core[2] = 0.01;
    measure();
    assert_int_equal(fake.last_core, 2);
}

TEST(a_disturbed_machine_is_not_trusted)
{
    for (int i = 0; i < 4; i++)
        fake.noise_of_core[i] = 0.4;
    fake.steal = 0.6;
    measure();
    assert_false(cache_of(profile, 1).bytes.trusted);
    servet_run run;
    servet_profile_run(profile, &run);
    assert_float_equal(run.noise.value, 0.4, 1e-12);
    assert_float_equal(run.steal.value, 0.6, 1e-12);
}

TEST(a_benchmark_that_lost_its_core_is_not_trusted)
{
    fake.absence.share = 0.8;
    servet_trust trust;
    measure();
    assert_ok(servet_profile_trust(profile, NULL, "caches.1.latency_ns", &trust, NULL));
    assert_false(trust.trusted);
    assert_string_equal(trust.reason, "of threads that measure at once 80 % did not run");
}

/* A disturbance that ends makes the first look doubtful, and not the second one. One that stays is
 * looked at twice, in no more time than the first look took. */
TEST(disturbed_facts_are_measured_again)
{
    measure();
    double undisturbed = fake.seconds;
    for (int i = 0; i < 2; i++) {
        prepare(NULL);
        fake.steal = 0.6;
        fake.stolen_until = i ? 0 : undisturbed / 2;
        measure();
        assert_int_equal(cache_of(profile, 1).bytes.trusted, i == 0);

        assert_true(fake.seconds > 1.2 * undisturbed && fake.seconds < 2.5 * undisturbed);
    }
}

/* The benchmarks that a second look measures, by what it reports. */
static bool caches_again, sharing_again;

static int note_again(void *context, const servet_progress *progress)
{
    (void)context;
    caches_again = caches_again || strstr(progress->what, "again: caches");
    sharing_again = sharing_again || strstr(progress->what, "again: sharing");
    return 0;
}

/* Sets of 256 KiB do not show that there is no further cache: caches are looked at again. The
 * sharing rests on the same levels, and stays. */
TEST(facts_that_rest_on_the_same_stay)
{
    char groups[SERVET_TEXT_MAX];
    srv_machine *machine = machine_of_model(sample_model());
    options.only = 1u << SERVET_BENCHMARK_SHARING;
    options.max_bytes = MIB / 4;
    options.progress = note_again;
    caches_again = sharing_again = false;
    assert_ok(srv_measure_on(machine, &options, &profile, NULL));
    assert_true(caches_again);
    assert_false(sharing_again);
    assert_ok(servet_profile_get(profile, NULL, "caches.2.groups", groups, sizeof groups, NULL));
    assert_string_equal(groups, "0-1\n2-3");
}

/* Programs on another core do not disturb the first levels, but they disturb resources that all
 * cores share. */
TEST(last_level_and_memory_are_not_trusted_beside_other_programs)
{
    servet_value latency;
    for (int i = 0; i < 2; i++) {
        fake_machine_init(&fake);
        fake.absence.foreign = i ? 0.5 : 0.02;
        measure();
        assert_true(cache_of(profile, 1).bytes.trusted);
        assert_true(cache_of(profile, 2).latency.trusted);
        assert_int_equal(cache_of(profile, 3).latency.trusted, i == 0);
        assert_ok(servet_memory_latency(profile, NULL, &latency));
        assert_int_equal(latency.trusted, i == 0);
    }
}

/* Answers that other programs use half of the processors. */
static int half_is_foreign(srv_machine *machine, srv_absence *absence, servet_error *error)
{
    (void)machine;
    (void)error;
    *absence = (srv_absence){.share = 0, .longest = 0, .foreign = 0.5};
    return SERVET_OK;
}

/* True if the bandwidth of one core of a model is trusted beside them. */
static bool trusts_bandwidth(srv_machine *machine)
{
    srv_machine_ops ops = *machine->ops;
    servet_profile *made = NULL;
    servet_value bandwidth;
    options = (servet_measure_options)SERVET_MEASURE_OPTIONS_INIT;
    options.only = 1u << SERVET_BENCHMARK_MEMORY;
    options.max_bytes = MIB;
    options.budget_seconds = 1;
    ops.absence = half_is_foreign;
    machine->ops = &ops;
    assert_ok(srv_measure_on(machine, &options, &made, NULL));
    assert_ok(servet_memory_bandwidth(made, NULL, SERVET_KERNEL_COPY, &bandwidth));
    servet_profile_close(made);
    ops.destroy(machine);
    return bandwidth.trusted;
}

/* Four cores, each of which can copy 5 GB/s, without a limit and with a bus for one of them: there,
 * other programs take from a core what cores of a program take from each other. */
TEST(bandwidth_is_trusted_where_others_cannot_take_it)
{
    for (int limited = 0; limited < 2; limited++) {
        srv_machine *machine;
        srv_model *model = sample_model();
        model->memory_bytes_per_second_core = 5e9;
        model->memory_latency_ns = 150;
        model->domain_count = limited;
        model->domain[0] = (srv_model_domain){.name = "bus", .pus = 4, .bytes_per_second = 5e9};
        assert_ok(srv_simulated_from(&machine, model, NULL));
        assert_int_equal(trusts_bandwidth(machine), !limited);
    }
}

TEST(a_tlb_step_is_not_a_cache)
{
    fake.level[1].bytes = 2 * MIB;
    fake.reported.level[1].bytes = 2 * MIB;
    fake.tlb_bytes = 256 * KIB;
    fake.tlb_ns = 2;
    measure();
    int count;
    servet_cache_count(profile, NULL, &count);
    assert_int_equal(count, 3);
    assert_float_equal(cache_of(profile, 2).bytes.value / (2 * MIB), 1, 0.1);
}

TEST(a_turnover_last_level_is_recognized)
{
    fake.residence_ns = 20e6; /* 12 MiB at one load in 100 ns */
    fake.reported.level[2].bytes = 480 * MIB;
    measure();
    servet_cache last = cache_of(profile, 3);
    assert_int_equal(last.kind, SERVET_CACHE_TURNOVER);
    assert_int_equal(last.verdict, SERVET_VERDICT_NOT_COMPARABLE);
    assert_true(last.bytes.low < 0.75 * last.bytes.value);
    assert_true(last.bytes.high > 2 * last.bytes.value);
    assert_int_equal(cache_of(profile, 2).kind, SERVET_CACHE_CAPACITY);
}

TEST(each_core_type_is_measured)
{
    fake.kind_count = 2;
    strcpy(fake.kind[0].name, "kind1");
    strcpy(fake.kind[0].cores, "0-1");
    strcpy(fake.kind[1].name, "kind2");
    strcpy(fake.kind[1].cores, "2-3");
    fake.slow_core = 2;
    fake.level_count = 2;
    options.max_bytes = 16 * MIB;
    measure();
    for (int core = 0; core < 4; core++) {
        servet_cache cache;
        double truth = core < 2 ? fake.level[0].bytes : fake.level[0].bytes / 2;
        assert_ok(servet_cache_get(profile, &(servet_at){NULL, core}, 1, &cache));
        assert_float_equal(cache.bytes.value / truth, 1, 0.05);
    }
}

static int stop(void *context, const servet_progress *progress)
{
    (void)context;
    return progress->done > 0.5;
}

TEST(the_caller_can_end_the_measurement)
{
    servet_profile *made = NULL;
    servet_error error = SERVET_ERROR_INIT;
    options.progress = stop;
    assert_code(srv_measure_on(&fake.machine, &options, &made, &error), SERVET_EINTERRUPTED);
    assert_null(made);
}

TEST(a_missing_raw_folder_is_an_error)
{
    servet_profile *made = NULL;
    servet_error error = SERVET_ERROR_INIT;
    options.raw_dir = "/nowhere/at/all";
    assert_code(srv_measure_on(&fake.machine, &options, &made, &error), SERVET_EIO);
    assert_null(made);
}

TEST(no_more_memory_is_used_than_the_job_has)
{
    servet_profile *made = NULL;
    servet_error error = SERVET_ERROR_INIT;
    options.max_bytes = 9e9;
    assert_code(srv_measure_on(&fake.machine, &options, &made, &error), SERVET_EMACHINE);
    assert_non_null(strstr(error.text, "may use"));
}
