/* SPDX-License-Identifier: BSD-3-Clause */
/* Times against sizes of a pair whose latency and bandwidth are known: 50 us and 12.5 MB/s. */
#include "test.h"

#include "facts/messages/benchmark.h"
#include "sample_cluster.h"

static watched_network watched;
static srv_sizes sizes;

static srv_sizes_plan of_two_nodes(double largest)
{
    watch_model(&watched, sample_cluster(2, 1), NULL, 2);
    return (srv_sizes_plan){
        {.sampler = {.network = &watched.network, .deadline.at = INFINITY}}, {0, 1}, largest};
}

static void measure(const srv_sizes_plan *plan)
{
    assert_ok(srv_bench_sizes(plan, &sizes, NULL));
}

static void is_right(void)
{
    for (int i = 0; i < sizes.count; i++) {
        double truth = 50e-6 + sizes.size[i].bytes / SAMPLE_LINK;
        assert_float_equal(sizes.size[i].time.value / truth, 1, 1e-9);
        assert_true(i == 0 || sizes.size[i].bytes > sizes.size[i - 1].bytes);
    }
}

TEST(two_sizes_a_power_of_two)
{
    const double expected[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40};
    srv_sizes_plan plan = of_two_nodes(40);
    measure(&plan);
    assert_int_equal(sizes.count, 11);
    for (int i = 0; i < 11; i++)
        assert_true(sizes.size[i].bytes == expected[i]);
    is_right();
}

/* A size of few visits, half of which were disturbed, says so by its interval. */
TEST(rare_disturbances_do_not_change_the_median)
{
    srv_sizes_plan plan = of_two_nodes(1 << 16);
    int right = 0;
    watched.slow_percent = 10;
    measure(&plan);
    assert_int_equal(sizes.count, 32);
    for (int i = 0; i < sizes.count; i++) {
        double truth = 50e-6 + sizes.size[i].bytes / SAMPLE_LINK;
        right += fabs(sizes.size[i].time.value / truth - 1) < 1e-9;
        assert_true(sizes.size[i].time.low <= 1.000001 * truth &&
                    truth <= 1.000001 * sizes.size[i].time.high);
    }
    assert_true(right >= 29);
}

/* Twice as long in every second stretch of 0.7 s: what a size is in one visit it is in its
 * neighbours, and of visits that are seconds apart some were so and some so. */
TEST(a_pair_that_changes_shows_two_modes)
{
    srv_sizes_plan plan = of_two_nodes(4096);
    servet_modes modes;
    int two = 0;
    watched.changes_every = 0.7;
    measure(&plan);
    for (int i = 0; i < sizes.count; i++) {
        double truth = 50e-6 + sizes.size[i].bytes / SAMPLE_LINK;
        srv_repeats_modes(sizes.size[i].visit, sizes.size[i].visits, &modes);
        if (modes.count < 2)
            continue;
        two++;
        assert_float_equal(modes.value[0] / truth, 1, 1e-6);
        assert_float_equal(modes.value[1] / truth, 2, 1e-6);
        assert_true(sizes.size[i].time.low <= 1.001 * truth &&
                    sizes.size[i].time.high >= 1.999 * truth);
    }
    assert_true(two >= sizes.count / 2);
}

TEST(sizes_are_added_in_between)
{
    srv_sizes_plan plan = of_two_nodes(64);
    int place;
    measure(&plan);
    int count = sizes.count;
    assert_ok(srv_bench_sizes_add(&plan, 20, &sizes, &place, NULL));
    assert_true(place > 0 && sizes.size[place].bytes == 20 && sizes.count == count + 1);
    assert_ok(srv_bench_sizes_add(&plan, 20, &sizes, &place, NULL));
    assert_true(place == -1 && sizes.count == count + 1);
    is_right();
}

/* A message of 32 MiB takes 2.7 s, and eight of them go. */
TEST(large_sizes_are_left_out_when_time_is_short)
{
    srv_sizes_plan plan = of_two_nodes(1 << 25);
    plan.messaging.sampler.deadline.at = 10;
    measure(&plan);
    assert_true(sizes.count > 20 && sizes.size[sizes.count - 1].bytes < 1 << 25);
    assert_true(watched.network.ops->elapsed(&watched.network) < 12);
    is_right();
}

TEST(a_hang_ends_it)
{
    srv_sizes_plan plan = of_two_nodes(64);
    watched.hangs_at = 5;
    assert_int_equal(srv_bench_sizes(&plan, &sizes, NULL), SERVET_ECOMMUNICATION);
    assert_int_equal(sizes.count, 4);
    is_right();
}
