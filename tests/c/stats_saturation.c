/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "chance.h"
#include "stats/saturation.h"
#include "stats/robust.h"

enum { MOST = 20 };

/* Rates that grow with the count up to `limit`, with an interval of `spread` around each. */
static void fill(srv_rate rates[MOST], int limit, double spread)
{
    for (int i = 0; i < MOST; i++) {
        double rate = i + 1 < limit ? i + 1 : limit;
        rates[i] = (srv_rate){i + 1, rate, rate * (1 - spread), rate * (1 + spread)};
    }
}

/* 95 % of the best are enough: of 20 steps, the last one adds no more than that. */
TEST(saturation_is_where_growth_ends)
{
    srv_rate rates[MOST];
    for (int limit = 1; limit <= MOST; limit++) {
        fill(rates, limit, 0.001);
        assert_int_equal(srv_saturation(rates, MOST, 0).count, limit < MOST ? limit : 19);
    }
}

TEST(one_core_alone_may_be_the_best)
{
    const srv_rate rate = {1, 5, 4, 6, 0};
    assert_int_equal(srv_best_rate(&rate, 1), 0);
    assert_int_equal(srv_saturation(&rate, 1, 0).count, 1);
}

TEST(gaps_between_counts_are_allowed)
{
    const srv_rate rates[] = {{1, 10, 9, 11}, {2, 20, 19, 21}, {8, 78, 76, 80}, {64, 79, 76, 82}};
    assert_int_equal(srv_saturation(rates, 4, 0).count, 8);
}

/* Two buses of 13.9 for three cores of 6 each: the sixth core still adds 7 %, no peak that chance
 * made. A last rate that exceeds a plateau by as much is one. */
TEST(growth_may_go_on_to_the_last)
{
    srv_rate rates[6] = {{1, 6.0, 0, 0},  {2, 12.0, 0, 0}, {3, 18.0, 0, 0},
                         {4, 23.9, 0, 0}, {5, 26.0, 0, 0}, {6, 28.1, 0, 0}};
    for (int i = 0; i < 6; i++) {
        rates[i].low = 0.97 * rates[i].rate;
        rates[i].high = 1.03 * rates[i].rate;
    }
    assert_int_equal(srv_saturation(rates, 6, 0).count, 6);
    rates[3].rate = rates[4].rate = 26.4;
    assert_int_equal(srv_saturation(rates, 6, 0).count, 4);
}

/* A single high measurement on a plateau is not the best rate: the others do not differ from it. */
TEST(a_single_high_value_does_not_count)
{
    srv_rate rates[MOST];
    fill(rates, 10, 0.03);
    rates[15].rate = 10.4;
    rates[15].low = 10.0;
    rates[15].high = 10.5;
    assert_float_equal(rates[srv_best_rate(rates, MOST)].rate, 10, 1e-12);
    assert_int_equal(srv_saturation(rates, MOST, 0).count, 10);
}

/* --- noisy plateaus --------------------------------------------------------------------------- */

/* Five visits that differ by up to `spread` either way; of one number in 30 all are lucky by 10 %.
 */
static srv_rate visited(int count, double rate, double spread)
{
    double visit[5], lucky = chance() < 1 / 30.0 ? 1.1 : 1;
    for (int i = 0; i < 5; i++)
        visit[i] = rate * lucky * (1 + spread * (2 * chance() - 1));
    srv_sort(visit, 5);
    return (srv_rate){count, visit[2], visit[0], visit[4]};
}

/* 17 loads are all that a cache can serve at once. Probed as the benchmark does, nine of ten series
 * say 16 to 18, and the intervals of nine of ten hold 17. */
TEST(noise_moves_the_number_little)
{
    static const int counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 17, 18, 20, 24, 32, 48, 64};
    enum { COUNTS = sizeof counts / sizeof *counts, SERIES = 500 };
    const double spreads[] = {0.01, 0.03, 0.06, 0.1};
    for (int k = 0; k < 4; k++) {
        int near = 0, covered = 0;
        for (int series = 0; series < SERIES; series++) {
            srv_rate rates[COUNTS];
            for (int i = 0; i < COUNTS; i++)
                rates[i] = visited(counts[i], fmin(counts[i], 17), spreads[k]);
            srv_enough enough = srv_saturation(rates, COUNTS, 0);
            near += enough.count >= 16 && enough.count <= 18;
            covered += enough.fewest <= 17 && enough.most >= 17;
            assert_true(enough.fewest <= enough.count && enough.count <= enough.most);
        }
        if (near < 0.9 * SERIES || covered < 0.9 * SERIES)
            fail_msg("spread %g: %d near, %d covered of %d", spreads[k], near, covered, SERIES);
    }
}

/* If growth ends slowly, the saturation point depends on differences that cannot be measured: the
 * interval shows that. */
