/* SPDX-License-Identifier: BSD-3-Clause */
/* The series that show lines, on a machine whose times follow from the probes. */
#include "test.h"

#include "facts/line/benchmark.h"
#include "core/error.h"

enum { CORES = 40 };

typedef struct fake {
    srv_machine machine;
    double seconds;
    int probes, traversals;
    bool never_meet; /* from the 20th probe on */
    double spoilt;   /* factor by which this visit of a step is too slow; 0: none */
    double largest_set;
    int busy_until; /* visits before this one are disturbed as a whole */
    double slow;    /* factor on the time that traversals take; 0: 1 */
} fake;

/* Blocks of 64 bytes; core 0 is the farther from core n the larger n is. */
static int false_sharing(srv_machine *machine, const srv_false_sharing *probe, srv_timing *timing,
                         servet_error *error)
{
    (void)error;
    fake *on = (fake *)machine;
    assert_int_equal(probe->core, 0);
    on->seconds += 10e-3;
    on->probes++;
    double ns = probe->apart < 64 ? 20 + probe->other : 5;
    if (on->never_meet && on->probes >= 20)
        ns = NAN;
    if (on->spoilt > 0 && on->probes % 13 == 0)
        ns *= on->spoilt;
    *timing = (srv_timing){.mean = ns, .spread = {ns, ns, ns, ns, isnan(ns) ? 0 : 9}};
    return SERVET_OK;
}

/* First loads take 100 ns, and translation 30 more; second ones 2 ns in the line of 128 bytes. */
static int traverse(srv_machine *machine, const srv_traversal *traversal, int count,
                    srv_timing *timing, servet_error *error)
{
    (void)count, (void)error;
    fake *on = (fake *)machine;
    double first = 130, second = traversal->stride < 128 ? 2 : 100;
    on->seconds += 10e-3 * fmax(1, on->slow);
    on->traversals++;
    on->largest_set = fmax(on->largest_set, traversal->bytes);
    assert_true(traversal->line_bytes == 2 * traversal->stride && traversal->chains == 1);
    double ns = traversal->pattern == SRV_PATTERN_PAIRS ? (first + second) / 2 : first;
    bool busy = on->traversals < 2 * on->busy_until;
    double low = busy ? 2 * ns : ns;
    *timing = (srv_timing){.mean = 3 * low, .spread = {3 * low, ns / 2, low, 4 * low, 100}};
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return ((fake *)machine)->seconds;
}

static fake a_fake(void)
{
    static const srv_machine_ops ops = {
        .false_sharing = false_sharing, .traverse = traverse, .elapsed = elapsed};
    return (fake){.machine = {&ops}};
}

static srv_block_series blocks(fake *on, int count, double deadline)
{
    int cores[CORES];
    srv_sampler sampler = {.machine = &on->machine, .deadline.at = deadline};
    srv_block_series series;
    for (int i = 0; i < CORES; i++)
        cores[i] = i;
    assert_ok(srv_bench_block(&sampler, cores, count, &series, NULL));
    return series;
}

TEST(the_farthest_core_contends)
{
    fake on = a_fake();
    srv_block_series series = blocks(&on, CORES, INFINITY);
    assert_int_equal(series.core, 0);
    assert_int_equal(series.other, CORES - 1);
    assert_int_equal(series.count, SRV_BLOCK_STEPS);
    for (int i = 0; i < series.count; i++) {
        assert_true(series.apart[i] == pow(2, i));
        assert_true(series.ns[i] == (series.apart[i] < 64 ? 20 + CORES - 1 : 5));
    }
    on = a_fake();
    series = blocks(&on, 2, INFINITY);
    assert_int_equal(series.other, 1);
}

TEST(single_visits_do_not_decide)
{
    fake on = a_fake();
    on.spoilt = 1000;
    srv_block_series series = blocks(&on, 2, INFINITY);
    for (int i = 0; i < series.count; i++)
        assert_true(series.ns[i] == (series.apart[i] < 64 ? 21 : 5));
}

TEST(without_contention_there_is_no_series)
{
    fake on = a_fake();
    assert_int_equal(blocks(&on, 1, INFINITY).count, 0);
    assert_int_equal(on.probes, 0);
    assert_int_equal(blocks(&on, 8, 1e-9).count, 0);
    on = a_fake();
    on.never_meet = true;
    assert_int_equal(blocks(&on, 8, INFINITY).count, 0);
    assert_int_equal(on.probes, 20); /* it is not probed again and again */
}

static srv_line_plan pairs(void)
{
    return (srv_line_plan){.like = {.core = 3, .bytes = 1 << 20, .largest_bytes = 1 << 22},
                           .from = 32,
                           .count = 5,
                           .grows_from = INFINITY};
}

