/* SPDX-License-Identifier: BSD-3-Clause */
/* A curve that another tool measured: Hockney's model with 2 us and 2 GB/s up to 8 KiB, then 20 us
 * and 10 GB/s. */
#include "test.h"

#include "servet/network.h"

enum { SIZES = 23 };

static double bytes[SIZES], seconds[SIZES];

static int setup(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++) {
        bytes[i] = (double)(1 << i);
        seconds[i] = bytes[i] <= 8192 ? 2e-6 + bytes[i] / 2e9 : 20e-6 + bytes[i] / 10e9;
    }
    return 0;
}

TEST(protocols_are_those_of_the_model)
{
    const servet_curve curve = {SIZES, bytes, seconds, NULL, NULL, SERVET_UNIT_SECOND};
    servet_protocol protocols[2];
    int count;
    assert_ok(servet_analyze_messages(&curve, protocols, 2, &count, NULL));
    assert_int_equal(count, 2);
    assert_float_equal(protocols[0].latency.value, 2e-6, 1e-8);
    assert_float_equal(protocols[0].bandwidth.value, 2e9, 2e7);
    assert_float_equal(protocols[1].from.value, 16384, 0.5);
    assert_true(protocols[1].from.low >= 8192 && protocols[1].from.high <= 16384);
    assert_float_equal(protocols[1].latency.value, 20e-6, 1e-7);
    assert_float_equal(protocols[1].bandwidth.value, 10e9, 1e8);
    protocols[1].latency.value = 1;
    assert_ok(servet_analyze_messages(&curve, protocols, 1, &count, NULL));
    assert_int_equal(count, 2);
    assert_float_equal(protocols[1].latency.value, 1, 0);
}

TEST(cycles_and_few_sizes_are_refused)
{
    servet_curve curve = {SIZES, bytes, seconds, NULL, NULL, SERVET_UNIT_CYCLE};
    int count;
    assert_int_equal(servet_analyze_messages(&curve, NULL, 0, &count, NULL), SERVET_EARGUMENT);
    curve.unit = SERVET_UNIT_SECOND;
    curve.n = 2;
    assert_int_equal(servet_analyze_messages(&curve, NULL, 0, &count, NULL), SERVET_EARGUMENT);
}

TEST_GROUP(setup, NULL)
