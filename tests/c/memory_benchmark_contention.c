/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds contending pairs on machines that are defined by the bandwidth that each pair keeps. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "facts/memory/benchmark.h"

enum { CORES_MAX = 64 };
static const double ALONE = 10e9, WHOLE = 0.93;

/* A core keeps the least of what it keeps beside each other one, and what is left of the total. */
static struct node {
    srv_machine machine;
    double share[CORES_MAX][CORES_MAX];
    double total;   /* that all get together */
    int slow_every; /* every n-th probe is answered too slowly; 0: none */
    bool scattered; /* a quarter of the measurements of two cores is as fast as alone */
    int probes, most_at_once;
    int fail_at;
    double seconds;
} node;

static int stream(srv_machine *machine, const srv_stream *streams, int count, srv_spread *rates,
                  servet_error *error)
{
    (void)machine, (void)error;
    bool disturbed = node.slow_every && ++node.probes % node.slow_every == 0;
    node.probes += !node.slow_every;
    node.seconds += 0.02;
    node.most_at_once = count > node.most_at_once ? count : node.most_at_once;
    if (node.probes == node.fail_at)
        return SERVET_EMACHINE;
    for (int i = 0; i < count; i++) {
        double rate = fmin(ALONE, node.total / count);
        for (int k = 0; k < count; k++)
            if (k != i)
                rate = fmin(rate, ALONE * node.share[streams[i].core][streams[k].core]);
        rate *= disturbed ? 0.7 : 1;
        double high = node.scattered ? ALONE : rate;
        rates[i] = (srv_spread){rate, rate, rate, rate, 100};
        rates[i].high = high;
    }
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    (void)machine;
    return node.seconds;
}

static const srv_machine_ops ops = {.stream = stream, .elapsed = elapsed};
static int cores[CORES_MAX];
static double alone[CORES_MAX];
static srv_contentions found;

static int prepare(void **state)
{
    (void)state;
    memset(&node, 0, sizeof node);
    node.machine.ops = &ops;
    node.total = 1e15;
    for (int i = 0; i < CORES_MAX; i++) {
        cores[i] = i;
        alone[i] = ALONE;
        for (int k = 0; k < CORES_MAX; k++)
            node.share[i][k] = 1;
    }
    return 0;
}

static void slows(int a, int b, double share)
{
    node.share[a][b] = node.share[b][a] = share;
}

static int end_at_progress(void *context, const char *what, double done)
{
    (void)what;
    assert_true(done >= 0 && done <= 1);
    return --*(int *)context == 0;
}

static srv_memory_plan plan_of(int count)
{
    return (srv_memory_plan){.cores = cores,
                             .count = count,
                             .kernel = SERVET_KERNEL_COPY,
                             .bytes = 1e6,
                             .memory_bytes = 1e9,
                             .sampler = {.machine = &node.machine, .deadline.at = INFINITY}};
}

static void search(int count)
{
    srv_memory_plan plan = plan_of(count);
    assert_int_equal(srv_bench_contention(&plan, alone, WHOLE, &found, NULL), SERVET_OK);
}

/* Exactly the slow pairs of the machine were found, each with its share. */
static void expect_exact(int count)
{
    size_t slow = 0;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            slow += node.share[a][b] < WHOLE;
    assert_int_equal(found.count, slow);
    assert_int_equal(found.unmeasured, 0);
    for (size_t i = 0; i < found.count; i++) {
        const srv_contention *pair = &found.pair[i];
        assert_true(pair->a < pair->b);
        assert_float_equal(pair->share, node.share[pair->a][pair->b], 1e-9);
        assert_float_equal(pair->rate, pair->share * ALONE, 1);
        for (size_t k = 0; k < i; k++)
            assert_true(found.pair[k].a != pair->a || found.pair[k].b != pair->b);
    }
}

/* --- what is found ---------------------------------------------------------------------------- */

