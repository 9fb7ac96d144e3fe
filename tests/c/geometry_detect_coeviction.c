/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of trials and the effects in them, against what their definitions say of small lists. */
#include "test.h"

#include "facts/geometry/detect_pages.h"

/* --- trials ----------------------------------------------------------------------------------- */

TEST(trials_follow_each_other)
{
    static const int walked[] = {3, 5, 2};
    srv_coeviction trials = {.elements = 8};
    size_t at, places = 0;
    int trial = 0;
    for (int i = 0; i < 3; i++) {
        assert_ok(srv_coeviction_add(&trials, 50, walked[i], &at, NULL));
        assert_int_equal(at, places);
        for (int t = 0; t < 50; t++, trial++, places += (size_t)walked[i]) {
            assert_int_equal(trials.first[trial], places);
            trials.element[places + (size_t)walked[i] - 1] = (uint32_t)trial;
            trials.ns[places + (size_t)walked[i] - 1] = (float)trial;
        }
        assert_int_equal(trials.trials, trial);
        assert_int_equal(trials.first[trial], places);
    }
    for (trial = 0; trial < 150; trial++) { /* growing kept what was there */
        assert_int_equal(trials.element[trials.first[trial + 1] - 1], trial);
        assert_float_equal(trials.ns[trials.first[trial + 1] - 1], trial, 0);
    }
    srv_coeviction_finish(&trials);
    assert_int_equal(trials.trials, 0);
    assert_null(trials.first);
}

/* --- fast and slow ---------------------------------------------------------------------------- */

/* A number of times with one value. */
typedef struct many {
    int count;
    float ns;
} many;

static srv_slowness slowness_of(const many *values)
{
    srv_slowness slowness;
    srv_coeviction trials = {.elements = 8};
    for (; values->count > 0; values++) {
        size_t at;
        assert_ok(srv_coeviction_add(&trials, 1, values->count, &at, NULL));
        for (int i = 0; i < values->count; i++)
            trials.ns[at + (size_t)i] = values->ns;
    }
    assert_true(srv_coeviction_slowness(&trials, &slowness));
    srv_coeviction_finish(&trials);
    return slowness;
}

TEST(two_values_are_the_modes)
{
    srv_slowness found = slowness_of((many[]){{600, 10}, {400, 100}, {0, 0}});
    assert_float_equal(found.fast_ns, 10, 0);
    assert_float_equal(found.slow_ns, 100, 0);
    assert_float_equal(found.slow_share, 0.4, 1e-12);
    for (int i = 0; i < 1000; i++)
        assert_float_equal(found.of[i], i >= 600, 0);
    free(found.of);
}

/* Less than the fastest hundredth, and the slowest tenth, are in no mode, but they are fast or slow
 * all the same. What is just between the modes is not slow. */
TEST(times_far_out_are_in_no_mode)
{
    srv_slowness found = slowness_of(
        (many[]){{5, 1}, {535, 20}, {10, 60}, {10, 95}, {345, 120}, {95, 5000}, {0, 0}});
    double fast = (535 * 20 + 10 * 60) / 545.0, slow = (10 * 95 + 345 * 120) / 355.0;
    assert_float_equal(found.fast_ns, fast, 1e-9);
    assert_float_equal(found.slow_ns, slow, 1e-9);
    assert_float_equal(found.slow_share, 0.45, 1e-12);
    assert_float_equal(found.of[0], 0, 0);
    assert_float_equal(found.of[540], (60 - fast) / (slow - fast), 1e-6);
    assert_float_equal(found.of[550], (95 - fast) / (slow - fast), 1e-6);
    assert_float_equal(found.of[999], 1, 0);
    free(found.of);
    found = slowness_of((many[]){{60, 10}, {1, 55}, {60, 100}, {0, 0}});
    assert_float_equal(found.slow_share, 60.0 / 121, 1e-12);
    free(found.of);
}

/* The first division is halfway between the ends; the means on its sides move it to where no time
 * changes its side any more: each is nearer to the mean of its own. */
TEST(every_time_is_nearer_to_its_own_mode)
{
    static const many values[] = {{30, 1},  {30, 2},  {30, 4},  {30, 8},   {30, 16},
                                  {30, 32}, {30, 64}, {30, 90}, {100, 95}, {0, 0}};
    srv_slowness found = slowness_of(values);
    double sum[2] = {0}, count[2] = {0}, cut = (found.fast_ns + found.slow_ns) / 2;
    for (const many *value = values; value->count > 0; value++) {
        sum[value->ns > cut] += value->count * value->ns;
        count[value->ns > cut] += value->count;
    }
    assert_float_equal(found.fast_ns, sum[0] / count[0], 1e-9);
    assert_float_equal(found.slow_ns, sum[1] / count[1], 1e-9);
    free(found.of);
}

