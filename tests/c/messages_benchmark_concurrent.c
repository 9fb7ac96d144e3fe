/* SPDX-License-Identifier: BSD-3-Clause */
/* More and more messages over interfaces of 12.5 MB/s: n of 1250 bytes take 50 us and n / 2 times
 * 100 us, for both ways are whole, but one alone. */
#include "test.h"

#include "facts/messages/benchmark.h"
#include "sample_cluster.h"

static watched_network watched;
static srv_concurrent_point points[2 * SRV_CONCURRENT_NUMBERS_MAX];
static int count;
static srv_rank_pair pairs[6];
static const double both_sizes[] = {1250, 12500};

static srv_concurrent_plan of_six_pairs(void)
{
    srv_model *model = sample_cluster(2, 6);
    model->network.nic_bytes_per_second = SAMPLE_LINK;
    watch_model(&watched, model, NULL, 12);
    for (int i = 0; i < 6; i++)
        pairs[i] = (srv_rank_pair){i, 6 + i};
    return (srv_concurrent_plan){
        {.sampler = {.network = &watched.network, .deadline.at = INFINITY}},
        pairs,
        6,
        both_sizes,
        2};
}

static void is_right(void)
{
    static const int numbers[] = {1, 2, 4, 8, 12};
    assert_int_equal(count, 10);
    for (int i = 0; i < 10; i++) {
        int messages = numbers[i % 5], same_way = messages > 1 ? messages / 2 : 1;
        double bytes = both_sizes[i / 5];
        assert_int_equal(points[i].messages, messages);
        assert_true(points[i].bytes == bytes);
        assert_float_equal(points[i].seconds / (50e-6 + same_way * bytes / SAMPLE_LINK), 1, 1e-9);
        assert_true(points[i].low <= points[i].seconds && points[i].seconds <= points[i].high);
    }
}

TEST(numbers_double_up_to_all)
{
    srv_concurrent_plan plan = of_six_pairs();
    assert_ok(srv_bench_concurrent(&plan, points, &count, NULL));
    is_right();
}

/* Every 13th: none of them is the last number of a size, which no larger one shows to be wrong. */
TEST(disturbed_messages_are_probed_again)
{
    for (int first = 0; first < 4; first++) {
        srv_concurrent_plan plan = of_six_pairs();
        watched.slow_every = 13;
        watched.passes = 12 - first;
        assert_ok(srv_bench_concurrent(&plan, points, &count, NULL));
        is_right();
    }
}

static int spoilt; /* how often a rank loses its core to others */

/* A way that only all messages have. */
static double time_slice(const srv_rank_pair *pair, double seconds)
{
    (void)seconds;
    return pair->from == 11 && spoilt-- > 0 ? 5000 : 1;
}

/* There is no larger number that could show that the last one was disturbed. */
TEST(a_time_slice_lost_among_all_messages_is_probed_again)
{
    srv_concurrent_plan plan = of_six_pairs();
    watched.load = time_slice;
    spoilt = 2;
    assert_ok(srv_bench_concurrent(&plan, points, &count, NULL));
    is_right();
    for (int i = 0; i < count; i++)
        assert_true(points[i].supported);
}

TEST(what_stays_far_beyond_fewer_messages_has_no_support)
{
    srv_concurrent_plan plan = of_six_pairs();
    watched.load = time_slice;
    spoilt = 1000;
    assert_ok(srv_bench_concurrent(&plan, points, &count, NULL));
    for (int i = 0; i < count; i++)
        assert_int_equal(points[i].supported, points[i].messages < 12);
}

TEST(messages_without_time_are_left_out)
{
    srv_concurrent_plan plan = of_six_pairs();
    plan.messaging.sampler.deadline.at = 0.05;
    assert_ok(srv_bench_concurrent(&plan, points, &count, NULL));
    assert_true(count >= 1 && count < 10);
    assert_true(watched.network.ops->elapsed(&watched.network) < 0.1);
}

TEST(a_hang_ends_it)
{
    srv_concurrent_plan plan = of_six_pairs();
    watched.hangs_at = 3;
    assert_int_equal(srv_bench_concurrent(&plan, points, &count, NULL), SERVET_ECOMMUNICATION);
    assert_int_equal(count, 2);
}