static void the_pairs_of_the_paper_are_found(void **state)
{
    (void)state;
    slows(0, 1, 0.5);
    slows(0, 2, 0.5);
    slows(3, 4, 0.5);
    slows(3, 5, 0.5);
    search(6);
    expect_exact(6);
    srv_contentions_finish(&found);
}

/* The pairs have no structure: any pairs contend. */
static void random_pairs_are_found_exactly(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 60; round++) {
        prepare(state);
        int count = 2 + round % 30;
        for (int a = 0; a < count; a++)
            for (int b = 0; b < a; b++) {
                random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                double chance = (double)(random >> 33) / (double)(UINT64_C(1) << 31);
                if (chance < 0.02 * (round % 7))
                    slows(a, b, 0.4 + chance);
            }
        node.total = round % 3 == 0 ? 5.5 * ALONE : 1e15;
        search(count);
        expect_exact(count);
        srv_contentions_finish(&found);
    }
}

static void all_pairs_of_one_bus_are_found(void **state)
{
    (void)state;
    for (int a = 0; a < 24; a++)
        for (int b = 0; b < a; b++)
            slows(a, b, 0.6);
    search(24);
    expect_exact(24);
    /* All 276 pairs one by one, and each of 23 that tie a core to others again with both alone. */
    assert_true(found.probes < 276 + 4 * 23 + 10);
    srv_contentions_finish(&found);
}

static void one_core_has_no_pairs(void **state)
{
    (void)state;
    search(1);
    assert_int_equal(found.count + found.probes + found.unmeasured, 0);
    srv_contentions_finish(&found);
}

/* --- what it costs ---------------------------------------------------------------------------- */

static void cores_that_share_nothing_are_probed_all_at_once(void **state)
{
    (void)state;
    search(64);
    expect_exact(64);
    assert_true(found.probes <= 10); /* doubling from 4 to 64 */
    assert_int_equal(node.most_at_once, 64);
    srv_contentions_finish(&found);
}

/* 14 of 64 fill the memory: 2016 pairs, of which one answer can settle 91. */
static void no_more_cores_run_at_once_than_memory_serves(void **state)
{
    (void)state;
    node.total = 14.2 * ALONE;
    search(64);
    expect_exact(64);
    assert_true(found.probes <= 200);
    srv_contentions_finish(&found);
}

/* Threads of a core in pairs: all are found, with fewer probes than a fourth of the 2016 pairs.
 */
static void few_slow_pairs_among_many_are_found(void **state)
{
    (void)state;
    node.total = 10.5 * ALONE;
    for (int a = 0; a < 32; a++)
        slows(a, a + 32, 0.5);
    search(64);
    expect_exact(64);
    assert_true(found.probes <= 504);
    srv_contentions_finish(&found);
}

static void the_number_of_probes_is_limited(void **state)
{
    (void)state;
    for (int a = 0; a < 64; a++)
        for (int b = 0; b < a; b++)
            slows(a, b, 0.6);
    search(64);
    assert_true(found.unmeasured > 0);
    assert_true(found.count > 600);
    assert_true(found.probes <= SRV_CONTENTION_PROBES(64) + 6);
    srv_contentions_finish(&found);
}

/* --- disturbances ----------------------------------------------------------------------------- */

static void disturbed_probes_are_repeated(void **state)
{
    (void)state;
    slows(2, 5, 0.5);
    node.slow_every = 7;
    search(12);
    expect_exact(12);
    srv_contentions_finish(&found);
}

/* A machine that became slower since the cores were measured alone has no overhead. */
static void pairs_are_compared_with_times_of_the_same_moment(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        alone[i] = ALONE / 0.8;
    search(4);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.unmeasured, 0);
    srv_contentions_finish(&found);
}

/* --- ends ------------------------------------------------------------------------------------- */

