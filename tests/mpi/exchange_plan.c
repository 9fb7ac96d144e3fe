/* SPDX-License-Identifier: BSD-3-Clause */
/** The plan of an exchange and the evaluation of its samples; needs no launcher. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/ranks/exchange_plan.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static srv_exchange exchange_of(const srv_rank_pair *pairs, int count, srv_flow flow)
{
    return (srv_exchange){pairs, count, 8, flow, SRV_BUFFERS_WARM, 0.1};
}

static void refuse(const srv_rank_pair *pairs, int count, srv_flow flow)
{
    srv_exchange_plan plan;
    srv_exchange exchange = exchange_of(pairs, count, flow);
    assert_int_equal(srv_exchange_plan_init(&plan, &exchange, 4, NULL), SERVET_EARGUMENT);
}

static void a_rank_is_in_one_ping_pong(void **state)
{
    (void)state;
    static const srv_rank_pair pairs[] = {{0, 1}, {1, 2}}, with_itself[] = {{2, 2}};
    static const srv_rank_pair none[] = {{0, 4}}, both_ways[] = {{0, 1}, {1, 0}};
    refuse(pairs, 2, SRV_FLOW_PING_PONG);
    refuse(both_ways, 2, SRV_FLOW_PING_PONG);
    refuse(with_itself, 1, SRV_FLOW_ONE_WAY);
    refuse(none, 1, SRV_FLOW_PING_PONG);
    refuse(pairs, 0, SRV_FLOW_ONE_WAY);
}

static void a_rank_sends_to_one_and_receives_from_one(void **state)
{
    (void)state;
    static const srv_rank_pair ring[] = {{0, 1}, {1, 2}, {2, 0}};
    static const srv_rank_pair fan_out[] = {{0, 1}, {0, 2}}, fan_in[] = {{0, 2}, {1, 2}};
    srv_exchange_plan plan;
    srv_exchange exchange = exchange_of(ring, COUNT(ring), SRV_FLOW_ONE_WAY);
    assert_int_equal(srv_exchange_plan_init(&plan, &exchange, 4, NULL), SERVET_OK);
    assert_int_equal(plan.count, 3);
    assert_int_equal(plan.part[1].to, 2);
    assert_int_equal(plan.part[1].from, 0);
    assert_int_equal(plan.part[3].to, SRV_NO_RANK);
    srv_exchange_plan_finish(&plan);
    refuse(fan_out, 2, SRV_FLOW_ONE_WAY);
    refuse(fan_in, 2, SRV_FLOW_ONE_WAY);
}

static void groups_of_ranks_do_a_collective_operation(void **state)
{
    (void)state;
    static const srv_rank_pair groups[] = {{2, 2}, {2, 0}, {1, 1}, {1, 3}};
    static const srv_rank_pair no_root[] = {{0, 1}, {0, 0}}, twice[] = {{0, 0}, {0, 1}, {1, 1}};
    const srv_flow alltoall = (srv_flow)(SRV_FLOW_COLLECTIVE + SERVET_COLLECTIVE_ALLTOALL);
    srv_exchange_plan plan;
    srv_exchange exchange = exchange_of(groups, COUNT(groups), alltoall);
    assert_int_equal(srv_exchange_plan_init(&plan, &exchange, 5, NULL), SERVET_OK);
    assert_int_equal(plan.count, 4);
    assert_int_equal(plan.part[3].from, 1);
    assert_int_equal(plan.part[3].members, 2);
    assert_int_equal(plan.part[3].blocks, 2);
    assert_int_equal(plan.member[plan.part[3].group], 1);
    assert_int_equal(plan.member[plan.part[3].group + 1], 3);
    assert_int_equal(plan.timed[3], 3);
    assert_int_equal(plan.part[4].members, 0);
    srv_exchange_plan_finish(&plan);
    refuse(no_root, 2, alltoall);
    refuse(twice, 3, alltoall);
}

/* 256 KiB are 4 batches of 8 messages of 8 KiB; of small messages 32, of 128 at once a batch. */
static void batches_warm_up_as_messages_do(void **state)
{
    (void)state;
    static const srv_rank_pair pair[] = {{0, 1}};
    static const struct {
        int batch;
        double bytes;
        int parts, warm_up;
    } cases[] = {{0, 8192, 1, 32}, {8, 8192, 8, 4}, {8, 8, 8, 4}, {128, 8, 128, 1}};
    for (int i = 0; i < COUNT(cases); i++) {
        srv_exchange_plan plan;
        srv_exchange exchange = exchange_of(pair, 1, SRV_FLOW_AT_ONCE);
        exchange.batch = cases[i].batch;
        exchange.bytes = cases[i].bytes;
        assert_int_equal(srv_exchange_plan_init(&plan, &exchange, 2, NULL), SERVET_OK);
        for (int rank = 0; rank < 2; rank++) {
            assert_int_equal(plan.part[rank].batch, cases[i].parts);
            assert_int_equal(plan.part[rank].warm_up, cases[i].warm_up);
        }
        srv_exchange_plan_finish(&plan);
    }
}