TEST(second_loads_are_distinguished_from_first_ones)
{
    fake on = a_fake();
    srv_line_plan plan = pairs();
    srv_sampler sampler = {.machine = &on.machine, .deadline.at = INFINITY};
    srv_line_series series = {0};
    assert_ok(srv_bench_line(&sampler, &plan, &series, NULL));
    assert_int_equal(series.count, 5);
    for (int i = 0; i < series.count; i++) {
        assert_true(series.stride[i] == 32 * pow(2, i));
        assert_float_equal(series.first[i], 130, 1e-9);
        assert_float_equal(series.second[i], series.stride[i] < 128 ? 2 : 100, 1e-9);
    }
    assert_true(on.largest_set == 1 << 20);
}

static srv_line_series line_series(fake *on, double deadline)
{
    srv_line_plan plan = pairs();
    srv_sampler sampler = {.machine = &on->machine, .deadline.at = deadline};
    srv_line_series series = {0};
    assert_ok(srv_bench_line(&sampler, &plan, &series, NULL));
    return series;
}

/* A part of all samples is disturbed, and all visits before the 25th as a whole. */
TEST(the_fastest_visit_and_the_faster_samples_count)
{
    fake on = a_fake();
    on.busy_until = 25;
    srv_line_plan plan = pairs();
    srv_sampler sampler = {.machine = &on.machine, .deadline.at = INFINITY};
    srv_line_series series = line_series(&on, INFINITY);
    assert_int_equal(series.visits, 15);
    assert_ok(srv_bench_line(&sampler, &plan, &series, NULL));
    assert_int_equal(series.visits, 30);
    for (int i = 0; i < series.count; i++)
        assert_float_equal(series.second[i], series.stride[i] < 128 ? 2 : 100, 1e-9);
}

/* A round of five visits takes a second. */
TEST(long_series_are_visited_once)
{
    fake on = a_fake();
    on.slow = 10;
    srv_line_plan plan = pairs();
    srv_sampler sampler = {.machine = &on.machine, .deadline.at = INFINITY};
    srv_line_series series = line_series(&on, INFINITY);
    assert_int_equal(series.visits, 5);
    assert_ok(srv_bench_line(&sampler, &plan, &series, NULL));
    assert_true(series.visits == 5 && series.count == 5);
}

/* Time for the first round and two visits more. */
TEST(a_deadline_after_the_first_round_keeps_the_series)
{
    fake on = a_fake();
    srv_line_series series = line_series(&on, 0.145);
    assert_true(series.count == 5 && series.visits == 7);
}

TEST(working_sets_grow_with_the_stride_up_to_the_limit)
{
    fake on = a_fake();
    srv_line_plan plan = pairs();
    srv_sampler sampler = {.machine = &on.machine, .deadline.at = INFINITY};
    srv_line_series series = {0};
    plan.grows_from = 256;
    assert_ok(srv_bench_line(&sampler, &plan, &series, NULL));
    assert_true(on.largest_set == 1 << 21); /* 512 is twice 256 */
    plan.grows_from = 32;
    series = (srv_line_series){0};
    assert_ok(srv_bench_line(&sampler, &plan, &series, NULL));
    assert_true(on.largest_set == 1 << 22);
}

TEST(an_incomplete_series_is_dropped)
{
    fake on = a_fake();
    srv_line_plan plan = pairs();
    srv_sampler sampler = {.machine = &on.machine, .deadline.at = 0.07};
    srv_line_series series = {0};
    assert_ok(srv_bench_line(&sampler, &plan, &series, NULL));
    assert_int_equal(series.count, 0);
    assert_true(on.seconds < 0.2);
}

static int stop_at_fifth(void *context, const char *what, double done)
{
    assert_string_equal(what, "");
    assert_true(done >= 0 && done <= 1);
    return ++*(int *)context == 5;
}

TEST(the_caller_can_end_both_benchmarks)
{
    fake on = a_fake();
    int calls = 0;
    const int cores[] = {0, 1, 2, 3};
    srv_sampler sampler = {.machine = &on.machine, .progress = stop_at_fifth, .context = &calls};
    srv_line_plan plan = pairs();
    srv_block_series block;
    srv_line_series line = {0};
    assert_int_equal(srv_bench_block(&sampler, cores, 4, &block, NULL), SERVET_EINTERRUPTED);
    assert_int_equal(on.probes, 4);
    calls = 0;
    assert_int_equal(srv_bench_line(&sampler, &plan, &line, NULL), SERVET_EINTERRUPTED);
}
