/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures kernels on one core and on growing numbers of cores, and NUMA nodes, on a machine that
 * computes its answers by a formula. */
#include "test.h"

#include "facts/memory/benchmark.h"
#include "core/error.h"

enum { CORES_MAX = 256 };

/* The machine: each core gets the bandwidth of its kernel, but at most its part of the total. */
static struct node {
    srv_machine machine;
    double alone[SERVET_KERNEL_COUNT]; /* bandwidth of one core; 0: no such stores */
    double total;
    int slow_visit; /* this probe (from 1) is answered too slowly */
    int probes;
    double largest_bytes, seconds;
    int refused_node;
    int fail_at;
} node;

static int cores[CORES_MAX];

static bool fails(void)
{
    node.seconds += 0.1;
    return ++node.probes == node.fail_at;
}

static int stream(srv_machine *machine, const srv_stream *streams, int count, srv_spread *rates,
                  servet_error *error)
{
    (void)machine;
    if (fails())
        return srv_fail(error, SERVET_EMACHINE, "no more");
    if (streams->node > 0 && streams->node == node.refused_node)
        return srv_fail(error, SERVET_EUNSUPPORTED, "not permitted");
    for (int i = 0; i < count; i++) {
        double rate = fmin(node.alone[streams[i].kernel], node.total / count);
        if (rate <= 0)
            return srv_fail(error, SERVET_EUNSUPPORTED, "no such stores");
        rate /= node.probes == node.slow_visit ? 2 : 1;
        rate /= streams[i].node > 1 ? streams[i].node : 1;
        rates[i] = (srv_spread){rate, rate, 0.9 * rate, 1.1 * rate, 100};
        node.largest_bytes = fmax(node.largest_bytes, streams[i].bytes);
    }
    return SERVET_OK;
}

static int traverse(srv_machine *machine, const srv_traversal *traversals, int count,
                    srv_timing *timings, servet_error *error)
{
    (void)machine, (void)error, (void)count;
    double ns = 100.0 * traversals->node;
    assert_true(traversals->bytes >= node.largest_bytes);
    assert_true(fmod(traversals->bytes, traversals->line_bytes) == 0);
    *timings = (srv_timing){ns, {ns, ns, ns, ns, 100}, 1, 2, 0, 1};
    return fails() ? SERVET_EMACHINE : SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    (void)machine;
    return node.seconds;
}

static int prepare(void **state)
{
    static const srv_machine_ops ops = {.stream = stream, .traverse = traverse, .elapsed = elapsed};
    (void)state;
    memset(&node, 0, sizeof node);
    node.machine.ops = &ops;
    node.total = 1e15;
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        node.alone[i] = (i + 1) * 1e9;
    for (int i = 0; i < CORES_MAX; i++)
        cores[i] = 1000 + i;
    return 0;
}

static srv_memory_plan plan_of(int count)
{
    return (srv_memory_plan){.cores = cores,
                             .count = count,
                             .kernel = SERVET_KERNEL_COPY,
                             .bytes = 64e6,
                             .line_bytes = 64,
                             .memory_bytes = 1e9,
                             .sampler = {.machine = &node.machine, .deadline.at = INFINITY}};
}

/* --- alone ------------------------------------------------------------------------------------ */

TEST_EACH(prepare, NULL)

TEST(every_kernel_is_measured)
{
    srv_memory_plan plan = plan_of(1);
    srv_spread rates[SERVET_KERNEL_COUNT];
    node.alone[SERVET_KERNEL_COPY_NT] = 0;
    node.slow_visit = 1; /* one copy of three is slow: the other two count */
    servet_error error = SERVET_ERROR_INIT;
    assert_ok(srv_bench_kernels(&plan, 0, rates, &error));
    assert_ok(error.code);
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++) {
        assert_int_equal(rates[i].n, i == SERVET_KERNEL_COPY_NT ? 0 : 100);
        if (rates[i].n)
            assert_float_equal(rates[i].median, (i + 1) * 1e9, 1);
    }
}

TEST(the_deadline_leaves_kernels_unmeasured)
{
    srv_memory_plan plan = plan_of(1);
    srv_spread rates[SERVET_KERNEL_COUNT];
    plan.sampler.deadline.at = 0.25;
    assert_ok(srv_bench_kernels(&plan, 0, rates, NULL));
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++) {
        bool is_first = i == SERVET_KERNEL_COPY || i == SERVET_KERNEL_COPY_NT || i == 0;
        assert_int_equal(rates[i].n, is_first ? 100 : 0);
    }
}

