/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds contending pairs on machines that are defined by the bandwidth that each pair keeps. */
#include "test.h"

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

static int finish(void **state)
{
    (void)state;
    srv_contentions_finish(&found);
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
    srv_contentions_finish(&found);
    assert_ok(srv_bench_contention(&plan, alone, WHOLE, &found, NULL));
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

TEST_EACH(prepare, finish)

TEST(the_pairs_of_the_paper_are_found)
{
    slows(0, 1, 0.5);
    slows(0, 2, 0.5);
    slows(3, 4, 0.5);
    slows(3, 5, 0.5);
    search(6);
    expect_exact(6);
}

/* The pairs have no structure: any pairs contend. */
TEST(random_pairs_are_found_exactly)
{
    uint64_t random = 1;
    for (int round = 0; round < 60; round++) {
        prepare(NULL);
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
    }
}

TEST(all_pairs_of_one_bus_are_found)
{
    for (int a = 0; a < 24; a++)
        for (int b = 0; b < a; b++)
            slows(a, b, 0.6);
    search(24);
    expect_exact(24);
    /* All 276 pairs one by one, and each of 23 that tie a core to others again with both alone. */
    assert_true(found.probes < 276 + 4 * 23 + 10);
}

TEST(one_core_has_no_pairs)
{
    search(1);
    assert_int_equal(found.count + found.probes + found.unmeasured, 0);
}

/* --- what it costs ---------------------------------------------------------------------------- */

TEST(cores_that_share_nothing_are_probed_all_at_once)
{
    search(64);
    expect_exact(64);
    assert_true(found.probes <= 10); /* doubling from 4 to 64 */
    assert_int_equal(node.most_at_once, 64);
}

/* 14 of 64 fill the memory: 2016 pairs, of which one answer can settle 91. */
TEST(no_more_cores_run_at_once_than_memory_serves)
{
    node.total = 14.2 * ALONE;
    search(64);
    expect_exact(64);
    assert_true(found.probes <= 200);
}

/* Threads of a core in pairs: all are found, with fewer probes than a fourth of the 2016 pairs.
 */
TEST(few_slow_pairs_among_many_are_found)
{
    node.total = 10.5 * ALONE;
    for (int a = 0; a < 32; a++)
        slows(a, a + 32, 0.5);
    search(64);
    expect_exact(64);
    assert_true(found.probes <= 504);
}

TEST(the_number_of_probes_is_limited)
{
    for (int a = 0; a < 64; a++)
        for (int b = 0; b < a; b++)
            slows(a, b, 0.6);
    search(64);
    assert_true(found.unmeasured > 0);
    assert_true(found.count > 600);
    assert_true(found.probes <= SRV_CONTENTION_PROBES(64) + 6);
}

/* --- disturbances ----------------------------------------------------------------------------- */

TEST(disturbed_probes_are_repeated)
{
    slows(2, 5, 0.5);
    node.slow_every = 7;
    search(12);
    expect_exact(12);
}

/* A machine that became slower since the cores were measured alone has no overhead. */
TEST(pairs_are_compared_with_times_of_the_same_moment)
{
    for (int i = 0; i < 4; i++)
        alone[i] = ALONE / 0.8;
    search(4);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.unmeasured, 0);
}

/* --- ends ------------------------------------------------------------------------------------- */

TEST(the_deadline_leaves_pairs_unmeasured)
{
    for (int a = 1; a < 12; a++)
        slows(0, a, 0.5);
    srv_memory_plan plan = plan_of(12);
    plan.sampler.deadline.at = 0.3;
    assert_ok(srv_bench_contention(&plan, alone, WHOLE, &found, NULL));
    assert_true(found.unmeasured > 0);
    assert_true(node.seconds < 0.3 + 7 * 0.02); /* one pair is measured to its end */
}

/* Other work slowed the pair down in most measurements of it, and there is no time for another
 * visit. */
TEST(a_doubtful_pair_is_undecided_at_the_deadline)
{
    srv_memory_plan plan = plan_of(2);
    plan.sampler.deadline.at = 0.01;
    slows(0, 1, 0.5);
    node.scattered = true;
    assert_ok(srv_bench_contention(&plan, alone, WHOLE, &found, NULL));
    assert_int_equal(found.count, 0);
    assert_int_equal(found.unmeasured, 1);
}

TEST(the_caller_can_end_the_benchmark)
{
    int left = 3;
    srv_memory_plan plan = plan_of(8);
    plan.sampler.progress = end_at_progress;
    plan.sampler.context = &left;
    slows(0, 1, 0.5);
    assert_int_equal(srv_bench_contention(&plan, alone, WHOLE, &found, NULL), SERVET_EINTERRUPTED);
    assert_null(found.pair);
}

TEST(errors_of_the_machine_end_the_benchmark)
{
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
}

TEST(each_failed_allocation_is_reported)
{
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
}
