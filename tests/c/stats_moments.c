/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeats with known values: modes are found if there are any. */
#include "test.h"

#include <math.h>

#include "chance.h"
#include "stats/moments.h"

/* --- series ----------------------------------------------------------------------------------- */

/* Shapes of one mode around 1, of relative spread `s`. */
static double bell(double s)
{
    return fmax(0.1, 1 + s * normal());
}
static double tail(double s)
{
    return 1 - s * log(chance());
}
static double falling(double s)
{
    return 1 / tail(s);
}
static double box(double s)
{
    return 1 + s * 3.46 * chance();
}
/* One in twenty is off by 70 % on average, more or less: a disturbance. */
static double disturbed(double s)
{
    return bell(s) * (chance() < 0.05 ? tail(0.7) : 1);
}
static double lucky(double s)
{
    return bell(s) / (chance() < 0.05 ? tail(0.7) : 1);
}

static void fill(srv_repeat *repeats, int count, double (*shape)(double s), double spread)
{
    for (int i = 0; i < count; i++)
        repeats[i] = (srv_repeat){100 * shape(spread), i, i};
}

/* `slow` repeats are larger by `factor`: the shares are exact, and the values alternate in long
 * runs, as under a hypervisor. */
static void fill_two(srv_repeat *repeats, int count, int slow, double factor, double spread)
{
    fill(repeats, count, bell, spread);
    for (int i = 0; i < slow; i++)
        repeats[(i + count / 3) % count].value *= factor;
}

enum { SERIES = 200 };

/* Percent of series that two modes are seen in. */
static double seen(int count, double (*shape)(double s), double spread)
{
    srv_repeat repeats[SRV_REPEATS_MAX];
    servet_modes modes;
    int two = 0;
    for (int i = 0; i < SERIES; i++) {
        fill(repeats, count, shape, spread);
        srv_repeats_modes(repeats, count, &modes);
        two += modes.count == 2;
    }
    return 100. * two / SERIES;
}

static double seen_two(int count, int slow, double factor, double spread)
{
    srv_repeat repeats[SRV_REPEATS_MAX];
    servet_modes modes;
    int two = 0;
    for (int i = 0; i < SERIES; i++) {
        fill_two(repeats, count, slow, factor, spread);
        srv_repeats_modes(repeats, count, &modes);
        two += modes.count == 2;
    }
    return 100. * two / SERIES;
}

/* --- modes ------------------------------------------------------------------------------------ */

/* Limits are three standard errors of 200 series above the rates that 1500 series had. */
static void noise_is_not_a_mode(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double (*shape)(double s);
        double spread, at_most; /* percent of the series */
    } shapes[] = {
        {"bell", bell, 0.05, 3},
        {"tail", tail, 0.2, 9},
        {"disturbed", disturbed, 0.05, 3},
        {"bell", bell, 0.005, 0},
        {"bell", bell, 0.2, 3},
        {"tail", tail, 0.05, 9},
        {"falling", falling, 0.2, 9},
        {"box", box, 0.05, 9},
        {"box", box, 0.2, 9},
        {"disturbed", disturbed, 0.01, 2},
        {"lucky", lucky, 0.005, 2},
    };
    const size_t all = sizeof shapes / sizeof *shapes;
    for (size_t i = 0; i < test_cases(all, all); i++)
        for (int count = 12; count <= 48; count *= 2) {
            double percent = seen(count, shapes[i].shape, shapes[i].spread);
            if (percent > shapes[i].at_most)
                fail_msg("%s of %g, %d repeats: two modes in %g %%", shapes[i].name,
                         shapes[i].spread, count, percent);
        }
}

static void two_modes_are_found(void **state)
{
    (void)state;
    static const struct {
        int count, slow;
        double factor, spread, at_least; /* percent of the series */
    } cases[] = {
        {12, 6, 1.15, 0.01, 98},  {12, 3, 1.15, 0.01, 80}, {12, 9, 1.15, 0.01, 80},
        {12, 3, 2.5, 0.03, 95},   {12, 9, 2.5, 0.03, 95},  {12, 6, 1.5, 0.05, 80},
        {20, 4, 1.15, 0.01, 95},  {20, 16, 2.5, 0.05, 95}, {24, 12, 1.15, 0.02, 85},
        {48, 10, 1.15, 0.02, 90}, {48, 24, 2.5, 0.1, 98},
    };
    const size_t all = sizeof cases / sizeof *cases;
    for (size_t i = 0; i < test_cases(all, all); i++) {
        double percent = seen_two(cases[i].count, cases[i].slow, cases[i].factor, cases[i].spread);
        if (percent < cases[i].at_least)
            fail_msg("%d of %d are %g times as much, spread %g: seen in %g %%", cases[i].slow,
                     cases[i].count, cases[i].factor, cases[i].spread, percent);
    }
}

static void modes_have_their_values(void **state)
{
    (void)state;
    srv_repeat repeats[20];
    servet_modes modes;
    fill_two(repeats, 20, 8, 2.5, 0.01);
    srv_repeats_modes(repeats, 20, &modes);
    assert_int_equal(modes.count, 2);
    assert_float_equal(modes.value[0], 100, 2);
    assert_float_equal(modes.value[1], 250, 5);
    assert_float_equal(modes.share[0], 0.6, 0.01);
    assert_float_equal(modes.share[1], 0.4, 0.01);
}

/* A repeat in which the change came lies between them. */
static void a_change_within_a_repeat_does_not_hide_them(void **state)
{
    (void)state;
    srv_repeat repeats[24];
    servet_modes modes;
    fill_two(repeats, 24, 12, 2.5, 0.02);
    repeats[3].value = 160;
    srv_repeats_modes(repeats, 24, &modes);
    assert_int_equal(modes.count, 2);
}

static void few_or_equal_repeats_have_one_mode(void **state)
{
    (void)state;
    srv_repeat repeats[24];
    servet_modes modes;
    fill_two(repeats, 5, 3, 2.5, 0.001);
    srv_repeats_modes(repeats, 5, &modes);
    assert_int_equal(modes.count, 0);
    fill(repeats, 24, bell, 0);
    srv_repeats_modes(repeats, 24, &modes);
    assert_int_equal(modes.count, 0);
    fill_two(repeats, 24, 12, 1.03, 0.0001); /* nearer than matters */
    srv_repeats_modes(repeats, 24, &modes);
    assert_int_equal(modes.count, 0);
}

/* A third of them met a time slice of others: milliseconds, where a message takes a microsecond. */
static void a_time_slice_of_others_is_not_a_mode(void **state)
{
    (void)state;
    srv_repeat repeats[24];
    servet_modes modes;
    fill_two(repeats, 24, 8, 1000, 0.02);
    srv_repeats_modes(repeats, 24, &modes);
    assert_int_equal(modes.count, 0);
    servet_value value = srv_repeats_value(repeats, 24, SERVET_UNIT_SECOND);
    assert_int_equal(value.samples, 16);
    assert_true(value.low > 90 && value.high < 110);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_not_a_mode),
        cmocka_unit_test(two_modes_are_found),
        cmocka_unit_test(modes_have_their_values),
        cmocka_unit_test(a_change_within_a_repeat_does_not_hide_them),
        cmocka_unit_test(few_or_equal_repeats_have_one_mode),
        cmocka_unit_test(a_time_slice_of_others_is_not_a_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
