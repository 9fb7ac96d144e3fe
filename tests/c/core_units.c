/* SPDX-License-Identifier: BSD-3-Clause */
/* Nanoseconds are converted to seconds and back without a change. */
#include "test.h"

#include "core/units.h"

TEST(seconds_are_nanoseconds_with_the_decimal_point_moved_by_nine_places)
{
    assert_true(srv_seconds(1.3) == 1.3e-9);
    assert_true(srv_seconds(187.5) == 187.5e-9);
    assert_true(srv_seconds(1e9) == 1);
    assert_true(srv_seconds(0) == 0);
    assert_true(srv_nanoseconds(1.39e-9) == 1.39);
    assert_true(srv_nanoseconds(2.5e-3) == 2.5e6);
    assert_true(isnan(srv_seconds(NAN)) && isnan(srv_nanoseconds(NAN)));
}

/* Numbers with 1 to 15 digits, in all magnitudes of times. */
TEST(conversion_to_seconds_and_back_keeps_all_digits)
{
    unsigned long long random = 2010;
    for (int i = 0; i < 100000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        double digits = fmod((double)(random >> 11), pow(10, 1 + i % 15)) + 1;
        char text[32];
        snprintf(text, sizeof text, "%.0fe%d", digits, i / 15 % 24 - 15);
        double ns = strtod(text, NULL);
        assert_true(srv_nanoseconds(srv_seconds(ns)) == ns);
        assert_true(srv_seconds(srv_nanoseconds(ns)) == ns);
    }
}

TEST(values_are_printed_with_their_unit)
{
    const servet_value ns = {1.5, 1.25, 2, 7, SRV_UNIT_NANOSECOND, SERVET_METHOD_TIMED, true};
    servet_value seconds = srv_value_in_seconds(ns);
    assert_int_equal(seconds.unit, SERVET_UNIT_SECOND);
    assert_true(seconds.value == 1.5e-9 && seconds.low == 1.25e-9 && seconds.high == 2e-9);
    assert_true(seconds.samples == 7 && seconds.method == SERVET_METHOD_TIMED && seconds.trusted);
    servet_value back = srv_value_in_unit(seconds, SRV_UNIT_NANOSECOND);
    assert_int_equal(back.unit, SRV_UNIT_NANOSECOND);
    assert_true(back.value == ns.value && back.low == ns.low && back.high == ns.high);
}