TEST(equal_times_are_all_fast)
{
    srv_slowness found = slowness_of((many[]){{20, 10}, {0, 0}});
    assert_float_equal(found.fast_ns, 10, 0);
    assert_float_equal(found.slow_ns, 10, 0);
    assert_float_equal(found.slow_share, 0, 0);
    for (int i = 0; i < 20; i++)
        assert_float_equal(found.of[i], 0, 0);
    free(found.of);
}

/* With few times, quantiles lie between them: there may be no time on one side. */
TEST(a_single_time_is_no_mode)
{
    srv_slowness found = slowness_of((many[]){{1, 1}, {63, 100}, {0, 0}});
    assert_true(found.fast_ns > 1 && found.fast_ns < 100);
    assert_float_equal(found.slow_ns, 100, 0);
    assert_float_equal(found.of[0], 0, 0);
    assert_float_equal(found.of[1], 1, 0);
    free(found.of);
}

/* --- effects ---------------------------------------------------------------------------------- */

enum { ELEMENTS = 5, TRIALS = 7 };

/* The slowness of each element in each trial; 0: it does not take part. */
static const double slow[TRIALS][ELEMENTS] = {
    {0.9, 0.8, 0.1, 0, 0},     {0.2, 0, 0.7, 0.3, 0}, {0, 0.4, 0.5, 0, 0.6},
    {0.3, 0.1, 0.9, 0.8, 0.2}, {0.7, 0, 0, 0.1, 0},   {0, 0.6, 0, 0.9, 0.2},
    {0.5, 0.3, 0.8, 0, 0.4},
};

static double mean_of_trial(int t)
{
    double sum = 0;
    int count = 0;
    for (int e = 0; e < ELEMENTS; e++) {
        sum += slow[t][e];
        count += slow[t][e] > 0;
    }
    return sum / count;
}

/* How much slower than in the mean of the trial, and than always. */
static double excess(int t, int e)
{
    double sum = 0;
    int count = 0;
    for (int other = 0; other < TRIALS; other++)
        if (slow[other][e] > 0) {
            sum += slow[other][e] - mean_of_trial(other);
            count++;
        }
    return slow[t][e] - mean_of_trial(t) - sum / count;
}

/* Two of `walked` of the elements are a given pair of them with this probability. */
static double pair_share(int t)
{
    int walked = 0;
    for (int e = 0; e < ELEMENTS; e++)
        walked += slow[t][e] > 0;
    return walked * (walked - 1) / (double)(ELEMENTS * (ELEMENTS - 1));
}

/* The trials `times` times, in two halves of their own: each half then has every trial. */
static void effect_is_the_mean_excess_together(int times)
{
    float slowness[64 * TRIALS * ELEMENTS];
    srv_coeviction trials = {.elements = ELEMENTS};
    srv_effects effects;
    double pairs = 0;
    for (int n = 0; n < times * TRIALS; n++) {
        int t = n % TRIALS, walked = 0;
        size_t at;
        for (int e = 0; e < ELEMENTS; e++)
            walked += slow[t][e] > 0;
        assert_ok(srv_coeviction_add(&trials, 1, walked, &at, NULL));
        for (uint32_t e = 0; e < ELEMENTS; e++)
            if (slow[t][e] > 0) {
                trials.element[at] = e;
                slowness[at++] = (float)slow[t][e];
            }
        pairs += pair_share(t) / 2;
    }
    assert_true(srv_coeviction_effects(&trials, slowness, &effects));
    assert_int_equal(effects.n, ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++)
        for (int j = 0; j < ELEMENTS; j++) {
            double expected[2] = {0}, back[2] = {0};
            for (int n = 0; n < times * TRIALS; n++) {
                int t = n % TRIALS;
                bool together = slow[t][i] > 0 && slow[t][j] > 0;
                expected[n % 2] += together ? excess(t, i) / fmax(1, pairs) : 0;
                back[n % 2] += together ? excess(t, j) / fmax(1, pairs) : 0;
            }
            int at = i * ELEMENTS + j;
            assert_float_equal(effects.half[0][at], expected[0], 1e-5);
            assert_float_equal(effects.half[1][at], expected[1], 1e-5);
            assert_float_equal(effects.both[at],
                               (expected[0] + expected[1] + back[0] + back[1]) / 4, 1e-5);
        }
    srv_effects_finish(&effects);
    assert_null(effects.both);
    srv_coeviction_finish(&trials);
}

/* With few trials, each pair is expected at most once. */
TEST(effects_are_the_additional_time_of_elements_together)
{
    effect_is_the_mean_excess_together(1);
    effect_is_the_mean_excess_together(3);
    effect_is_the_mean_excess_together(40);
}
