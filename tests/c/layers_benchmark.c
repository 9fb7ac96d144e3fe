/* SPDX-License-Identifier: BSD-3-Clause */
/* All pairs are measured, as many at once as do not disturb each other. */
#include "test.h"

#include "facts/layers/benchmark.h"
#include "sample_cluster.h"

enum { THINGS_MAX = 64 };

static watched_network watched;
static int ranks[THINGS_MAX];

/* One rank on each of `count` nodes. */
static srv_pairwise_plan of_nodes(srv_model *model, int count)
{
    srv_rank at[THINGS_MAX];
    for (int i = 0; i < count; i++) {
        at[i] = (srv_rank){i, 0};
        ranks[i] = i;
    }
    watch_model(&watched, model, at, count);
    return (srv_pairwise_plan){
        .messaging = {.sampler = {.network = &watched.network, .deadline.at = INFINITY}},
        .ranks = ranks,
        .count = count,
        .copies = 1,
        .bytes = 12500};
}

TEST_KEEPS_VALUE(srv_pairwise_latencies, srv_pairwise_finish)

static srv_pairwise_latencies measured(const srv_pairwise_plan *plan)
{
    srv_pairwise_latencies latencies;
    assert_ok(srv_bench_pairwise(plan, &latencies, NULL));
    return keep_srv_pairwise_latencies(latencies);
}

/* A message of 12500 bytes takes 1050 us on a link that no one shares. */
static void all_take(const srv_pairwise_latencies *latencies, double seconds)
{
    for (int i = 0; i < latencies->count; i++)
        for (int j = 0; j < latencies->count; j++) {
            double own = latencies->seconds[i * latencies->count + j];
            assert_float_equal(own / seconds, i == j ? 0 : 1, 1e-9);
        }
}

/* Rounds, not pairs: 2016 pairs of 64 nodes in two sweeps of 63 rounds and a few probes more. */
TEST(undisturbed_pairs_go_at_once)
{
    const int counts[] = {2, 3, 9, 64};
    for (int i = 0; i < 4; i++) {
        srv_pairwise_plan plan = of_nodes(sample_cluster(64, 1), counts[i]);
        srv_pairwise_latencies latencies = measured(&plan);
        assert_int_equal(latencies.count, counts[i]);
        assert_int_equal(latencies.at_once, counts[i] / 2);
        assert_int_equal(watched.most_pairs, counts[i] / 2);
        assert_true(watched.passes <= 2 * counts[i] + 40);
        all_take(&latencies, 1050e-6);
    }
}

/* Everything goes over one medium that one message fills. */
TEST(disturbed_pairs_go_alone)
{
    srv_model *model = sample_cluster(12, 1);
    model->layer[1].shared_bytes_per_second = SAMPLE_LINK;
    srv_pairwise_plan plan = of_nodes(model, 12);
    srv_pairwise_latencies latencies = measured(&plan);
    assert_int_equal(latencies.at_once, 1);
    all_take(&latencies, 1050e-6);
}

/* On a ring, a message to a far node shares links with many others; alone, it has the bandwidth of
 * a message to a near node. */
TEST(far_pairs_are_not_slower_for_the_others)
{
    srv_pairwise_plan plan = of_nodes(sample_ring(16, 1), 16);
    srv_pairwise_latencies latencies = measured(&plan);
    int wrong = 0;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < i; j++)
            wrong += latencies.seconds[i * 16 + j] > 1.15 * 1050e-6;
    assert_true(wrong <= 16 * 15 / 2 / 8);
}

TEST(copies_answer_for_each_other)
{
    int all[40];
    for (int i = 0; i < 40; i++)
        all[i] = i;
    watch_model(&watched, sample_cluster(10, 4), NULL, 40);
    srv_pairwise_plan plan = {
        .messaging = {.sampler = {.network = &watched.network, .deadline.at = INFINITY}},
        .ranks = all,
        .count = 4,
        .copies = 10,
        .bytes = 4000};
    srv_pairwise_latencies latencies = measured(&plan);
    assert_int_equal(watched.most_pairs, 20);
    all_take(&latencies, 2e-6);
}

TEST(pairs_without_time_are_left_out)
{
    srv_pairwise_plan plan = of_nodes(sample_cluster(64, 1), 64);
    plan.messaging.sampler.deadline.at = 1;
    srv_pairwise_latencies latencies = measured(&plan);
    assert_true(latencies.count >= 2 && latencies.count < 64);
    assert_int_equal(latencies.things[0], 0);
    assert_int_equal(latencies.things[latencies.count - 1], 63);
    assert_true(watched.network.ops->elapsed(&watched.network) < 1.2);
    all_take(&latencies, 1050e-6);
}

TEST(one_thing_has_no_pair)
{
    srv_pairwise_plan plan = of_nodes(sample_cluster(2, 1), 1);
    srv_pairwise_latencies latencies = measured(&plan);
    assert_int_equal(latencies.count, 1);
    assert_int_equal(watched.passes, 0);
}

TEST(a_pair_that_hangs_ends_it)
{
    srv_pairwise_plan plan = of_nodes(sample_cluster(9, 1), 9);
    for (int at = 1; at < 60; at += 7) {
        srv_pairwise_latencies latencies;
        watched.passes = 0;
        watched.hangs_at = at;
        int code = srv_bench_pairwise(&plan, &latencies, NULL);
        assert_int_equal(code, at <= watched.passes ? SERVET_ECOMMUNICATION : SERVET_OK);
        srv_pairwise_finish(&latencies);
    }
}

static int cancel(void *context, const char *what, double done)
{
    (void)context;
    (void)what;
    return done > 0.5;
}

TEST(a_watch_may_end_it)
{
    srv_pairwise_plan plan = of_nodes(sample_cluster(9, 1), 9);
    srv_pairwise_latencies latencies;
    plan.messaging.sampler.progress = cancel;
    assert_int_equal(srv_bench_pairwise(&plan, &latencies, NULL), SERVET_EINTERRUPTED);
}
