/* SPDX-License-Identifier: BSD-3-Clause */
/* At which sizes one message is faster than several. */
#include "test.h"

#include "facts/messages/detect.h"

static servet_aggregation ranges[16];

static servet_batch batch(int messages, double bytes, double gain, servet_payoff payoff)
{
    const servet_value value = {
        gain, gain * 0.9, gain * 1.2, 7, SERVET_UNIT_NONE, SERVET_METHOD_TIMED, true};
    return (servet_batch){.messages = messages, .bytes = bytes, .gain = value, .payoff = payoff};
}

static void is_range(int index, servet_payoff payoff, double from, double below, bool unbounded)
{
    assert_int_equal(ranges[index].payoff, payoff);
    assert_float_equal(ranges[index].from, from, 1e-9);
    assert_float_equal(ranges[index].below, below, 1e-9);
    assert_int_equal(ranges[index].unbounded, unbounded);
}

TEST(nothing_has_no_ranges)
{
    assert_int_equal(srv_detect_aggregation(NULL, 0, ranges), 0);
}

TEST(never_is_one_range)
{
    const servet_batch batches[] = {batch(2, 8, 0.5, SERVET_PAYOFF_LOSES),
                                    batch(2, 64, 0.75, SERVET_PAYOFF_LOSES),
                                    batch(2, 512, 0.8, SERVET_PAYOFF_LOSES)};
    assert_int_equal(srv_detect_aggregation(batches, 3, ranges), 1);
    is_range(0, SERVET_PAYOFF_LOSES, 8, 512, true);
    const servet_value *gain = &ranges[0].gain;
    assert_true(gain->value == 0.75 && gain->low == 0.5 * 0.9 && gain->high == 0.8 * 1.2);
    assert_true(gain->samples == 7 && gain->trusted);
}

/* Twice as fast at 100 bytes, a fourth at 800: on logarithmic scales it crosses 1 at a third. */
/* 800 B times the root of 2 are 1131.4 B. */
TEST(limits_are_where_the_gain_crosses_one)
{
    const servet_batch batches[] = {batch(2, 100, 2, SERVET_PAYOFF_PAYS),
                                    batch(2, 800, 0.25, SERVET_PAYOFF_LOSES),
                                    batch(2, 1600, 4, SERVET_PAYOFF_PAYS)};
    assert_int_equal(srv_detect_aggregation(batches, 3, ranges), 3);
    is_range(0, SERVET_PAYOFF_PAYS, 100, 200, false);
    is_range(1, SERVET_PAYOFF_LOSES, 200, 1132, false);
    is_range(2, SERVET_PAYOFF_PAYS, 1132, 1600, true);
}

TEST(a_range_that_becomes_even_ends_in_the_middle)
{
    const servet_batch batches[] = {batch(4, 16, 2, SERVET_PAYOFF_PAYS),
                                    batch(4, 64, 1.01, SERVET_PAYOFF_EVEN)};
    assert_int_equal(srv_detect_aggregation(batches, 2, ranges), 2);
    is_range(0, SERVET_PAYOFF_PAYS, 16, 32, false);
    is_range(1, SERVET_PAYOFF_EVEN, 32, 64, true);
}

TEST(a_range_has_the_fewest_samples)
{
    servet_batch batches[] = {batch(2, 8, 2, SERVET_PAYOFF_PAYS),
                              batch(2, 16, 3, SERVET_PAYOFF_PAYS),
                              batch(2, 32, 4, SERVET_PAYOFF_PAYS)};
    batches[1].gain.samples = 3;
    assert_int_equal(srv_detect_aggregation(batches, 3, ranges), 1);
    assert_int_equal(ranges[0].gain.samples, 3);
    assert_true(ranges[0].gain.value == 3);
}

TEST(each_number_of_messages_has_its_own_ranges)
{
    servet_batch batches[] = {batch(2, 8, 2, SERVET_PAYOFF_PAYS),
                              batch(2, 16, 2, SERVET_PAYOFF_PAYS),
                              batch(4, 8, 3, SERVET_PAYOFF_PAYS)};
    batches[1].gain.trusted = false;
    assert_int_equal(srv_detect_aggregation(batches, 3, ranges), 2);
    assert_int_equal(ranges[0].messages, 2);
    is_range(0, SERVET_PAYOFF_PAYS, 8, 16, true);
    assert_false(ranges[0].gain.trusted);
    assert_int_equal(ranges[1].messages, 4);
    is_range(1, SERVET_PAYOFF_PAYS, 8, 8, true);
    assert_true(ranges[1].gain.trusted);
}
