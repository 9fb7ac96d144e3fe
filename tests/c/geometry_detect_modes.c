/* SPDX-License-Identifier: BSD-3-Clause */
/* Two normal distributions of effects are found as they were made. */
#include "test.h"

#include "facts/geometry/detect_pages.h"

enum { N_MAX = 200 };

static float effect[N_MAX * N_MAX];

/* Quantile q of the normal distribution, by halving. */
static double normal_at(double q)
{
    double low = -9, high = 9;
    for (int i = 0; i < 60; i++) {
        double x = (low + high) / 2;
        if (0.5 * erfc(-x / sqrt(2)) < q)
            low = x;
        else
            high = x;
    }
    return low;
}

/* Elements of `colours` in turn. Effects are evenly spaced quantiles of their distribution. */
static void fill(int n, int colours, const srv_modes *of)
{
    int count[2] = {0}, at[2] = {0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            count[i % colours == j % colours]++;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            int same = i % colours == j % colours;
            double z = normal_at((at[same]++ + 0.5) / count[same]);
            effect[i * n + j] = (float)((same ? of->same : of->other) + of->spread[same] * z);
        }
}

static void finds(int n, int colours, srv_modes made, double tolerance)
{
    fill(n, colours, &made);
    srv_modes found = srv_find_modes(effect, n);
    double width = made.same - made.other, share = (double)(n / colours - 1) / (n - 1);
    assert_float_equal(found.other, made.other, tolerance * width);
    assert_float_equal(found.same, made.same, tolerance * width);
    assert_float_equal(found.spread[0], made.spread[0], tolerance * width);
    assert_float_equal(found.spread[1], made.spread[1], tolerance * width);
    assert_float_equal(found.share, share, 0.01);
}

TEST(two_distributions_far_apart_are_found)
{
    finds(120, 4, (srv_modes){.other = 0, .same = 1, .spread = {0.05, 0.1}}, 0.003);
    finds(120, 8, (srv_modes){.other = -0.2, .same = 0.3, .spread = {0.04, 0.03}}, 0.003);
    finds(200, 20, (srv_modes){.other = 5, .same = 25, .spread = {1, 2}}, 0.005);
}

/* The tails of the modes overlap: the mode of a value can only be decided by probability. */
TEST(two_distributions_that_overlap_are_found)
{
    finds(200, 4, (srv_modes){.other = 0, .same = 1, .spread = {0.25, 0.25}}, 0.02);
    finds(200, 5, (srv_modes){.other = 0, .same = 1, .spread = {0.2, 0.3}}, 0.02);
}

/* The deviation of effects within a colour is at least half of the others', and at most half of the
 * pairs are of one colour. */
TEST(modes_have_limits)
{
    fill(120, 4, &(srv_modes){.other = 0, .same = 1, .spread = {0.1, 0}});
    srv_modes found = srv_find_modes(effect, 120);
    assert_float_equal(found.spread[1], found.spread[0] / 2, 1e-12);
    assert_float_equal(found.same, 1, 0.002);
    fill(120, 1, &(srv_modes){.other = 0, .same = 1, .spread = {0.1, 0.1}});
    assert_true(srv_find_modes(effect, 120).share <= 0.5);
}

/* Two values: each is found to half a class of 1024, and no spread is less than a class. */
TEST(two_values_are_found_to_a_class)
{
    fill(40, 4, &(srv_modes){.other = 2, .same = 6, .spread = {0, 0}});
    srv_modes found = srv_find_modes(effect, 40);
    double class_width = 4.0 / 1024;
    assert_float_equal(found.other, 2 + class_width / 2, 1e-6);
    assert_float_equal(found.same, 6 - class_width / 2, 1e-6);
    assert_float_equal(found.spread[0], class_width, 1e-6);
    assert_float_equal(found.spread[1], class_width / 2, 1e-6);
    assert_float_equal(found.share, 9.0 / 39, 1e-6);
}

TEST(equal_effects_are_one_mode)
{
    fill(10, 2, &(srv_modes){.other = 3, .same = 3, .spread = {0, 0}});
    srv_modes found = srv_find_modes(effect, 10);
    assert_float_equal(found.other, 3, 1e-6);
    assert_true(isfinite(found.same) && isfinite(found.spread[0]) && isfinite(found.share));
}