static void no_batch_goes_one_way(void **state)
{
    (void)state;
    static const srv_rank_pair pair[] = {{0, 1}};
    srv_exchange_plan plan;
    srv_exchange exchange = exchange_of(pair, 1, SRV_FLOW_ONE_WAY);
    exchange.batch = 2;
    assert_int_equal(srv_exchange_plan_init(&plan, &exchange, 2, NULL), SERVET_EARGUMENT);
}

static void the_time_comes_from_the_rank_that_measured_it(void **state)
{
    (void)state;
    static const srv_rank_pair pair[] = {{3, 1}};
    static const struct {
        srv_flow flow;
        int timer, other;
    } cases[] = {{SRV_FLOW_PING_PONG, 3, 1}, {SRV_FLOW_ONE_WAY, 1, 3}, {SRV_FLOW_AT_ONCE, 3, 1}};
    for (int i = 0; i < COUNT(cases); i++) {
        srv_exchange_plan plan;
        srv_exchange exchange = exchange_of(pair, 1, cases[i].flow);
        assert_int_equal(srv_exchange_plan_init(&plan, &exchange, 4, NULL), SERVET_OK);
        assert_int_equal(plan.timed[cases[i].timer], 0);
        assert_int_equal(plan.timed[cases[i].other], SRV_NO_PAIR);
        srv_exchange_plan_finish(&plan);
    }
}

/* Depth of a rank in the tree; a parent must know its child. */
static int depth_of(const srv_exchange_plan *plan, int rank)
{
    int depth = 0;
    for (int parent; (parent = plan->part[rank].parent) != SRV_NO_RANK; rank = parent, depth++)
        assert_true(plan->part[parent].child[0] == rank || plan->part[parent].child[1] == rank);
    return depth;
}

static void all_start_through_one_tree(void **state)
{
    (void)state;
    enum { PAIRS = 100, RANKS = 3 * PAIRS };
    srv_rank_pair pairs[PAIRS];
    for (int i = 0; i < PAIRS; i++)
        pairs[i] = (srv_rank_pair){3 * i, 3 * i + 2};
    srv_exchange_plan plan;
    srv_exchange exchange = exchange_of(pairs, PAIRS, SRV_FLOW_PING_PONG);
    assert_int_equal(srv_exchange_plan_init(&plan, &exchange, RANKS, NULL), SERVET_OK);
    assert_int_equal(plan.count, 2 * PAIRS);
    int roots = 0;
    for (int i = 0; i < plan.count; i++) {
        roots += plan.part[plan.participant[i]].parent == SRV_NO_RANK;
        assert_in_range(depth_of(&plan, plan.participant[i]), 0, 7); /* 200 < 2^8 */
    }
    assert_int_equal(roots, 1);
    srv_exchange_plan_finish(&plan);
}