static void the_deadline_leaves_pairs_unmeasured(void **state)
{
    (void)state;
    for (int a = 1; a < 12; a++)
        slows(0, a, 0.5);
    srv_memory_plan plan = plan_of(12);
    plan.sampler.deadline.at = 0.3;
    assert_int_equal(srv_bench_contention(&plan, alone, WHOLE, &found, NULL), SERVET_OK);
    assert_true(found.unmeasured > 0);
    assert_true(node.seconds < 0.3 + 7 * 0.02); /* one pair is measured to its end */
    srv_contentions_finish(&found);
}

/* Other work slowed the pair down in most measurements of it, and there is no time for another
 * visit. */
static void a_doubtful_pair_is_undecided_at_the_deadline(void **state)
{
    (void)state;
    srv_memory_plan plan = plan_of(2);
    plan.sampler.deadline.at = 0.01;
    slows(0, 1, 0.5);
    node.scattered = true;
    assert_int_equal(srv_bench_contention(&plan, alone, WHOLE, &found, NULL), SERVET_OK);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.unmeasured, 1);
    srv_contentions_finish(&found);
}

static void the_caller_can_end_the_benchmark(void **state)
{
    (void)state;
    int left = 3;
    srv_memory_plan plan = plan_of(8);
    plan.sampler.progress = end_at_progress;
    plan.sampler.context = &left;
    slows(0, 1, 0.5);
    assert_int_equal(srv_bench_contention(&plan, alone, WHOLE, &found, NULL), SERVET_EINTERRUPTED);
    assert_null(found.pair);
}

static void errors_of_the_machine_end_the_benchmark(void **state)
{
    (void)state;
    slows(0, 1, 0.5);
    int code = SERVET_EMACHINE;
    for (int at = 1; code == SERVET_EMACHINE; at++) {
        srv_memory_plan plan = plan_of(8);
        node.probes = 0;
        node.fail_at = at;
        code = srv_bench_contention(&plan, alone, WHOLE, &found, NULL);
        assert_true(code == SERVET_OK || (code == SERVET_EMACHINE && !found.pair));
    }
    assert_true(node.fail_at > 6); /* a batch, halved twice, and a pair confirmed by three more */
    expect_exact(8);
    srv_contentions_finish(&found);
}

static void each_failed_allocation_is_reported(void **state)
{
    (void)state;
    srv_memory_plan plan = plan_of(10);
    for (int a = 1; a < 10; a++)
        slows(0, a, 0.5);
    int code = SERVET_EMEMORY;
    for (int n = 1; code == SERVET_EMEMORY; n++) {
        alloc_fail_at(n);
        code = srv_bench_contention(&plan, alone, WHOLE, &found, NULL);
        alloc_fail_at(0);
        assert_true(code == SERVET_OK || code == SERVET_EMEMORY);
    }
    expect_exact(10);
    srv_contentions_finish(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_pairs_of_the_paper_are_found, prepare),
        cmocka_unit_test_setup(random_pairs_are_found_exactly, prepare),
        cmocka_unit_test_setup(all_pairs_of_one_bus_are_found, prepare),
        cmocka_unit_test_setup(one_core_has_no_pairs, prepare),
        cmocka_unit_test_setup(cores_that_share_nothing_are_probed_all_at_once, prepare),
        cmocka_unit_test_setup(no_more_cores_run_at_once_than_memory_serves, prepare),
        cmocka_unit_test_setup(few_slow_pairs_among_many_are_found, prepare),
        cmocka_unit_test_setup(the_number_of_probes_is_limited, prepare),
        cmocka_unit_test_setup(disturbed_probes_are_repeated, prepare),
        cmocka_unit_test_setup(pairs_are_compared_with_times_of_the_same_moment, prepare),
        cmocka_unit_test_setup(the_deadline_leaves_pairs_unmeasured, prepare),
        cmocka_unit_test_setup(a_doubtful_pair_is_undecided_at_the_deadline, prepare),
        cmocka_unit_test_setup(the_caller_can_end_the_benchmark, prepare),
        cmocka_unit_test_setup(errors_of_the_machine_end_the_benchmark, prepare),
        cmocka_unit_test_setup(each_failed_allocation_is_reported, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
