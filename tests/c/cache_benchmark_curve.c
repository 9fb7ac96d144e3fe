/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "facts/cache/benchmark_curve.h"
#include "fake_machine.h"

static const double KIB = 1 << 10, MIB = 1 << 20;
static fake_machine fake;
static srv_curve_plan plan;

static int prepare(void **state)
{
    (void)state;
    fake_machine_init(&fake);
    plan = (srv_curve_plan){.traversal = {.core = 2, .line_bytes = 64, .chains = 1},
                            .min_bytes = 4 * KIB,
                            .max_bytes = 64 * MIB,
                            .granule = 64,
                            .points_per_octave = 4,
                            .rounds = 3,
                            .sampler.machine = &fake.machine};
    return 0;
}

TEST_KEEPS_VALUE(srv_series, srv_series_free)

static srv_series measure(void)
{
    srv_series series;
    assert_ok(srv_bench_curve(&plan, &series, NULL));
    return keep_srv_series(series);
}

TEST_EACH(prepare, NULL)

TEST(sizes_include_both_ends_and_are_whole_granules)
{
    plan.max_bytes = 3000 * KIB;
    srv_series series = measure();
    const servet_curve *curve = &series.curve;
    assert_float_equal(curve->bytes[0], 4 * KIB, 0);
    assert_float_equal(curve->bytes[curve->n - 1], 3000 * KIB, 0);
    for (size_t i = 0; i < curve->n; i++) {
        assert_float_equal(fmod(curve->bytes[i], 64), 0, 0);
        assert_true(i == 0 || curve->bytes[i] > curve->bytes[i - 1]);
    }
    for (size_t i = 0; i < curve->n; i++)
        assert_float_equal(series.ghz[i], 2, 0);
    assert_float_equal(series.huge_share, 1, 0);
    assert_int_equal(fake.last_core, 2);
}

TEST(disturbed_visits_are_not_reported)
{
    /* no divisor of the sizes of a round, or it would hit the same ones again */
    fake.slow_every = 11;
    fake.jitter = 0.005;
    srv_series series = measure();
    const servet_curve *curve = &series.curve;
    for (size_t i = 0; i < curve->n; i++) {
        srv_traversal traversal = plan.traversal;
        traversal.bytes = curve->bytes[i];
        double truth = fake_machine_latency(&fake, &traversal);
        assert_float_equal(1e9 * curve->latency[i] / truth, 1, 0.01);
    }
}

TEST(the_spread_is_that_of_the_visits)
{
    fake.jitter = 0.02;
    srv_series series = measure();
    const servet_curve *curve = &series.curve;
    size_t wide = 0;
    for (size_t i = 0; i < curve->n; i++) {
        assert_true(curve->low[i] <= curve->latency[i] && curve->latency[i] <= curve->high[i]);
        assert_true(curve->high[i] <= curve->low[i] * 1.02 / 0.98 + 1e-9);
        wide += curve->high[i] > curve->low[i];
    }
    assert_true(wide > curve->n / 2);
}

TEST(the_benchmark_ends_by_the_deadline)
{
    plan.max_bytes = 1024 * MIB;
    for (plan.sampler.deadline.at = 0.1; plan.sampler.deadline.at < 20;
         plan.sampler.deadline.at *= 3) {
        fake.seconds = 0;
        srv_series series = measure();
        const servet_curve *curve = &series.curve;
        assert_true(curve->n >= 4);
        assert_true(fake.seconds <= plan.sampler.deadline.at * 1.1);
        assert_true(plan.sampler.deadline.at < 10 || curve->bytes[curve->n - 1] == 1024 * MIB);
    }
}

/* The smallest sets, in multiples of a page, still give a curve. */
TEST(a_range_of_one_octave_is_measured)
{
    plan.min_bytes = 4 * KIB;
    plan.max_bytes = 8 * KIB;
    srv_series series = measure();
    assert_true(series.curve.n >= 4);
}