TEST(the_interval_covers_what_noise_hides)
{
    const srv_rate calm[] = {{8, 80, 79.9, 80.1},  {12, 93, 92.9, 93.1},   {16, 96, 95.9, 96.1},
                             {24, 98, 97.9, 98.1}, {32, 100, 99.9, 100.1}, {48, 100, 99.9, 100.1}};
    srv_rate noisy[6];
    srv_enough enough = srv_saturation(calm, 6, 0);
    assert_int_equal(enough.count, 16);
    assert_true(enough.fewest == 13 && enough.most == 16); /* 13 to 15 were not measured */
    for (int i = 0; i < 6; i++)
        noisy[i] =
            (srv_rate){calm[i].count, calm[i].rate, 0.94 * calm[i].rate, 1.06 * calm[i].rate};
    enough = srv_saturation(noisy, 6, 0);
    assert_true(enough.fewest == 9 && enough.most == 32);
}

/* There was time for powers of two and halves only: whatever limit lies between two of them, the
 * interval holds it. */
TEST(numbers_that_were_not_measured_are_possible)
{
    static const int counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
    enum { COUNTS = sizeof counts / sizeof *counts };
    for (int limit = 1; limit <= 48; limit++) {
        srv_rate rates[COUNTS];
        for (int i = 0; i < COUNTS; i++) {
            double rate = fmin(counts[i], limit);
            rates[i] = (srv_rate){counts[i], rate, rate * 0.999, rate * 1.001, 2};
        }
        srv_enough enough = srv_saturation(rates, COUNTS, 0);
        int least = (int)ceil(0.95 * limit - 1e-9);
        if (enough.fewest > least || enough.most < least)
            fail_msg("%d to %d, not %d", enough.fewest, enough.most, least);
    }
}

/* Two visits, of which the second is as far from the first as chance wants: their range says
 * little, and while rates grow it is smaller than at the end. */
TEST(two_visits_do_not_feign_certainty)
{
    static const int counts[] = {1, 2, 3, 4, 6, 8, 12, 14, 15, 16, 17, 18, 20, 24, 32, 48};
    enum { COUNTS = sizeof counts / sizeof *counts, SERIES = 500 };
    const double spreads[] = {0.02, 0.05, 0.1};
    for (int k = 0; k < 3; k++) {
        int covered = 0;
        for (int series = 0; series < SERIES; series++) {
            srv_rate rates[COUNTS];
            for (int i = 0; i < COUNTS; i++) {
                double spread = counts[i] < 12 ? 0.001 : spreads[k], rate = fmin(counts[i], 17);
                double a = rate * (1 + spread * (2 * chance() - 1));
                double b = rate * (1 + spread * (2 * chance() - 1));
                rates[i] = (srv_rate){counts[i], (a + b) / 2, fmin(a, b), fmax(a, b), 2};
            }
            srv_enough enough = srv_saturation(rates, COUNTS, 0);
            covered += enough.fewest <= 17 && enough.most >= 17;
        }
        if (covered < 0.9 * SERIES)
            fail_msg("spread %g: %d of %d", spreads[k], covered, SERIES);
    }
}

/* Rates that were measured to 1 % do not tell two neighbours apart that differ by less. */
TEST(a_resolution_limits_the_interval)
{
    const srv_rate rates[] = {
        {15, 92, 92, 92, 2}, {16, 94.5, 94.5, 94.5, 2}, {17, 95.5, 95.5, 95.5, 2},
        {18, 97, 97, 97, 2}, {20, 100, 100, 100, 2},    {24, 100, 100, 100, 2},
    };
    srv_enough sharp = srv_saturation(rates, 6, 0), coarse = srv_saturation(rates, 6, 0.01);
    assert_true(sharp.count == 17 && sharp.fewest == 17 && sharp.most == 17);
    assert_true(coarse.count == 17 && coarse.fewest == 16 && coarse.most == 18);
}

/* A bus that suffers from too many: the best lies before. */
TEST(decline_after_the_best_is_allowed)
{
    const srv_rate rates[] = {
        {1, 10, 9.9, 10.1}, {2, 20, 19.9, 20.1}, {4, 30, 29.9, 30.1}, {8, 20, 19.9, 20.1}};
    assert_int_equal(srv_best_rate(rates, 4), 2);
    assert_int_equal(srv_saturation(rates, 4, 0).count, 4);
    assert_int_equal(srv_saturation(rates, 1, 0).count, 1);
}

/* All numbers ascend, end with the last one, and are a half apart at most. */
TEST(numbers_ascend_to_the_last_one)
{
    for (int all = 1; all <= 100; all++) {
        int last = 1;
        for (int next; (next = srv_next_count(last, all)) <= all; last = next)
            assert_in_range(next, last + 1, last == 1 ? 2 : last + last / 2);
        assert_int_equal(last, all);
    }
}
