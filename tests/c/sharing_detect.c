/* SPDX-License-Identifier: BSD-3-Clause */
/* Odds of sharing from times whose meaning is known. */
#include "test.h"

#include "facts/sharing/detect.h"

static const double KIB = 1 << 10;

/* 4 ns where the set fits, 20 ns where it does not. */
static const srv_doubling plain = {24 * 1024, 4, 0.1, 20, 0.5};

/* Odds rise with the time, and one measurement is never proof. A small slow-down is no sharing:
 * threads of a core share its pipeline; memory may be busy, too. */
TEST(interference_is_the_sum_of_two_sets)
{
    srv_contrast contrast = srv_interference(&plain, 0);
    assert_true(srv_contrast_odds(&contrast, 3) < -3);
    assert_true(srv_contrast_odds(&contrast, 4) < -3);
    assert_true(srv_contrast_odds(&contrast, 4 * 1.5) < 0);
    for (double ns = 4; ns < 20; ns += 1)
        assert_true(srv_contrast_odds(&contrast, ns) <= srv_contrast_odds(&contrast, ns + 1));
    assert_true(srv_contrast_odds(&contrast, 20) > 2);
    assert_true(srv_contrast_odds(&contrast, 20) < SRV_ODDS_SETTLED);
    assert_true(srv_contrast_odds(&contrast, 40) > 2);
}

/* Two cores with 1 MiB each above 3 MiB that they share, each with 1.5 MiB: of these only a third
 * goes beyond the caches above, of 3 MiB of one core two thirds do. */
TEST(large_caches_above_hide_a_part)
{
    const srv_doubling large = {1536 * KIB, 11.4, 0.3, 29.8, 0.3};
    srv_contrast alone = srv_interference(&large, 1024 * KIB);
    assert_true(srv_contrast_odds(&alone, 17) > 1);
    assert_true(srv_contrast_odds(&alone, 11.8) < -1);
    srv_contrast small = srv_interference(&large, 64 * KIB);
    assert_true(srv_contrast_odds(&small, 17) < 0);
    assert_true(srv_contrast_odds(&small, 29) > 2);
}

/* Half of a set of twice the caches above goes beyond them, three quarters of two such sets: two
 * cores lose two thirds of the time that one core with both sets loses, and that must be 15 % of 4
 * ns. */
TEST(a_loss_of_less_than_fifteen_percent_is_not_sharing)
{
    const srv_doubling enough = {32 * KIB, 4, 0.01, 4 + 0.61 * 3 / 2, 0.01};
    const srv_doubling little = {32 * KIB, 4, 0.01, 4 + 0.59 * 3 / 2, 0.01};
    assert_int_equal(srv_sharing_choose(&enough, 1, 16 * KIB), 0);
    assert_int_equal(srv_sharing_choose(&little, 1, 16 * KIB), -1);
}

TEST(visits_that_differ_tell_less)
{
    srv_doubling vague = plain;
    vague.once_spread = 6;
    srv_contrast sharp = srv_interference(&plain, 0), wide = srv_interference(&vague, 0);
    assert_true(srv_contrast_odds(&wide, 12) < srv_contrast_odds(&sharp, 12));
}

TEST(set_sizes_with_the_best_contrast_are_chosen)
{
    const srv_doubling list[] = {
        {16 * KIB, 4, 0.1, 6, 1},   /* both still fit, nearly */
        {24 * KIB, 4, 0.1, 20, 1},  /* one fits, two don't */
        {30 * KIB, 12, 4, 20, 0.5}, /* one hardly fits */
    };
    assert_int_equal(srv_sharing_choose(list, 3, 0), 1);
    assert_int_equal(srv_sharing_choose(list, 1, 0), 0);
    assert_int_equal(srv_sharing_choose(list, 3, 22 * KIB),
                     2); /* the caches above keep the others */
    const srv_doubling flat[] = {{16 * KIB, 4, 0.1, 4.1, 0.1}, {24 * KIB, 4, 0.1, 3.9, 0.1}};
    assert_int_equal(srv_sharing_choose(flat, 2, 0), -1);
}

static double odds_of_ns(const srv_contrast *contrast, double ns)
{
    return srv_contrast_odds(contrast, log(ns));
}

TEST(reuse_is_a_hit_in_the_cache_or_a_miss)
{
    srv_contrast contrast = srv_reuse(4, 30, 0, false);
    assert_true(odds_of_ns(&contrast, 4) > 3);
    assert_true(odds_of_ns(&contrast, 5) > 3); /* with some translation */
    assert_true(odds_of_ns(&contrast, 30) < -2);
    assert_true(odds_of_ns(&contrast, 200) < -2);
}

/* Half of the set is still in the other core's private caches: that is slower, but the cache is
 * shared. */
TEST(lines_in_upper_caches_are_slower)
{
    srv_contrast contrast = srv_reuse(28, 95, 0.5, false);
    assert_true(odds_of_ns(&contrast, 28) > 3);
    assert_true(odds_of_ns(&contrast, (28 + 90) / 2.) > 3);
    assert_true(odds_of_ns(&contrast, 95) < -2);
}

