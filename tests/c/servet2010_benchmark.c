/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <math.h>
#include <string.h>

#include "facts/servet2010/benchmark.h"
#include "facts/servet2010/stage.h"
#include "fake_machine.h"

static const double KIB = 1 << 10, MIB = 1 << 20;
enum { CORES = 6, PAIRS = CORES * (CORES - 1) / 2 };

static srv_2010_core cores[CORES];
static fake_machine fake;
static srv_2010_sharing_plan plan;
static srv_pair pairs[PAIRS];

static int prepare(void **state)
{
    (void)state;
    const int numbers[CORES] = {7, 3, 11, 0, 21, 5};
    fake_machine_init(&fake);
    for (int i = 0; i < CORES; i++)
        cores[i] = (srv_2010_core){numbers[i], 0, 1 * MIB};
    plan = (srv_2010_sharing_plan){
        .cores = cores, .core_count = CORES, .seed = 1, .sampler.machine = &fake.machine};
    return 0;
}

/* --- the grid --------------------------------------------------------------------------------- */

static void sizes_double_to_2_mib_and_then_add_1_mib(void **state)
{
    (void)state;
    srv_curve_plan grid = srv_2010_curve_plan(2, 4 * KIB, 9 * MIB);
    grid.sampler.machine = &fake.machine;
    srv_series series;
    assert_int_equal(srv_bench_curve(&grid, &series, NULL), SERVET_OK);
    const double kib[] = {4,    8,    16,   32,   64,   128,  256,  512, 1024,
                          2048, 3072, 4096, 5120, 6144, 7168, 8192, 9216};
    assert_int_equal(series.curve.n, sizeof kib / sizeof *kib);
    for (size_t i = 0; i < series.curve.n; i++)
        assert_float_equal(series.curve.bytes[i], kib[i] * KIB, 0);
    assert_int_equal(fake.last_core, 2);
    srv_series_free(&series);
}

static void times_become_cycles(void **state)
{
    (void)state;
    srv_curve_plan grid = srv_2010_curve_plan(0, 4 * KIB, 1 * MIB);
    grid.sampler.machine = &fake.machine;
    srv_series series;
    assert_int_equal(srv_bench_curve(&grid, &series, NULL), SERVET_OK);
    double seconds = series.curve.latency[3];
    for (size_t i = 0; i < series.curve.n; i++)
        series.ghz[i] = 2.5;
    srv_2010_to_cycles(&series);
    assert_int_equal(series.curve.unit, SERVET_UNIT_CYCLE);
    assert_float_equal(series.curve.latency[3], 2.5e9 * seconds, 1e-6);
    assert_true(series.curve.low[3] <= series.curve.latency[3] &&
                series.curve.latency[3] <= series.curve.high[3]);
    srv_series_free(&series);
}

/* --- pairs ------------------------------------------------------------------------------------ */

static void share(int level, int a, int b, int instance)
{
    fake.instance[level][cores[a].number] = fake.instance[level][cores[b].number] = instance;
}

static size_t measure(void)
{
    size_t measured;
    assert_int_equal(srv_bench_2010_sharing(&plan, pairs, &measured, NULL), SERVET_OK);
    return measured;
}

static double slow_down(int a, int b)
{
    for (int i = 0; i < PAIRS; i++)
        if (pairs[i].a == a && pairs[i].b == b)
            return pairs[i].value;
    fail_msg("no pair %d %d", a, b);
    return 0;
}

static void two_thirds_of_the_cache_are_traversed_alone_and_in_pairs(void **state)
{
    (void)state;
    assert_int_equal(measure(), PAIRS);
    assert_int_equal(fake.most_at_once, 2);
    for (int i = 0; i < fake.size_count; i++) {
        assert_true(fake.sizes[i] <= 2 * MIB / 3 && fake.sizes[i] > 2 * MIB / 3 - 1 * KIB);
        assert_float_equal(fmod(fake.sizes[i], 1 * KIB), 0, 0);
    }
    for (int i = 0; i < PAIRS; i++)
        assert_float_equal(pairs[i].value, 1, 1e-6);
}

