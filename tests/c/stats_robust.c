/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "stats/interval.h"
#include "stats/robust.h"

TEST(quantiles_interpolate)
{
    const double sorted[] = {1, 2, 3, 4};
    assert_float_equal(srv_sorted_quantile(sorted, 4, 0), 1, 1e-12);
    assert_float_equal(srv_sorted_quantile(sorted, 4, 0.5), 2.5, 1e-12);
    assert_float_equal(srv_sorted_quantile(sorted, 4, 1), 4, 1e-12);
    assert_float_equal(srv_sorted_quantile(sorted, 1, 0.7), 1, 1e-12);
}

TEST(outliers_do_not_move_the_median)
{
    double samples[] = {10.1, 1e9, 9.9, 10, 10, 500, 10};
    srv_spread spread = srv_spread_of(samples, 7);
    assert_float_equal(spread.median, 10, 1e-12);
    assert_float_equal(spread.minimum, 9.9, 1e-12);
    assert_true(spread.low <= spread.median && spread.median <= spread.high);
    assert_int_equal(spread.n, 7);
}

/* Student's t for 4 samples and 2 sigma agree within a quarter; what counts is that it is a
   standard error, and inside the samples. */
TEST(a_mean_has_an_interval)
{
    const double samples[] = {1, 2, 3, 6};
    srv_interval mean = srv_mean_of(samples, 4);
    assert_float_equal(mean.value, 3, 1e-12);
    assert_float_equal(mean.high - mean.value, 2 * sqrt(14.0 / 3) / 2, 1e-12);
    assert_float_equal(mean.low, 1, 1e-12);
    srv_interval one = srv_mean_of(samples, 1);
    assert_float_equal(one.low, 1, 0);
    assert_float_equal(one.high, 1, 0);
}

/* A round of five samples of which two are slow, four rounds, two disturbances. */
TEST(disturbed_rounds_are_left_out_of_the_average)
{
    double samples[20];
    for (int i = 0; i < 20; i++)
        samples[i] = i % 5 < 2 ? 10 : 1;
    samples[7] = 500;
    samples[13] = 40;
    assert_float_equal(srv_round_mean(samples, 20, 5), (10 + 10 + 1 + 1 + 1) / 5.0, 1e-12);
}

/* Rounds that are no whole number of samples: phases drift, the mean stays. */
TEST(a_round_may_be_incomplete)
{
    double samples[200], period = 7.3;
    for (int i = 0; i < 200; i++)
        samples[i] = fmod(i, period) < period / 2 ? 2 : 4;
    assert_float_equal(srv_round_mean(samples, 200, period), 3, 0.2);
}

TEST(fewer_than_three_rounds_are_averaged_without_outliers)
{
    double samples[12];
    for (int i = 0; i < 12; i++)
        samples[i] = i % 2 ? 1 : 3;
    samples[4] = 1000;
    assert_float_equal(srv_round_mean(samples, 12, 6), (5 * 3 + 6 * 1) / 11.0, 1e-12);
}

TEST(samples_of_many_rounds_have_a_median)
{
    double samples[] = {5, 5, 90, 5, 6, 4, 5};
    assert_float_equal(srv_round_mean(samples, 7, 1), 5, 1e-12);
}

/* Three of eight are slow, of different slowness; what differs by the ratio only is none. */
TEST(outliers_are_found_among_nearly_as_many_others)
{
    double numbers[16] = {100, 98, 25, 103, 40, 97, NAN, 50};
    bool is_low[8];
    srv_find_low(numbers, 8, 1.15, is_low);
    for (int i = 0; i < 8; i++)
        assert_int_equal(is_low[i], numbers[i] < 90);
    double alike[8] = {100, 100, 100, 99};
    srv_find_low(alike, 4, 1.15, is_low);
    assert_false(is_low[3]);
}

/* Deviations as those of a normal distribution are no outliers, however wide. */
TEST(a_wide_distribution_has_no_outliers)
{
    double numbers[18] = {50, 60, 70, 80, 100, 120, 130, 140, 150};
    bool is_low[9];
    srv_find_low(numbers, 9, 1.15, is_low);
    for (int i = 0; i < 9; i++)
        assert_false(is_low[i]);
}
