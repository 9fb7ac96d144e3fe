/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <unistd.h>

#include "alloc.h"
#include "facts/cache/stage_parts.h"
#include "fake_machine.h"

static const double KIB = 1 << 10, MIB = 1 << 20;
static fake_machine fake;
static srv_curve_plan plan;
static double huge_share;

static int prepare(void **state)
{
    (void)state;
    fake_machine_init(&fake);
    plan = (srv_curve_plan){
        .traversal = {.core = 2, .pattern = SRV_PATTERN_RANDOM, .line_bytes = 64, .chains = 1},
        .min_bytes = 4 * KIB,
        .max_bytes = 64 * MIB,
        .granule = 64,
        .points_per_octave = 4,
        .rounds = 3, /* of curves */
        .refinements = 1,
        .sampler.machine = &fake.machine};
    return 0;
}

TEST_KEEPS_VALUE(srv_visits, srv_visits_free)
TEST_KEEPS_VALUE(servet_curve, servet_curve_free)

static srv_visits measure(void)
{
    srv_visits visits = {0};
    assert_ok(srv_bench_visits(&plan, &visits, &huge_share, NULL));
    return keep_srv_visits(visits);
}

static servet_curve curve_of(const srv_visits *visits)
{
    servet_curve curve;
    assert_ok(srv_visits_curve(visits, &curve, NULL));
    return keep_servet_curve(curve);
}

static int visits_to(const srv_visits *visits, double bytes)
{
    int n = 0;
    for (size_t i = 0; i < visits->count; i++)
        n += visits->visit[i].bytes == bytes;
    return n;
}

TEST_EACH(prepare, NULL)

TEST(a_quiet_machine_is_visited_no_more_than_needed)
{
    srv_visits visits = measure();
    servet_curve curve = curve_of(&visits);
    assert_float_equal(curve.bytes[0], 4 * KIB, 0);
    assert_float_equal(curve.bytes[curve.n - 1], 64 * MIB, 0);
    assert_int_equal(srv_visits_quiet(&visits), visits.count);
    assert_int_equal(visits_to(&visits, 4 * KIB), 6); /* three placements, each at two moments */
    assert_true(visits_to(&visits, 64 * MIB) <= 2);   /* 20 ms each */
    assert_float_equal(huge_share, 1, 0);
    assert_int_equal(fake.last_core, 2);
}

/* Moments lie apart: all other sizes are visited in between. */
TEST(moments_are_spread)
{
    srv_visits visits = measure();
    double first = NAN;
    for (size_t i = 0; i < visits.count; i++) {
        const srv_visit *visit = &visits.visit[i];
        if (visit->bytes != 4 * KIB || visit->placement != 0)
            continue;
        assert_true(visit->moment == 0 || visit->seconds - first > 0.05);
        first = visit->seconds;
    }
}

TEST(only_quiet_visits_count)
{
    const double shares[] = {0.13, 0.6};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        fake.sibling = shares[i];
        fake.jitter = 0.002;
        plan.max_bytes = 4 * MIB;
        srv_visits visits = measure();
        servet_curve curve = curve_of(&visits);
        size_t wrong = 0;
        for (size_t k = 0; k < curve.n; k++) {
            srv_traversal traversal = plan.traversal;
            traversal.bytes = curve.bytes[k];
            wrong +=
                fabs(1e9 * curve.latency[k] / fake_machine_latency(&fake, &traversal) - 1) > 0.01;
        }
        assert_int_equal(wrong, 0);
        assert_true(srv_visits_quiet(&visits) < visits.count * (1.1 - shares[i]));
    }
}

/* Without any quiet visit, the benchmark gives up after some visits to each size. */
TEST(the_benchmark_does_not_wait_for_ever)
{
    fake.sibling = 1;
    srv_visits visits = measure();
    for (size_t i = 0; i < visits.count; i++)
        assert_true(visits_to(&visits, visits.visit[i].bytes) <= 24);
}

