/* SPDX-License-Identifier: BSD-3-Clause */
/* Times against sizes of a pair whose latency and bandwidth are known: 50 us and 12.5 MB/s. */
#include "test.h"

#include <math.h>

#include "facts/messages/benchmark.h"
#include "sim/messages.h"
#include "sample_cluster.h"

static watched_network watched;
static srv_sizes sizes;

static srv_sizes_plan of_two_nodes(double largest)
{
    srv_network *network;
    assert_int_equal(srv_messages_from(&network, sample_cluster(2, 1), NULL, 2, NULL), SERVET_OK);
    watch_network(&watched, network);
    return (srv_sizes_plan){
        {.sampler = {.network = &watched.network, .deadline.at = INFINITY}}, {0, 1}, largest};
}

static void measure(const srv_sizes_plan *plan)
{
    assert_int_equal(srv_bench_sizes(plan, &sizes, NULL), SERVET_OK);
}

static void is_right(void)
{
    for (int i = 0; i < sizes.count; i++) {
        double truth = 50e-6 + sizes.size[i].bytes / SAMPLE_LINK;
        assert_float_equal(sizes.size[i].time.value / truth, 1, 1e-9);
        assert_true(i == 0 || sizes.size[i].bytes > sizes.size[i - 1].bytes);
    }
}

static void two_sizes_a_power_of_two(void **state)
{
    (void)state;
    const double expected[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40};
    srv_sizes_plan plan = of_two_nodes(40);
    measure(&plan);
    assert_int_equal(sizes.count, 11);
    for (int i = 0; i < 11; i++)
        assert_true(sizes.size[i].bytes == expected[i]);
    is_right();
    srv_network_destroy(&watched.network);
}

/* A size of few visits, half of which were disturbed, says so by its interval. */
static void rare_disturbances_do_not_change_the_median(void **state)
{
    (void)state;
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
    srv_network_destroy(&watched.network);
}

/* Twice as long in every second stretch of 0.7 s: what a size is in one visit it is in its
 * neighbours, and of visits that are seconds apart some were so and some so. */
static void a_pair_that_changes_shows_two_modes(void **state)
{
    (void)state;
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
    srv_network_destroy(&watched.network);
}

static void sizes_are_added_in_between(void **state)
{
    (void)state;
    srv_sizes_plan plan = of_two_nodes(64);
    int place;
    measure(&plan);
    int count = sizes.count;
    assert_int_equal(srv_bench_sizes_add(&plan, 20, &sizes, &place, NULL), SERVET_OK);
    assert_true(place > 0 && sizes.size[place].bytes == 20 && sizes.count == count + 1);
    assert_int_equal(srv_bench_sizes_add(&plan, 20, &sizes, &place, NULL), SERVET_OK);
    assert_true(place == -1 && sizes.count == count + 1);
    is_right();
    srv_network_destroy(&watched.network);
}

/* A message of 32 MiB takes 2.7 s, and eight of them go. */
static void large_sizes_are_left_out_when_time_is_short(void **state)
{
    (void)state;
    srv_sizes_plan plan = of_two_nodes(1 << 25);
    plan.messaging.sampler.deadline.at = 10;
    measure(&plan);
    assert_true(sizes.count > 20 && sizes.size[sizes.count - 1].bytes < 1 << 25);
    assert_true(watched.network.ops->elapsed(&watched.network) < 12);
    is_right();
    srv_network_destroy(&watched.network);
}

static void a_hang_ends_it(void **state)
{
    (void)state;
    srv_sizes_plan plan = of_two_nodes(64);
    watched.hangs_at = 5;
    assert_int_equal(srv_bench_sizes(&plan, &sizes, NULL), SERVET_ECOMMUNICATION);
    assert_int_equal(sizes.count, 4);
    is_right();
    srv_network_destroy(&watched.network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sizes_a_power_of_two),
        cmocka_unit_test(rare_disturbances_do_not_change_the_median),
        cmocka_unit_test(a_pair_that_changes_shows_two_modes),
        cmocka_unit_test(sizes_are_added_in_between),
        cmocka_unit_test(large_sizes_are_left_out_when_time_is_short),
        cmocka_unit_test(a_hang_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
