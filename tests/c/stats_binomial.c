/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "stats/binomial.h"

static void assert_near(double value, double truth)
{
    assert_true(fabs(value - truth) <= 1e-9 * truth); /* cmocka's own comparison has type float */
}

/* Four even coins, and (1/4 + 3/4)^3: 27, 27, 9, 1 of 64. */
TEST(coins_have_binomial_tails)
{
    static const struct {
        int n;
        double p;
        int k;
        double tail;
    } rows[] = {{1, 0.5, 0, 1. / 2},   {4, 0.5, 0, 15. / 16},  {4, 0.5, 1, 11. / 16},
                {4, 0.5, 3, 1. / 16},  {3, 0.25, 0, 37. / 64}, {3, 0.25, 1, 10. / 64},
                {3, 0.25, 2, 1. / 64}, {3, 0.75, 0, 63. / 64}, {3, 0.75, 2, 27. / 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_near(srv_binomial_above(rows[i].n, rows[i].p, rows[i].k), rows[i].tail);
}

TEST(certain_and_impossible_events_are_exact)
{
    assert_float_equal(srv_binomial_above(10, 0.3, -1), 1, 0);
    assert_float_equal(srv_binomial_above(10, 0.3, 10), 0, 0);
    assert_float_equal(srv_binomial_above(10, 0.3, 1000), 0, 0);
    assert_float_equal(srv_binomial_above(0, 0.3, 0), 0, 0);
    assert_float_equal(srv_binomial_above(10, 0, 0), 0, 0);
    assert_float_equal(srv_binomial_above(10, 1, 9), 1, 0);
}

/* Tails of 1e-300 must not be lost by subtraction: P(X > n - 1) = p^n. */
TEST(small_tails_keep_their_digits)
{
    assert_near(srv_binomial_above(100, 0.01, 99), pow(0.01, 100));
    assert_near(1 - srv_binomial_above(1000, 1e-12, 0), pow(1 - 1e-12, 1000));
    assert_near(srv_binomial_above(1000, 1e-12, 0), -expm1(1000 * log1p(-1e-12)));
}

/* The Poisson distribution approximates many trials of a rare event: P(X > 0) = 1 - exp(-np). */
TEST(many_trials_of_a_rare_event_are_poisson_distributed)
{
    const double poisson[] = {1 - exp(-2), 1 - 3 * exp(-2), 1 - 5 * exp(-2)};
    for (int k = 0; k < 3; k++)
        assert_true(fabs(srv_binomial_above(1000000000, 2e-9, k) - poisson[k]) < 1e-8);
}

/* The tail of n trials, computed by a recursion over the trials. It needs no factorials. */
static double tail_by_recursion(int n, double p, int k)
{
    double tail[64] = {0}; /* tail[j] = P(X > j - 1) after the trials so far */
    tail[0] = 1;
    for (int trial = 0; trial < n; trial++)
        for (int j = 63; j > 0; j--)
            tail[j] = p * tail[j - 1] + (1 - p) * tail[j];
    return tail[k + 1];
}

TEST(the_recursion_agrees_with_the_sum)
{
    const double chances[] = {0.001, 0.0156, 0.2, 0.5, 0.93};
    const int trials[] = {1, 7, 60, 512, 3000};
    for (int c = 0; c < 5; c++)
        for (int t = 0; t < 5; t++)
            for (int k = 0; k < 40 && k < trials[t]; k++) {
                double truth = tail_by_recursion(trials[t], chances[c], k);
                double value = srv_binomial_above(trials[t], chances[c], k);
                assert_true(fabs(value - truth) <= 1e-9 * truth + 1e-13);
            }
}
