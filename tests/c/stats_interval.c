/* SPDX-License-Identifier: BSD-3-Clause */
/* In series of visits with a known median, 93 to 97 % of the intervals contain this median. */
#include "test.h"

#include "chance.h"
#include "stats/interval.h"
#include "stats/robust.h"

enum { SERIES = 4000, VISITS_MAX = 64 };

/* --- kinds of visits -------------------------------------------------------------------------- */

static double quiet(void)
{
    return exp(0.05 * normal());
}

/* One visit in ten is interrupted, for twice the time on average. */
static double interrupted(void)
{
    return quiet() * (chance() < 0.1 ? 1 - log(chance()) : 1);
}

static double with_a_tail(void)
{
    return 1 - 0.2 * log(chance());
}

/* Three of ten visits are in a mode that takes 1.5 times as long. */
static double of_two_modes(void)
{
    return exp(0.02 * normal()) * (chance() < 0.3 ? 1.5 : 1);
}

/* The clock's step is a standard deviation of the visits. */
static double of_a_coarse_clock(void)
{
    return 0.05 * rint(quiet() / 0.05);
}

/* Each visit has most of the disturbance of the visit before it. */
static double drifting(void)
{
    static double away = 0;
    away = 0.7 * away + sqrt(1 - 0.7 * 0.7) * normal();
    return exp(0.05 * away);
}

static double true_median(double (*visit)(void))
{
    enum { MANY = 200001 };
    double *visits = malloc(MANY * sizeof *visits), median;
    assert_non_null(visits);
    for (int i = 0; i < MANY; i++)
        visits[i] = visit();
    srv_sort(visits, MANY);
    median = visits[MANY / 2];
    free(visits);
    return median;
}

/* Returns the percentage of the intervals of `count` visits that contain the median. */
static double held(double (*visit)(void), double median, size_t count)
{
    int inside = 0;
    for (int i = 0; i < SERIES; i++) {
        double visits[VISITS_MAX];
        for (size_t k = 0; k < count; k++)
            visits[k] = visit();
        srv_interval found = srv_interval_of(visits, count);
        assert_true(found.low <= found.value && found.value <= found.high);
        inside += found.low <= median * (1 + 1e-12) && median <= found.high * (1 + 1e-12);
    }
    return 100. * inside / SERIES;
}

/* --- coverage --------------------------------------------------------------------------------- */

typedef struct kind {
    const char *name;
    double (*visit)(void);
    size_t fewest;         /* visits */
    double least, at_most; /* percentage of intervals that contain the median */
} kind;

static void check(const kind *of)
{
    static const size_t counts[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 64};
    double median = true_median(of->visit);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        double percent = counts[i] < of->fewest ? of->least : held(of->visit, median, counts[i]);
        if (percent < of->least || percent > of->at_most)
            fail_msg("%zu visits, %s: %g %% hold the median", counts[i], of->name, percent);
    }
}