TEST(the_benchmark_ends_by_the_deadline)
{
    plan.max_bytes = 1024 * MIB;
    fake.sibling = 0.9;
    for (plan.sampler.deadline.at = 0.1; plan.sampler.deadline.at < 20;
         plan.sampler.deadline.at *= 3) {
        fake.seconds = 0;
        srv_visits visits = measure();
        servet_curve curve = curve_of(&visits);
        assert_true(curve.n >= 4);
        assert_true(fake.seconds <= plan.sampler.deadline.at * 1.1);
    }
}

/* --- ends of visits and curves ---------------------------------------------------------------- */

static int bench_visits(void *context)
{
    srv_visits visits = {0};
    int code = srv_bench_visits(&plan, &visits, &huge_share, context);
    assert_true(code == SERVET_OK || visits.count == 0);
    srv_visits_free(&visits);
    return code;
}

static int bench_curve(void *context)
{
    srv_series series = {.curve = SERVET_CURVE_INIT};
    int code = srv_bench_curve(&plan, &series, context);
    assert_true(code == SERVET_OK || series.curve.n == 0);
    if (code == SERVET_OK)
        srv_series_free(&series);
    return code;
}

static int (*const benches[])(void *context) = {bench_visits, bench_curve};

TEST(an_optional_series_may_be_incomplete)
{
    plan.optional = true;
    plan.sampler.deadline.at = 0.5;
    fake.seconds = 1;
    for (int i = 0; i < 2; i++)
        assert_ok(benches[i](NULL));
    assert_int_equal(fake.traversals, 0);
}

static int stop_at_third(void *context, const char *what, double done)
{
    (void)what;
    assert_true(done >= 0 && done <= 1);
    return ++*(int *)context == 3;
}

TEST(the_caller_can_end_the_benchmark)
{
    int calls = 0;
    plan.sampler.progress = stop_at_third;
    plan.sampler.context = &calls;
    for (int i = 0; i < 2; i++) {
        calls = fake.traversals = 0;
        assert_int_equal(benches[i](NULL), SERVET_EINTERRUPTED);
        assert_int_equal(fake.traversals, 2);
    }
}

TEST(a_failing_machine_fails_the_benchmark)
{
    for (int i = 0; i < 2; i++) {
        servet_error error = SERVET_ERROR_INIT;
        fake.traversals = 0;
        fake.fail_at = 40;
        assert_int_equal(benches[i](&error), SERVET_EMACHINE);
        assert_string_equal(error.text, "the machine broke");
    }
}

/* Sizes, visits, combining and the curve; points, and five columns. */
TEST(failed_allocations_are_reported)
{
    plan.max_bytes = 16 * KIB;
    assert_true(alloc_fail_everywhere(bench_visits, NULL) >= 4);
    plan.max_bytes = 64 * MIB;
    plan.traversal.pattern = SRV_PATTERN_LINES;
    assert_true(alloc_fail_everywhere(bench_curve, NULL) >= 6);
}

/* Two visits of one size, each a row of eight columns; an unknown indicator is "nan". */
TEST(visits_are_written_a_row_each)
{
    char folder[TEST_PATH_MAX], path[TEST_PATH_MAX + 32];
    srv_visit rows[] = {
        {.bytes = 4096, .seconds = 0.5, .ns = 1.25, .error = 0.01, .busy = 1, .ghz = 3, .quiet = 1},
        {.bytes = 4096, .placement = 1, .ns = 1.5, .busy = NAN, .ghz = 2.5}};
    const srv_visits visits = {rows, 2};
    test_path(folder, "servet-visits-XXXXXX");
    assert_non_null(mkdtemp(folder));
    const servet_measure_options options = {.raw_dir = folder};
    const srv_stage stage = {.options = &options, .name = "all"};
    assert_ok(srv_stage_save_visits(&stage, "pages", &visits, NULL));
    snprintf(path, sizeof path, "%s/cache-all-pages-visits.csv", folder);
    char *text = test_read_file(path, NULL);
    unlink(path);
    rmdir(folder);
    assert_string_equal(text, "# 1 of 2 visits were quiet\n"
                              "bytes,placement,moment,seconds,ns,error,busy,ghz\n"
                              "4096,0,0,0.500000,1.25,0.01,1,3\n"
                              "4096,1,0,0.000000,1.5,0,nan,2.5\n");
    free(text);
}