static void cores_that_share_a_cache_slow_down(void **state)
{
    (void)state;
    share(1, 0, 2, 1);
    share(1, 3, 4, 2);
    share(2, 0, 1, 1); /* a larger cache does not matter: both arrays fit in it */
    assert_int_equal(measure(), PAIRS);
    int group[CORES];
    assert_int_equal(srv_2010_sharing(pairs, PAIRS, 1.5, group, CORES), 4);
    assert_int_equal(group[2], group[0]);
    assert_int_equal(group[4], group[3]);
    assert_float_equal(slow_down(0, 1), 1, 1e-6);
}

/* Every 7th answer is three times too slow: no pair shares for that. */
static void a_disturbed_visit_joins_no_cores(void **state)
{
    (void)state;
    fake.slow_every = 7;
    share(1, 1, 5, 1);
    assert_int_equal(measure(), PAIRS);
    int group[CORES];
    assert_int_equal(srv_2010_sharing(pairs, PAIRS, 1.5, group, CORES), CORES - 1);
    assert_int_equal(group[5], group[1]);
}

/* Cores from core 2 of the list on are half as fast and see half of the cache: alone or together,
 * that is no sign of sharing. */
static void each_core_type_is_compared_with_itself(void **state)
{
    (void)state;
    fake.slow_core = 11; /* cores[2] and cores[4] */
    for (int i = 2; i <= 4; i += 2)
        cores[i] = (srv_2010_core){cores[i].number, 1, 0.5 * MIB};
    share(1, 0, 2, 1);
    assert_int_equal(measure(), PAIRS);
    for (int i = 0; i < PAIRS; i++)
        if (pairs[i].a != 0 || pairs[i].b != 2)
            assert_float_equal(pairs[i].value, 1, 1e-6);
    assert_true(slow_down(0, 2) > 1.5);
}

static void after_the_deadline_only_the_first_pairs_are_measured(void **state)
{
    (void)state;
    plan.sampler.deadline.at = 30e-3;
    size_t measured = measure();
    assert_true(measured > 0 && measured < PAIRS);
    for (size_t i = 0; i < PAIRS; i++)
        assert_true(i < measured ? pairs[i].value > 0.9 : pairs[i].value == 0);
    assert_true(fake.seconds < 60e-3);
    fake.seconds = 1;
    fake.traversals = 0;
    assert_int_equal(measure(), 0);
    assert_int_equal(fake.traversals, 0);
}

static int stop_at_third(void *context, const char *what, double done)
{
    char first[32];
    snprintf(first, sizeof first, "cores %d and ", cores[0].number);
    assert_memory_equal(what, first, strlen(first));
    assert_true(done >= 0 && done < 1);
    return ++*(int *)context == 3;
}

static void the_caller_can_end_the_benchmark(void **state)
{
    (void)state;
    int calls = 0;
    size_t measured;
    plan.sampler.progress = stop_at_third;
    plan.sampler.context = &calls;
    assert_int_equal(srv_bench_2010_sharing(&plan, pairs, &measured, NULL), SERVET_EINTERRUPTED);
}

static void a_failing_machine_fails_the_benchmark(void **state)
{
    (void)state;
    for (int at = 1; at < 12; at += 5) {
        prepare(NULL);
        size_t measured;
        fake.fail_at = at;
        assert_int_equal(srv_bench_2010_sharing(&plan, pairs, &measured, NULL), SERVET_EMACHINE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(sizes_double_to_2_mib_and_then_add_1_mib, prepare),
        cmocka_unit_test_setup(times_become_cycles, prepare),
        cmocka_unit_test_setup(two_thirds_of_the_cache_are_traversed_alone_and_in_pairs, prepare),
        cmocka_unit_test_setup(cores_that_share_a_cache_slow_down, prepare),
        cmocka_unit_test_setup(a_disturbed_visit_joins_no_cores, prepare),
        cmocka_unit_test_setup(each_core_type_is_compared_with_itself, prepare),
        cmocka_unit_test_setup(after_the_deadline_only_the_first_pairs_are_measured, prepare),
        cmocka_unit_test_setup(the_caller_can_end_the_benchmark, prepare),
        cmocka_unit_test_setup(a_failing_machine_fails_the_benchmark, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