/* If only one of two copies were measured, it would be used as the better one. */
TEST(both_copies_are_measured_or_none)
{
    srv_memory_plan plan = plan_of(1);
    srv_spread rates[SERVET_KERNEL_COUNT];
    plan.sampler.deadline.at = 0.05;
    assert_ok(srv_bench_kernels(&plan, 0, rates, NULL));
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        assert_int_equal(rates[i].n, 0);
}

static int end_at_once(void *context, const char *what, double done)
{
    (void)context, (void)what, (void)done;
    return 1;
}

TEST(errors_and_the_caller_end_the_benchmark)
{
    srv_memory_plan plan = plan_of(4);
    srv_spread rates[SERVET_KERNEL_COUNT];
    srv_scaling points[SRV_SCALING_MAX];
    srv_remote remotes[4];
    int count, near[2] = {1000, 1001}, places[4] = {0, 1, 2, 3};
    servet_error error = SERVET_ERROR_INIT;
    node.fail_at = 2;
    assert_int_equal(srv_bench_kernels(&plan, 0, rates, &error), SERVET_EMACHINE);
    assert_string_equal(error.text, "no more");
    node.probes = 0;
    assert_int_equal(srv_bench_scaling(&plan, places, 4, 0.95, points, &count, NULL),
                     SERVET_EMACHINE);
    node.probes = 0;
    assert_int_equal(srv_bench_remotes(&plan, near, 2, remotes, NULL), SERVET_EMACHINE);
    plan.sampler.progress = end_at_once;
    assert_int_equal(srv_bench_kernels(&plan, 0, rates, NULL), SERVET_EINTERRUPTED);
    assert_int_equal(srv_bench_scaling(&plan, places, 4, 0.95, points, &count, NULL),
                     SERVET_EINTERRUPTED);
    assert_int_equal(srv_bench_remotes(&plan, near, 2, remotes, NULL), SERVET_EINTERRUPTED);
}

/* --- growing numbers of cores ----------------------------------------------------------------- */

/* Measures `n` cores whose memory has the bandwidth of `served` cores. Returns the number of
 * points. */
static int curve(int n, double served, srv_scaling points[SRV_SCALING_MAX])
{
    srv_memory_plan plan = plan_of(n);
    int count, places[CORES_MAX];
    for (int i = 0; i < n; i++)
        places[i] = i;
    node.total = served * node.alone[SERVET_KERNEL_COPY];
    assert_ok(srv_bench_scaling(&plan, places, n, 0.95, points, &count, NULL));
    return count;
}

TEST(numbers_of_cores_grow_by_steps)
{
    srv_scaling points[SRV_SCALING_MAX];
    int count = curve(40, 1, points);
    const int expected[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40};
    assert_int_equal(count, sizeof expected / sizeof *expected);
    for (int i = 0; i < count; i++) {
        assert_int_equal(points[i].cores, expected[i]);
        assert_float_equal(points[i].each * expected[i], 3e9, 10);
        assert_float_equal(points[i].low, 0.9 * points[i].each, 10);
        assert_float_equal(points[i].high, 1.1 * points[i].each, 10);
    }
}

/* The smallest number that gets 95 %, and the one before it, are both among the points. */
TEST(the_saturation_point_is_narrowed_down)
{
    for (double served = 1.5; served < 100; served += 3) {
        srv_scaling points[SRV_SCALING_MAX];
        prepare(NULL);
        int count = curve(100, served, points), smallest = (int)ceil(0.95 * served), seen = 0;
        for (int i = 0; i < count; i++) {
            assert_true(i == 0 || points[i].cores > points[i - 1].cores);
            seen += points[i].cores == smallest || points[i].cores == smallest - 1;
        }
        assert_int_equal(seen, smallest > 1 ? 2 : 1);
        assert_int_equal(points[count - 1].cores, 100);
    }
}

TEST(arrays_shrink_to_fit_the_memory)
{
    srv_scaling points[SRV_SCALING_MAX];
    curve(2, 2, points);
    assert_float_equal(node.largest_bytes, 64e6, 0);
    prepare(NULL);
    srv_memory_plan plan = plan_of(100);
    int places[100];
    srv_spread rates[100];
    for (int i = 0; i < 100; i++)
        places[i] = i;
    assert_ok(srv_memory_together(&plan, places, 100, rates, NULL));
    assert_float_equal(node.largest_bytes, 1e7, 1e-3);
}