TEST(intervals_of_independent_visits_contain_the_median_as_often_as_promised)
{
    static const kind kinds[] = {
        {"quiet", quiet, 2, 93, 97},
        {"interrupted", interrupted, 2, 93, 97},
        {"with a tail", with_a_tail, 2, 93, 97},
        {"of two modes", of_two_modes, 6, 93, 97},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        check(&kinds[i]);
}

/* Rounded visits make wider intervals, because these end at whole steps of the clock. With a step
 * of one standard deviation, two visits are often equal and have no interval; so there are three.
 */
TEST(a_coarse_clock_makes_no_interval_too_narrow)
{
    check(&(kind){"of a coarse clock", of_a_coarse_clock, 3, 93, 100});
}

/* This is the limit of the method: eight visits that depend on each other count like three. */
TEST(intervals_of_drifting_visits_are_too_narrow)
{
    double percent = held(drifting, 1, 8);
    assert_true(percent > 50 && percent < 85);
}

/* A few sizes have two visits each, with the same relative deviation. Pooled, their intervals are
 * less than half as wide as those of two visits alone. */
TEST(rows_have_one_deviation)
{
    enum { ROWS = 4, OF_ROW = 2 };
    double inside = 0, logs = 0, alone = 0;
    for (int i = 0; i < SERIES; i++) {
        double visits[ROWS][OF_ROW];
        srv_pooled pooled = {0};
        for (int row = 0; row < ROWS; row++) {
            for (int k = 0; k < OF_ROW; k++)
                visits[row][k] = (row + 1) * quiet();
            srv_pool(&pooled, visits[row], OF_ROW);
        }
        assert_int_equal(pooled.freedom, ROWS);
        for (int row = 0; row < ROWS; row++) {
            double same[OF_ROW] = {visits[row][0], visits[row][1]};
            srv_interval own = srv_interval_of(same, OF_ROW),
                         found = srv_interval_pooled(&pooled, visits[row], OF_ROW);
            inside += found.low <= row + 1 && row + 1 <= found.high;
            logs += log(found.high / found.low);
            alone += log(own.high / own.low);
        }
    }
    double percent = 100 * inside / SERIES / ROWS;
    assert_true(percent > 93 && percent < 97);
    assert_true(logs < alone / 2);
}

/* In the table of Student's distribution, ten degrees of freedom have 2.228. */
TEST(a_single_visit_has_the_deviation_of_the_others)
{
    const srv_pooled pooled = {10 * 0.01 * 0.01, 10}, none = {0};
    double visit = 3;
    srv_interval found = srv_interval_pooled(&pooled, &visit, 1);
    assert_float_equal(log(found.high / 3), 0.02228, 0.0003);
    assert_float_equal(log(3 / found.low), 0.02228, 0.0003);
    visit = 3;
    found = srv_interval_pooled(&none, &visit, 1);
    assert_float_equal(found.low, 3, 1e-12);
    assert_float_equal(found.high, 3, 1e-12);
}

/* --- ends of an interval ---------------------------------------------------------------------- */

/* The interval of 12 visits ends between the third and the fourth on each side. */
TEST(ranks_are_interpolated)
{
    double sorted[12], outside = 6 - 0.4 - 0.98 * sqrt(12);
    for (int i = 0; i < 12; i++)
        sorted[i] = i;
    srv_interval found = srv_interval_by_ranks(sorted, 12, 12);
    assert_float_equal(found.value, 5.5, 1e-12);
    assert_float_equal(found.low, outside, 1e-9);
    assert_float_equal(found.high, 11 - outside, 1e-9);
    found = srv_interval_by_ranks(sorted, 12, 5);
    assert_true(found.low == 0 && found.high == 11);
}

/* One interrupted visit among few widens the interval, which still contains the undisturbed visits.
 */
TEST(few_visits_have_students_interval)
{
    double visits[] = {exp(1), exp(2), exp(6)}; /* logarithms: mean 3, variance 7 */
    srv_interval found = srv_interval_of(visits, 3);
    assert_float_equal(log(found.value), 2, 1e-12);
    assert_float_equal(log(found.low), 3 - fmax(log(10), 2.5), 1e-9);
    double alike[] = {1, 1.01, 1.02, 1.03};
    found = srv_interval_of(alike, 4);
    assert_float_equal(found.high / found.low, exp(2 * 3.182 * 0.01271 / 2), 1e-3);
}

/* One of two visits was disturbed: the interval contains the other one, and stays within two orders
 * of magnitude around both. */
TEST(two_visits_far_apart_have_a_bounded_interval)
{
    static const double slowdowns[] = {2, 8, 50, 90, 400, 1e5};
    for (size_t i = 0; i < sizeof slowdowns / sizeof *slowdowns; i++) {
        double visits[] = {1, slowdowns[i]};
        srv_interval found = srv_interval_of(visits, 2);
        assert_true(found.low <= 1.01 && slowdowns[i] <= 1.01 * found.high);
        assert_true(found.high <= 100 * slowdowns[i] && found.low >= 0.01);
    }
}

TEST(one_visit_is_its_own_interval)
{
    double visit = 42;
    srv_interval found = srv_interval_of(&visit, 1);
    assert_float_equal(found.value, 42, 1e-9);
    assert_true(found.low == found.value && found.high == found.value);
}
