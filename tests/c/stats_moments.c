/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeats with known values: modes are found if there are any. */
#include "test.h"

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

static int modes_in(const srv_repeat *repeats, int count)
{
    servet_modes modes;
    srv_repeats_modes(repeats, count, &modes);
    return modes.count;
}

/* --- modes ------------------------------------------------------------------------------------ */

/* Limits are three standard errors of 200 series above the rates that 1500 series had. */
TEST(noise_is_not_a_mode)
{
    test_leave_to_plain_build();
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
    for (size_t i = 0; i < test_cases(7, sizeof shapes / sizeof *shapes); i++)
        for (int count = 12; count <= 48; count *= 2) {
            srv_repeat repeats[SRV_REPEATS_MAX];
            int two = 0;
            for (int k = 0; k < SERIES; k++) {
                fill(repeats, count, shapes[i].shape, shapes[i].spread);
                two += modes_in(repeats, count) == 2;
            }
            if (100. * two / SERIES > shapes[i].at_most)
                fail_msg("%s of %g, %d repeats: two modes in %d of %d", shapes[i].name,
                         shapes[i].spread, count, two, SERIES);
        }
}

TEST(two_modes_are_found)
{
    test_leave_to_plain_build();
    static const struct {
        int count, slow;
        double factor, spread, at_least; /* percent of the series */
    } cases[] = {
        {12, 6, 1.15, 0.01, 98},  {12, 3, 1.15, 0.01, 80}, {12, 9, 1.15, 0.01, 80},
        {12, 3, 2.5, 0.03, 95},   {12, 9, 2.5, 0.03, 95},  {12, 6, 1.5, 0.05, 80},
        {20, 4, 1.15, 0.01, 95},  {20, 16, 2.5, 0.05, 95}, {24, 12, 1.15, 0.02, 85},
        {48, 10, 1.15, 0.02, 90}, {48, 24, 2.5, 0.1, 98},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        srv_repeat repeats[SRV_REPEATS_MAX];
        int two = 0;
        for (int k = 0; k < SERIES; k++) {
            fill_two(repeats, cases[i].count, cases[i].slow, cases[i].factor, cases[i].spread);
            two += modes_in(repeats, cases[i].count) == 2;
        }
        if (100. * two / SERIES < cases[i].at_least)
            fail_msg("%d of %d are %g times as much, spread %g: seen in %d of %d", cases[i].slow,
                     cases[i].count, cases[i].factor, cases[i].spread, two, SERIES);
    }
}

TEST(modes_have_their_values)
{
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
TEST(a_change_within_a_repeat_does_not_hide_them)
{
    srv_repeat repeats[24];
    fill_two(repeats, 24, 12, 2.5, 0.02);
    repeats[3].value = 160;
    assert_int_equal(modes_in(repeats, 24), 2);
}

TEST(few_or_equal_repeats_have_one_mode)
{
    srv_repeat repeats[24];
    fill_two(repeats, 5, 3, 2.5, 0.001);
    assert_int_equal(modes_in(repeats, 5), 0);
    fill(repeats, 24, bell, 0);
    assert_int_equal(modes_in(repeats, 24), 0);
    fill_two(repeats, 24, 12, 1.03, 0.0001); /* nearer than matters */
    assert_int_equal(modes_in(repeats, 24), 0);
}

/* A third of them met a time slice of others: milliseconds, where a message takes a microsecond. */
TEST(a_time_slice_of_others_is_not_a_mode)
{
    srv_repeat repeats[24];
    servet_modes modes;
    fill_two(repeats, 24, 8, 1000, 0.02);
    srv_repeats_modes(repeats, 24, &modes);
    assert_int_equal(modes.count, 0);
    servet_value value = srv_repeats_value(repeats, 24, SERVET_UNIT_SECOND);
    assert_int_equal(value.samples, 16);
    assert_true(value.low > 90 && value.high < 110);
}