TEST(the_deadline_cuts_the_curve)
{
    srv_memory_plan plan = plan_of(8);
    srv_scaling points[SRV_SCALING_MAX];
    int count, places[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    plan.sampler.deadline.at = 0.25;
    assert_ok(srv_bench_scaling(&plan, places, 8, 0.95, points, &count, NULL));
    assert_int_equal(count, 3);
}

/* --- the order -------------------------------------------------------------------------------- */

/* Two NUMA nodes with two pairs each: 0-1 and 2-3 on node 0, 4-5 and 6-7 on node 1. */
TEST(contending_cores_are_added_last)
{
    srv_contention pairs[] = {
        {0, 1, 0.5, 0, 0, 0}, {2, 3, 0.5, 0, 0, 0}, {4, 5, 0.5, 0, 0, 0}, {6, 7, 0.5, 0, 0, 0}};
    const srv_contentions found = {pairs, 4, 0, 0};
    const int numbers[] = {8, 9, 10, 11, 12, 13, 14, 15}, expected[] = {0, 4, 2, 6, 1, 5, 3, 7};
    char first[] = "8-11", second[] = "12-15", *nodes[] = {first, second};
    const srv_neighbours near = {numbers, {nodes, 2}};
    int places[] = {0, 1, 2, 3, 4, 5, 6, 7};
    assert_ok(srv_scaling_order(&found, &near, places, 8, NULL));
    assert_memory_equal(places, expected, sizeof expected);
    int part[] = {1, 2, 3};
    assert_ok(srv_scaling_order(&found, &near, part, 3, NULL));
    assert_memory_equal(part, ((int[]){1, 2, 3}), sizeof part);
}

/* Two NUMA nodes with two caches each; three cores share a cache and do not contend. */
TEST(cores_of_one_cache_are_added_last)
{
    const srv_contentions found = {0};
    const int numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const int expected[] = {0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11};
    char a[] = "0-5", b[] = "6-11", c[] = "0-2", d[] = "3-5", e[] = "6-8", f[] = "9-11";
    char *sets[] = {a, b, c, d, e, f};
    const srv_neighbours near = {numbers, {sets, 6}};
    int places[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    assert_ok(srv_scaling_order(&found, &near, places, 12, NULL));
    assert_memory_equal(places, expected, sizeof expected);
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

TEST(each_core_reads_memory_of_each_node)
{
    srv_memory_plan plan = plan_of(2);
    const int near[3] = {1000, -1, 1001};
    srv_remote remotes[9];
    assert_ok(srv_bench_remotes(&plan, near, 3, remotes, NULL));
    for (int i = 0; i < 9; i++) {
        assert_int_equal(remotes[i].bandwidth.n, i / 3 == 1 ? 0 : 100);
        assert_int_equal(remotes[i].latency.n, i / 3 == 1 ? 0 : 100);
        if (i / 3 != 1) {
            assert_float_equal(remotes[i].latency.median, 100.0 * (i % 3 + 1), 0);
            assert_float_equal(remotes[i].bandwidth.median, 1e9 / (i % 3 + 1), 1);
        }
    }
}

/* A container may forbid the choice of NUMA nodes, and a cpuset may not contain all of them. */
TEST(memory_that_is_refused_stays_unmeasured)
{
    srv_memory_plan plan = plan_of(2);
    const int near[2] = {1000, 1001};
    srv_remote remotes[4];
    servet_error error = SERVET_ERROR_INIT;
    node.refused_node = 2;
    assert_ok(srv_bench_remotes(&plan, near, 2, remotes, &error));
    assert_ok(error.code);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(remotes[i].bandwidth.n, i % 2 ? 0 : 100);
        assert_int_equal(remotes[i].latency.n, i % 2 ? 0 : 100);
    }
}

TEST(the_deadline_leaves_nodes_unmeasured)
{
    srv_memory_plan plan = plan_of(2);
    const int near[2] = {1000, 1001};
    srv_remote remotes[4];
    plan.sampler.deadline.at = 0.15;
    assert_ok(srv_bench_remotes(&plan, near, 2, remotes, NULL));
    for (int i = 0; i < 4; i++)
        assert_int_equal(remotes[i].latency.n, i < 1 ? 100 : 0);
}
