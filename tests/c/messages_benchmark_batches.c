/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches between a pair whose latency and bandwidth are known: 1 us, which is the gap, too, and
 * 4 GB/s within a node, 50 us and 12.5 MB/s between two. */
#include "test.h"

#include "facts/messages/benchmark.h"
#include "sample_cluster.h"

static watched_network watched;
static srv_batches batches;

static srv_batches_plan of(srv_model *model)
{
    watch_model(&watched, model, NULL, 2);
    return (srv_batches_plan){{.sampler = {.network = &watched.network, .deadline.at = INFINITY}},
                              {0, 1}};
}

static srv_batches_plan of_two_nodes(void)
{
    return of(sample_cluster(2, 1));
}

static srv_batches_plan of_a_node(void)
{
    return of(sample_cluster(1, 2));
}

static double as_one(const srv_batch_point *point)
{
    return 1e-6 + point->messages * point->bytes / 4e9;
}

static double apart(const srv_batch_point *point)
{
    double bytes = point->bytes / 4e9;
    return 1e-6 + bytes + (point->messages - 1) * fmax(1e-6, bytes);
}

/* A message of more than 60 KiB takes 5 ms. */
TEST(sizes_grow_up_to_messages_of_milliseconds)
{
    static const struct {
        int messages, step;
        double largest;
    } series[] = {{2, 2, 32768}, {8, 4, 8192}, {32, 4, 2048}, {128, 4, 512}};
    srv_batches_plan plan = of_two_nodes();
    int at = 0;
    assert_ok(srv_bench_batches(&plan, &batches, NULL));
    for (int i = 0; i < 4; i++)
        for (double bytes = 8; bytes <= series[i].largest; bytes *= series[i].step, at++) {
            assert_int_equal(batches.point[at].messages, series[i].messages);
            assert_true(batches.point[at].bytes == bytes);
        }
    assert_int_equal(batches.count, at);
}

TEST(all_three_ways_are_timed)
{
    srv_batches_plan plan = of_a_node();
    assert_ok(srv_bench_batches(&plan, &batches, NULL));
    for (int i = 0; i < batches.count; i++) {
        const srv_batch_point *point = &batches.point[i];
        const double *seconds = point->visit[0].seconds;
        assert_float_equal(seconds[SRV_BATCH_IN_TURN] / apart(point), 1, 1e-9);
        assert_float_equal(seconds[SRV_BATCH_AT_ONCE] / apart(point), 1, 1e-9);
        assert_float_equal(seconds[SRV_BATCH_AS_ONE] / as_one(point), 1, 1e-9);
        assert_float_equal(srv_batch_gain(&point->visit[0]) * as_one(point) / apart(point), 1,
                           1e-9);
    }
}

/* Without noise all is clear after six visits: two of 4 KB take as long as one of 8. Where two
 * probes of five take five times as long, much is not. */
TEST(unclear_batches_get_more_visits)
{
    srv_batches_plan plan = of_a_node();
    int more = 0;
    assert_ok(srv_bench_batches(&plan, &batches, NULL));
    for (int i = 0; i < batches.count; i++)
        assert_int_equal(batches.point[i].visits, 6);
    plan = of_a_node();
    watched.slow_percent = 40;
    assert_ok(srv_bench_batches(&plan, &batches, NULL));
    for (int i = 0; i < batches.count; i++)
        more += batches.point[i].visits > 6;
    assert_true(more > batches.count / 4);
}

/* One probe in ten takes five times as long. */
TEST(disturbed_visits_are_outvoted)
{
    srv_batches_plan plan = of_a_node();
    int right = 0;
    watched.slow_percent = 10;
    assert_ok(srv_bench_batches(&plan, &batches, NULL));
    for (int i = 0; i < batches.count; i++) {
        double truth = apart(&batches.point[i]) / as_one(&batches.point[i]);
        srv_interval gain = srv_batch_gains(&batches.point[i]);
        right += fabs(gain.value / truth - 1) < 1e-9;
        assert_true(gain.low <= 1.000001 * truth && truth <= 1.000001 * gain.high);
    }
    assert_true(right >= 0.9 * batches.count);
}

TEST(batches_are_added_in_between)
{
    srv_batches_plan plan = of_a_node();
    assert_ok(srv_bench_batches(&plan, &batches, NULL));
    int count = batches.count;
    assert_ok(srv_bench_batches_add(&plan, 2, 16, &batches, NULL));
    assert_int_equal(batches.count, count); /* it is there */
    assert_ok(srv_bench_batches_add(&plan, 2, 11, &batches, NULL));
    assert_int_equal(batches.count, count + 1);
    assert_true(batches.point[0].bytes == 8 && batches.point[1].bytes == 11 &&
                batches.point[2].bytes == 16);
    assert_int_equal(batches.point[1].visits, 6);
    assert_float_equal(batches.point[1].visit[5].seconds[SRV_BATCH_AS_ONE], 1e-6 + 22 / 4e9, 1e-15);
}

TEST(a_deadline_leaves_batches_out)
{
    srv_batches_plan plan = of_a_node();
    plan.messaging.sampler.deadline.at = 0.2;
    assert_ok(srv_bench_batches(&plan, &batches, NULL));
    assert_in_range(batches.count, 1, 36);
    for (int i = 0; i < batches.count; i++)
        assert_in_range(batches.point[i].visits, 1, 2);
    assert_true(watched.network.ops->elapsed(&watched.network) < 0.25);
    int count = batches.count;
    plan.messaging.sampler.deadline.at = 1e-9;
    assert_ok(srv_bench_batches_add(&plan, 2, 11, &batches, NULL));
    assert_int_equal(batches.count, count);
}

TEST(a_hang_ends_it)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_batches_plan plan = of_a_node();
    watched.hangs_at = 20;
    assert_int_equal(srv_bench_batches(&plan, &batches, &error), SERVET_ECOMMUNICATION);
    assert_string_equal(error.text, "ranks 0 and 1 hang");
}