static void repetitions_follow_from_the_time(void **state)
{
    (void)state;
    static const srv_rank_pair pair[] = {{0, 1}};
    srv_exchange_plan plan;
    srv_exchange exchange = exchange_of(pair, 1, SRV_FLOW_PING_PONG);
    exchange.seconds = 1;
    assert_int_equal(srv_exchange_plan_init(&plan, &exchange, 2, NULL), SERVET_OK);
    /* A message of 1 us: a million of them, which 32 tried ones cannot promise. */
    assert_false(srv_exchange_plan_repeat(&plan, 1e-6, 32));
    assert_true(srv_exchange_plan_messages(&plan) > 32 &&
                srv_exchange_plan_messages(&plan) <= 16 * 32);
    assert_true(srv_exchange_plan_repeat(&plan, 1e-6, 500e3));
    assert_in_range((uintmax_t)srv_exchange_plan_messages(&plan), 900000, 1000000);
    assert_int_equal(plan.part[0].messages, plan.part[1].messages);
    assert_int_equal(plan.part[0].samples, plan.part[1].samples);
    /* One of 10 s: the median still wants three. */
    assert_true(srv_exchange_plan_repeat(&plan, 10, 1));
    assert_int_equal(plan.part[0].samples, 3);
    assert_int_equal(plan.part[0].messages, 1);
    srv_exchange_plan_finish(&plan);
}

/* Two pairs with 100 samples; the slow one takes 2 s a message, and 1 s once it is alone. */
static void samples_count_while_all_pairs_exchange_messages(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    double samples[2 * SRV_EXCHANGE_SAMPLES_MAX];
    for (int i = 0; i < COUNT; i++) {
        samples[i] = 1.5;
        samples[SRV_EXCHANGE_SAMPLES_MAX + i] = i < 75 ? 2 : 1;
    }
    /* Without the rule the lower quartile of the second were 1 s: its samples 76 to 100. */
    srv_spread times[2];
    srv_exchange_plan_times(samples, SRV_FLOW_PING_PONG, 2, COUNT, times);
    assert_true(times[0].median == 1.5 && times[0].n == COUNT);
    assert_true(times[1].minimum == 2 && times[1].high == 2 && times[1].n == 75);
}

static void a_pair_that_is_far_slower_keeps_three_samples(void **state)
{
    (void)state;
    double samples[2 * SRV_EXCHANGE_SAMPLES_MAX];
    for (int i = 0; i < 10; i++) {
        samples[i] = 1e-6;
        samples[SRV_EXCHANGE_SAMPLES_MAX + i] = 1;
    }
    srv_spread times[2];
    srv_exchange_plan_times(samples, SRV_FLOW_PING_PONG, 2, 10, times);
    assert_true(times[1].n == 3 && times[1].median == 1);
}

/* Two pairs share a link by turns: one of 2 s for the first, then one of 4 s for the second, and so
 * on. */
static void times_on_a_shared_link_add_up(void **state)
{
    (void)state;
    double samples[2 * SRV_EXCHANGE_SAMPLES_MAX] = {2, 6, 6, 6};
    static const double second[] = {6, 6, 6, 2};
    for (int i = 0; i < COUNT(second); i++)
        samples[SRV_EXCHANGE_SAMPLES_MAX + i] = second[i];
    srv_spread times[2];
    srv_exchange_plan_times(samples, SRV_FLOW_ONE_WAY, 2, 4, times);
    /* Both end at 20 s: four messages each, however they came. */
    assert_true(times[0].median == 5 && times[1].median == 5);
    /* The first one is through at 8 s, when the second one has a third of its second message. */
    samples[1] = 6, samples[2] = samples[3] = 0;
    srv_exchange_plan_times(samples, SRV_FLOW_ONE_WAY, 2, 2, times);
    assert_true(times[0].median == 4);
    assert_true(fabs(times[1].median - 6) < 1e-12);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_is_in_one_ping_pong),
        cmocka_unit_test(a_rank_sends_to_one_and_receives_from_one),
        cmocka_unit_test(the_time_comes_from_the_rank_that_measured_it),
        cmocka_unit_test(groups_of_ranks_do_a_collective_operation),
        cmocka_unit_test(batches_warm_up_as_messages_do),
        cmocka_unit_test(no_batch_goes_one_way),
        cmocka_unit_test(all_start_through_one_tree),
        cmocka_unit_test(repetitions_follow_from_the_time),
        cmocka_unit_test(samples_count_while_all_pairs_exchange_messages),
        cmocka_unit_test(a_pair_that_is_far_slower_keeps_three_samples),
        cmocka_unit_test(times_on_a_shared_link_add_up),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
