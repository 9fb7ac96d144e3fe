/* SPDX-License-Identifier: BSD-3-Clause */
/* A run is cut if it left something out for lack of time: on models, also on ones that are slower
 * than the cost of a benchmark foresees. */
#include "test.h"

#include "sim/simulated.h"
#include "run/measure.h"

static srv_machine_ops slowed;
static double (*elapsed_of)(srv_machine *machine);
static double slowness;
static servet_measure_options options;

/* Everything takes longer by this factor. */
static double elapsed(srv_machine *machine)
{
    return slowness * elapsed_of(machine);
}

TEST_FIXTURE(prepare)
{
    options = (servet_measure_options)SERVET_MEASURE_OPTIONS_INIT;
    options.max_bytes = 1 << 20; /* of the caches the L1 is enough */
    return 0;
}

static servet_profile *measure(const char *model, double times)
{
    srv_machine *machine;
    servet_profile *profile = NULL;
    assert_ok(srv_simulated_create(&machine, model, NULL));
    const srv_machine_ops *plain = machine->ops;
    slowed = *plain;
    elapsed_of = plain->elapsed;
    slowed.elapsed = elapsed;
    slowness = times;
    machine->ops = &slowed;
    assert_ok(srv_measure_on(machine, &options, &profile, NULL));
    machine->ops = plain;
    srv_machine_destroy(machine);
    return profile;
}

static bool is_cut(const servet_profile *profile, servet_benchmark benchmark)
{
    servet_run run;
    assert_ok(servet_profile_run(profile, &run));
    return strstr(run.cut, servet_benchmark_name(benchmark));
}

static bool has_distances(const servet_profile *profile)
{
    int count;
    return servet_distance_layer_count(profile, NULL, &count) == SERVET_OK;
}

static bool has_bandwidth(const servet_profile *profile)
{
    servet_value bandwidth;
    return servet_memory_single(profile, NULL, &bandwidth) == SERVET_OK;
}

static bool has_coherence(const servet_profile *profile)
{
    servet_coherence coherence;
    return servet_coherence_get(profile, NULL, &coherence) == SERVET_OK;
}

static bool has_groups(const servet_profile *profile)
{
    int count, levels = 0;
    bool all = servet_cache_count(profile, NULL, &levels) == SERVET_OK;
    for (int level = 1; level <= levels; level++)
        all = servet_cache_group_count(profile, NULL, level, &count) == SERVET_OK && all;
    return all;
}

static const struct fact {
    servet_benchmark benchmark;
    bool (*is_there)(const servet_profile *profile);
} facts[] = {
    {SERVET_BENCHMARK_DISTANCE, has_distances},
    {SERVET_BENCHMARK_SHARING, has_groups},
    {SERVET_BENCHMARK_LINE, has_coherence},
    {SERVET_BENCHMARK_MEMORY, has_bandwidth},
};

/* The benchmarks of these facts, and of the caches that some of them need. */
static unsigned those_of_facts(void)
{
    unsigned some = 1u << SERVET_BENCHMARK_CACHE;
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
        some |= 1u << facts[k].benchmark;
    return some;
}

TEST_EACH(prepare, NULL)

/* With a budget equal to the cost, every fact is there (at night, of all benchmarks); how much of
 * the time was used does not matter. */
TEST(a_run_that_left_out_nothing_is_not_cut)
{
    for (double times = 1; times <= (double)test_cases(1, 3); times += 2) {
        double cost, idle;
        options.machine = "kentsfield";
        options.only = test_cases(0, 1) ? 0 : those_of_facts();
        assert_ok(servet_measure_cost(&options, &idle, &cost, NULL));
        options.budget_seconds = times * cost;
        servet_profile *profile = measure(options.machine, 1);
        servet_run run;
        assert_ok(servet_profile_run(profile, &run));
        assert_string_equal(run.cut, "");
        for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
            assert_true(facts[k].is_there(profile));
        servet_profile_close(profile);
    }
}

/* A slow machine has the budget that a usual one needs: each fact that is missing has its reason.
 */
TEST(benchmarks_of_missing_facts_are_listed_as_cut)
{
    int missing = 0;
    double idle;
    options.machine = "kentsfield";
    assert_ok(servet_measure_cost(&options, &idle, &options.budget_seconds, NULL));
    for (double times = 16; times <= (double)test_cases(16, 64); times *= 2) {
        servet_profile *profile = measure(options.machine, times);
        for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
            bool is_missing = !facts[k].is_there(profile);
            missing += is_missing;
            if (is_missing && !is_cut(profile, facts[k].benchmark))
                fail_msg("%g times as slow: no reason why facts of %s are missing", times,
                         servet_benchmark_name(facts[k].benchmark));
        }
        servet_profile_close(profile);
    }
    assert_true(missing > 0);
}

static bool is_trusted(const servet_profile *profile, const char *key)
{
    servet_trust trust;
    assert_ok(servet_profile_trust(profile, NULL, key, &trust, NULL));
    return trust.trusted;
}

/* Too little time for all pairs: cores that were left out may form another layer, and belong to
 * groups. */
TEST(layers_of_a_part_of_the_cores_are_cut_and_not_trusted)
{
    static const char *const keys[] = {"distance.layers.count", "distance.layers.1.groups",
                                       "distance.layers.1.latency_ns"};
    int parts = 0;
    double idle;
    options.only = 1u << SERVET_BENCHMARK_DISTANCE;
    options.machine = "dunnington";
    assert_ok(servet_measure_cost(&options, &idle, &options.budget_seconds, NULL));
    for (double times = 1; times <= 64; times *= 4) {
        servet_profile *profile = measure(options.machine, times);
        bool cut = is_cut(profile, SERVET_BENCHMARK_DISTANCE);
        assert_true(times > 1 ? cut || has_distances(profile) : !cut && has_distances(profile));
        for (size_t i = 0; has_distances(profile) && i < sizeof keys / sizeof *keys; i++)
            assert_int_equal(is_trusted(profile, keys[i]), !cut);
        parts += cut && has_distances(profile);
        servet_profile_close(profile);
    }
    assert_true(parts > 0);
}