/* Between private caches a line took 42 ns on a generated machine, less than from memory: with much
 * of the set above, that may be as well what is shared. */
TEST(a_transfer_may_be_faster_than_memory)
{
    srv_contrast contrast = srv_reuse(17, 75, 0.58, false);
    srv_contrast pair = srv_reuse_of_pair(contrast, 42);
    assert_true(odds_of_ns(&contrast, 42) > 3);
    assert_true(fabs(odds_of_ns(&pair, 42)) < 1);
    assert_true(odds_of_ns(&pair, 17) > 3);
    assert_true(odds_of_ns(&pair, 75) < -2);
    pair = srv_reuse_of_pair(contrast, 120);
    assert_float_equal(odds_of_ns(&pair, 42), odds_of_ns(&contrast, 42), 0);
    pair = srv_reuse_of_pair(contrast, NAN);
    assert_float_equal(odds_of_ns(&pair, 42), odds_of_ns(&contrast, 42), 0);
}

/* Finding it proves it is shared, finding nothing proves nothing. */
TEST(a_turnover_cache_may_have_lost_lines)
{
    srv_contrast contrast = srv_reuse(40, 146, 0.5, true);
    assert_true(odds_of_ns(&contrast, 42) > SRV_ODDS_SETTLED);
    assert_true(5 * odds_of_ns(&contrast, 200) > -SRV_ODDS_SETTLED / 2);
}

TEST(sets_without_a_contrast_are_undecided)
{
    srv_contrast near = srv_reuse(10, 11, 0, false);
    assert_float_equal(odds_of_ns(&near, 10), 0, 0);
    near = srv_reuse(10, 12.9, 0, false); /* times by a factor below 1.3 are one time */
    assert_float_equal(odds_of_ns(&near, 10), 0, 0);
    near = srv_reuse(10, 13.1, 0, false);
    assert_true(odds_of_ns(&near, 10) > 0);
    assert_true(odds_of_ns(&near, 13.1) < 0);
    srv_contrast contrast = srv_interference(&plain, 0);
    assert_float_equal(srv_contrast_odds(&contrast, NAN), 0, 0);
}

TEST(odds_are_probabilities)
{
    assert_float_equal(srv_odds_probability(0), 0.5, 1e-12);
    assert_float_equal(srv_odds_probability(log(99)), 0.99, 1e-12);
    assert_float_equal(srv_odds_probability(-log(99)), 0.01, 1e-12);
}

/* Tests with one wrong assumption agree: two that are 90 % sure are not 99 % sure together. */
TEST(tests_that_agree_are_not_independent)
{
    assert_float_equal(srv_odds_of_tests(2.2, 2.0), 2.2, 0);
    assert_float_equal(srv_odds_of_tests(-1, -3), -3, 0);
    assert_float_equal(srv_odds_of_tests(3, -1), 2, 1e-12);
    assert_float_equal(srv_odds_of_tests(0, -2), -2, 0);
}

/* 2 ns where the set stayed, 20 ns where it is lost: in between, a part was lost. */
TEST(a_lost_set_is_a_shared_cache)
{
    srv_contrast contrast = srv_evicted(2, 20);
    assert_true(srv_evicted_odds(&contrast, 20, 3) > 2);
    assert_true(srv_evicted_odds(&contrast, 30, 3) > 2);
    assert_true(srv_evicted_odds(&contrast, 2, 3) < -2);
    assert_true(srv_evicted_odds(&contrast, 1, 3) < -2);
    assert_true(srv_evicted_odds(&contrast, 2 * pow(10, 0.4), 3) <
                srv_evicted_odds(&contrast, 20, 3));
}

/* Others evict lines as well for a while, so that one visit that lost them says less than one that
 * kept them; and the more visits, the surer. */
TEST(a_visit_that_kept_a_set_outweighs_one_that_lost_it)
{
    srv_contrast contrast = srv_evicted(2, 20);
    double lost = srv_evicted_odds(&contrast, 20, 1), kept = srv_evicted_odds(&contrast, 2, 1);
    assert_true(lost > 0 && kept < 0 && -kept > 2 * lost);
    assert_true(srv_evicted_odds(&contrast, 20, 4) > lost);
    assert_true(srv_evicted_odds(&contrast, 2, 4) < kept);
}

TEST(times_too_close_are_no_evidence_of_eviction)
{
    const double pairs[][2] = {{2, 2.01}, {2, 1}, {0, 20}, {-1, 20}};
    for (int i = 0; i < 4; i++) {
        srv_contrast contrast = srv_evicted(pairs[i][0], pairs[i][1]);
        assert_true(srv_evicted_odds(&contrast, 20, 3) == 0);
        assert_true(srv_evicted_odds(&contrast, 2, 3) == 0);
    }
}
