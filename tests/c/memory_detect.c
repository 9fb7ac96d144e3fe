/* SPDX-License-Identifier: BSD-3-Clause */
/* Overhead levels and their groups, from pairs whose truth is known. */
#include "test.h"

#include "facts/memory/detect.h"

static srv_contention pairs[512];
static srv_overhead_level levels[SRV_OVERHEAD_LEVELS_MAX];
static size_t count;

static int begin(void **state)
{
    (void)state;
    count = 0;
    return 0;
}

/* Two cores that keep `share` of 10 GB/s, of which samples scatter by `spread`. */
static void slow(int a, int b, double share, double spread)
{
    pairs[count++] =
        (srv_contention){a, b, share, share * (1 - spread), share * (1 + spread), share * 10e9};
}

static void expect_groups(int level, const int *expected, int cores, int groups)
{
    int group[64];
    assert_int_equal(srv_detect_overhead_groups(pairs, &levels[level], group, cores), groups);
    for (int i = 0; i < cores; i++)
        assert_int_equal(group[i], expected[i]);
}

TEST_EACH(begin, NULL)

/* IPDPS'10, III.C: (0,1), (0,2), (3,4), (3,5) are the groups {0,1,2} and {3,4,5}. */
TEST(groups_are_connected_by_pairs)
{
    slow(0, 1, 0.5, 0);
    slow(0, 2, 0.5, 0);
    slow(3, 4, 0.5, 0);
    slow(3, 5, 0.5, 0);
    assert_int_equal(srv_detect_overheads(pairs, count, levels), 1);
    assert_int_equal(levels[0].count, 4);
    assert_float_equal(levels[0].bandwidth.value, 5e9, 1);
    expect_groups(0, (int[]){0, 0, 0, 1, 1, 1}, 6, 2);
    expect_groups(0, (int[]){0, 0, 0, 1, 1, 1, 2}, 7, 3); /* a core in no pair is alone */
}

/* IPDPS'10: of 2200 MB/s, 990 on a bus of four cores, 1650 in a cell of two buses. */
TEST(bus_and_cell_are_two_levels)
{
    for (int a = 0; a < 16; a++)
        for (int b = a + 1; b < 16; b++)
            if (a / 8 == b / 8)
                slow(a, b, a / 4 == b / 4 ? 990.0 / 2200 : 1650.0 / 2200, 0);
    assert_int_equal(srv_detect_overheads(pairs, count, levels), 2);
    assert_float_equal(levels[0].bandwidth.value, 7.5e9, 1);
    assert_float_equal(levels[1].bandwidth.value, 4.5e9, 1);
    assert_int_equal(levels[0].bandwidth.samples, 2 * 16);
    assert_int_equal(levels[1].bandwidth.samples, 4 * 6);
    expect_groups(0, (int[]){0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, 16, 2);
    expect_groups(1, (int[]){0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, 16, 4);
}

TEST(without_pairs_there_are_no_levels)
{
    assert_int_equal(srv_detect_overheads(NULL, 0, levels), 0);
}

/* Values that spread over 12 % without a gap, as one level does on a noisy machine. */
TEST(one_level_may_scatter)
{
    for (int i = 0; i < 24; i++)
        slow(i, i + 24, 0.54 + 0.005 * i, 0.02);
    assert_int_equal(srv_detect_overheads(pairs, count, levels), 1);
    assert_float_equal(levels[0].bandwidth.low, 5.4e9, 1e6);
    assert_float_equal(levels[0].bandwidth.high, 6.55e9, 1e6);
    assert_true(levels[0].bandwidth.value > 5.9e9 && levels[0].bandwidth.value < 6.1e9);
}

/* 8 % apart: two levels where samples are sure, one where they scatter by as much. */
TEST(spreads_decide_which_levels_differ)
{
    for (int i = 0; i < 4; i++)
        slow(i, i + 8, i < 2 ? 0.75 : 0.69, 0.01);
    assert_int_equal(srv_detect_overheads(pairs, count, levels), 2);
    for (size_t i = 0; i < count; i++) {
        pairs[i].low = 0.93 * pairs[i].share;
        pairs[i].high = 1.07 * pairs[i].share;
    }
    assert_int_equal(srv_detect_overheads(pairs, count, levels), 1);
}

/* Medians of the same pair differ by up to 3 %: levels by more than 5 % of the faster one. */
TEST(levels_differ_by_more_than_medians_do)
{
    slow(0, 1, 0.8, 0);
    slow(2, 3, 0.8 * 0.96, 0);
    assert_int_equal(srv_detect_overheads(pairs, count, levels), 1);
    pairs[1].share = pairs[1].low = pairs[1].high = 0.8 * 0.94;
    assert_int_equal(srv_detect_overheads(pairs, count, levels), 2);
    assert_int_equal(levels[0].first, 0);
    assert_int_equal(levels[1].first, 1);
    assert_true(levels[0].bandwidth.trusted);
    assert_int_equal(levels[0].bandwidth.unit, SERVET_UNIT_BYTE_PER_SECOND);
}

/* A single pair cannot be compared with others: its samples determine the confidence. */
TEST(a_single_pair_is_decided_by_its_samples)
{
    slow(0, 1, 0.7, 0.1);
    assert_int_equal(srv_detect_overheads(pairs, count, levels), 1);
    assert_float_equal(levels[0].bandwidth.value, 7e9, 1);
    assert_float_equal(levels[0].bandwidth.low, 6.3e9, 1);
    assert_float_equal(levels[0].bandwidth.high, 7.7e9, 1);
}

TEST(levels_beyond_the_limit_are_dropped)
{
    double share = 0.9;
    for (int i = 0; i < SRV_OVERHEAD_LEVELS_MAX + 5; i++, share *= 0.9)
        slow(i, i + 1, share, 0);
    assert_int_equal(srv_detect_overheads(pairs, count, levels), SRV_OVERHEAD_LEVELS_MAX);
    assert_int_equal(levels[0].count, 1);
    assert_int_equal(levels[SRV_OVERHEAD_LEVELS_MAX - 1].count, 6);
}
