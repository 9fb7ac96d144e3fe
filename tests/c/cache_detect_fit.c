/* SPDX-License-Identifier: BSD-3-Clause */
/* How a curve is prepared for a fit, and what a fit with given knees is: each against its
 * definition, with curves that are exactly the model. */
#include "test.h"
#include "fit_room.h"

#include "facts/cache/detect_model.h"

/* --- curves ----------------------------------------------------------------------------------- */

enum { POINTS_MAX = 800 };

static double bytes[POINTS_MAX], latency[POINTS_MAX], low[POINTS_MAX], high[POINTS_MAX];
static servet_curve curve;

/* `per_octave` points an octave from 2^10 bytes on, all of `ns`, without error. */
static void flat(int n, double per_octave, double ns)
{
    curve = (servet_curve){.n = (size_t)n,
                           .bytes = bytes,
                           .latency = latency,
                           .low = low,
                           .high = high,
                           .unit = SERVET_UNIT_CYCLE};
    for (int i = 0; i < n; i++) {
        bytes[i] = exp2(10 + i / per_octave);
        latency[i] = low[i] = high[i] = ns;
    }
}

static void begin(double offset, double scale)
{
    srv_fitter_init(fitter, shapes, &curve, offset, scale);
}

/* --- points ----------------------------------------------------------------------------------- */

/* Irregular numbers, which no tool printed with two digits. */
static double irregular(int i)
{
    return 3 + 0.7 * sin(i) + 0.001 * i;
}

TEST(points_are_those_of_the_curve)
{
    flat(40, 4, 1);
    for (int i = 0; i < 40; i++) {
        latency[i] = irregular(i);
        low[i] = latency[i] - 0.2;
        high[i] = latency[i] + 0.2;
    }
    begin(1, 2);
    assert_int_equal(fitter->n, 40);
    for (int i = 0; i < 40; i++) {
        assert_float_equal(fitter->size[i], 10 + i / 4.0, 1e-9);
        assert_float_equal(fitter->latency[i], 2 * (irregular(i) - 1), 1e-9);
        assert_float_equal(fitter->spread[i], 0.2, 1e-9); /* a quarter of 0.4, twice */
    }
    assert_float_equal(fitter->density, 1, 0);
    assert_true(fitter->fine && fitter->shapes_allowed == SRV_SHAPES_FINE);
    assert_float_equal(fitter->misfit, 1, 0);
    assert_false(srv_fitter_is_random(fitter));
}

/* 3 octaves in 1 + 3 * rate points: from four an octave on each counts less, from three on they
 * tell ways. */
TEST(points_count_by_their_density)
{
    static const int rates[] = {2, 3, 4, 5, 8, 16};
    for (int i = 0; i < 6; i++) {
        flat(1 + 3 * rates[i], rates[i], 5.123);
        begin(0, 1);
        assert_float_equal(fitter->density, fmin(1, 4.0 / rates[i]), 1e-9);
        assert_int_equal(fitter->fine, rates[i] >= 3);
        assert_true(fitter->shapes_allowed ==
                    (rates[i] >= 3 ? SRV_SHAPES_FINE : SRV_SHAPES_COARSE));
    }
}

/* Neighbours among more than 256 points are merged: geometric means, and the mean of the spreads.
 */
TEST(many_points_are_merged)
{
    static const int counts[] = {256, 257, 512, 513, 769};
    for (int k = 0; k < 5; k++) {
        int n = counts[k], group = (n + 255) / 256;
        flat(n, 40, 1);
        for (int i = 0; i < n; i++) {
            latency[i] = exp2(irregular(i));
            low[i] = latency[i] - irregular(i);
            high[i] = latency[i] + irregular(i);
        }
        begin(0, 1);
        assert_int_equal(fitter->n, (n + group - 1) / group);
        for (int i = 0; i < fitter->n; i++) {
            int first = i * group, end = first + group < n ? first + group : n;
            double size = 0, log_latency = 0, spread = 0;
            for (int j = first; j < end; j++) {
                size += (10 + j / 40.0) / (end - first);
                log_latency += irregular(j) / (end - first);
                spread += irregular(j) / 2 / (end - first);
            }
            assert_float_equal(fitter->size[i], size, 1e-9);
            assert_float_equal(fitter->latency[i], exp2(log_latency), 1e-9);
            assert_float_equal(fitter->spread[i], spread, 1e-9);
        }
    }
    curve.low = curve.high = NULL;
    begin(0, 1);
    assert_float_equal(fitter->spread[0], 0, 0);
}

/* Sizes up to 0.6 octaves larger show what a size may be by chance. */
TEST(spreads_are_those_of_larger_sizes_too)
{
    double alone[20];
    flat(20, 4, 10);
    begin(0, 1);
    memcpy(alone, fitter->precision, sizeof alone);
    high[12] += 12; /* an error of 3 */
    begin(0, 1);
    for (int i = 9; i <= 13; i++) {
        double error = i == 12 ? 3 : i == 10 || i == 11 ? 1 : 0;
        assert_float_equal(pow(fitter->precision[i], -2) - pow(alone[i], -2), error * error, 1e-9);
    }
}

/* --- steps ------------------------------------------------------------------------------------ */

static srv_fit two_steps(bool filtered)
{
    return (srv_fit){
        .n = 2,
        .base = 1.5,
        .step = {{15, SRV_SHAPE_LRU_8, false, 4}, {18.3, SRV_SHAPE_EVICT, filtered, 20}}};
}

/* Sizes of 2^10 to 2^24, six an octave; a quarter of a cycle of translation more an octave. */
static void begin_model(const srv_fit *fit, double translation)
{
    double penalty[SRV_POINTS_MAX];
    flat(85, 6, 1);
    begin(0, 1);
    for (int i = 0; i < 85; i++) {
        penalty[i] = i / 24.0;
        latency[i] = low[i] = high[i] =
            srv_fit_predict(fitter, fit, log2(bytes[i])) + translation * penalty[i];
    }
    begin(0, 1);
    srv_fitter_set_penalty(fitter, translation > 0 ? penalty : NULL);
    srv_fitter_trust_all(fitter);
}

TEST(heights_of_the_right_knees_are_exact)
{
    for (int filtered = 0; filtered < 2; filtered++)
        for (int translated = 0; translated < 2; translated++) {
            srv_fit truth = two_steps(filtered), fit = truth;
            begin_model(&truth, translated ? 0.6 : 0);
            fit.step[0].height = fit.step[1].height = fit.base = 0;
            srv_fit_heights(fitter, &fit);
            assert_float_equal(fit.base, 1.5, 1e-6);
            assert_float_equal(fit.step[0].height, 4, 1e-6);
            assert_float_equal(fit.step[1].height, 20, 1e-6);
            assert_float_equal(fit.translation, translated ? 0.6 : 0, 1e-6);
            assert_float_equal(fit.cost, 0, 1e-9);
            assert_float_equal(srv_fit_error(fitter, &fit), 1e-3, 0);
            assert_float_equal(srv_fit_predict(fitter, &fit, 17),
                               srv_fit_predict(fitter, &truth, 17), 1e-6);
        }
}

/* Loads of all lines miss the TLB no more often than those of one line per page, but for an error
 * of a tenth. */
TEST(translation_costs_no_more_than_was_measured)
{
    srv_fit truth = two_steps(false), fit = truth;
    begin_model(&truth, 1.08);
    srv_fit_heights(fitter, &fit);
    assert_float_equal(fit.translation, 1.08, 1e-6);
    begin_model(&truth, 1.6);
    srv_fit_heights(fitter, &fit);
    assert_float_equal(fit.translation, 1.1, 1e-9);
    assert_true(fit.cost > 0.1);
}

/* A point twice as high, 16 errors away, counts as two errors do: an eighth. */
TEST(outliers_count_less)
{
    srv_fit truth = two_steps(false), fit = truth;
    begin_model(&truth, 0);
    latency[10] *= 2;
    low[10] = high[10] = latency[10];
    begin(0, 1);
    srv_fitter_trust_all(fitter);
    double full = fitter->weight[10];
    assert_float_equal(full, pow(fitter->precision[10], 2), 1e-9);
    srv_fit_heights(fitter, &fit);
    assert_true(fitter->weight[10] > 0.2 * full && fitter->weight[10] < 0.3 * full);
    assert_float_equal(fitter->weight[11], pow(fitter->precision[11], 2), 1e-9);
    assert_float_equal(fit.base, 1.5, 0.03);
    srv_fitter_trust_all(fitter);
    assert_float_equal(fitter->weight[10], full, 0);
}

/* A fit with the largest number of steps. */
TEST(a_full_fit_has_all_its_heights)
{
    srv_fit truth = {.n = SRV_STEPS_MAX, .base = 2}, fit;
    for (int k = 0; k < truth.n; k++)
        truth.step[k] = (srv_step){11 + 12.0 * k / truth.n, SRV_SHAPE_LRU_8, false, 1 + k};
    begin_model(&truth, 0);
    fit = truth;
    fit.cost = -1;
    srv_fit_heights(fitter, &fit);
    assert_float_equal(fit.base, 2, 1e-3);
    assert_float_equal(fit.cost, 0, 1e-6);
    for (int k = 0; k < truth.n; k++)
        assert_float_equal(fit.step[k].height, 1 + k, 1e-3);
}

/* In the place of one step of those loaded; a filtered one changes with the step before it. */
TEST(placing_a_step_is_loading_all)
{
    for (int filtered = 0; filtered < 2; filtered++)
        for (int k = 0; k < 2; k++) {
            srv_fit truth = two_steps(filtered), fit = truth, moved = truth;
            begin_model(&truth, 0);
            moved.step[k].knee += 0.4;
            moved.step[k].shape = SRV_SHAPE_KEEP;
            srv_fitter_load(fitter, &moved);
            double expected = srv_fitter_cost(fitter);
            srv_fitter_load(fitter, &fit);
            assert_float_equal(srv_fitter_cost(fitter), 0, 1e-9);
            srv_fitter_place(fitter, k, moved.step[k]);
            assert_true(expected > 0.1);
            assert_float_equal(srv_fitter_cost(fitter), expected, 1e-9);
            assert_float_equal(fitter->step[k].knee, moved.step[k].knee, 0);
        }
}

TEST(the_step_before_is_the_smallest)
{
    static const srv_step steps[] = {{.knee = 18}, {.knee = 14}, {.knee = 16}};
    assert_int_equal(srv_step_before(steps, 3, 0), 1);
    assert_int_equal(srv_step_before(steps, 3, 1), -1);
    assert_int_equal(srv_step_before(steps, 3, 2), 1);
    assert_int_equal(srv_step_before(steps, 1, 0), -1);
}

/* A cache that sees only the misses of the one before has room for more. At 2^19 bytes the first
 * cache, of 2^18, keeps its lines and misses half: exactly the capacity of the second. */
TEST(a_filtered_cache_sees_the_misses)
{
    srv_fit fit = {
        .n = 2, .base = 1, .step = {{18, SRV_SHAPE_KEEP, false, 2}, {18, SRV_SHAPE_KEEP, true, 8}}};
    flat(40, 4, 1);
    begin(0, 1);
    assert_float_equal(srv_fit_miss(fitter, &fit, 0, 19), 0.5, 1e-3);
    assert_float_equal(srv_fit_miss(fitter, &fit, 1, 19), 0, 1e-3);
    assert_float_equal(srv_fit_miss(fitter, &fit, 1, 20), 0.75 * (1 - 1 / 3.0), 1e-3);
    assert_float_equal(srv_fit_miss(fitter, &fit, 1, 17), 0, 0);
    fit.step[1].filtered = false;
    assert_float_equal(srv_fit_miss(fitter, &fit, 1, 19), 0.5, 1e-3);
    assert_float_equal(srv_fit_predict(fitter, &fit, 19), 1 + 1 + 4, 0.01);
    fit.n = 1; /* what is left of a step that was dropped does not count */
    assert_float_equal(srv_fit_predict(fitter, &fit, 19), 1 + 1, 0.01);
}

/* --- errors that are left --------------------------------------------------------------------- */

/* All points are off by a share of what is expected, every second one up. */
static double misfit_of(double share, bool independent)
{
    srv_fit fit = {.n = 0, .base = 10};
    flat(40, 4, 10);
    curve.low = curve.high = NULL;
    begin(0, 1);
    if (independent)
        srv_fitter_set_random(fitter);
    for (int i = 0; i < 40; i++)
        fitter->latency[i] += (i % 2 ? share : -share) / fitter->precision[i];
    srv_fitter_sharpen(fitter, &fit);
    return fitter->misfit;
}

/* At least a fifth, and at most all, of the value that is expected for any curve. */
TEST(a_good_fit_lets_smaller_errors_be_expected)
{
    assert_float_equal(misfit_of(0.1, false), 1, 0);
    assert_float_equal(misfit_of(0.6, false), 3, 1e-6);
    assert_float_equal(misfit_of(1.7, false), 5, 0);
    /* by the median, which is 0.674 of normal errors; a third at least */
    assert_float_equal(misfit_of(0.1, true), 1, 0);
    assert_float_equal(misfit_of(0.5 * 0.674, true), 0.5 / 0.33, 1e-6);
    assert_float_equal(misfit_of(1.7, true), 1 / 0.33, 1e-9);
}

/* The median of what is off by 1, 2, ... 9 per cent. */
TEST(the_typical_error_is_the_median)
{
    srv_fit fit = {.n = 0, .base = 10};
    flat(9, 4, 1);
    for (int i = 0; i < 9; i++)
        latency[i] = 10 / (1 + 0.01 * (i + 1) * (i % 2 ? 1 : -1));
    begin(0, 1);
    assert_float_equal(srv_fit_error(fitter, &fit), 0.05, 1e-9);
}

/* The steps of another curve explain this one as well as its own, but for its heights. */
TEST(another_fit_has_its_own_heights)
{
    srv_fit truth = two_steps(false), fit = truth;
    begin_model(&truth, 0);
    fit.base = 7;
    fit.step[1].height = 3;
    assert_float_equal(srv_fit_cost_of(fitter, &fit), 0, 1e-9);
    assert_float_equal(fit.base, 7, 0); /* is not changed */
    fit.step[1].knee += 1;
    assert_true(srv_fit_cost_of(fitter, &fit) > 5);
}

TEST_GROUP(fit_room_make, fit_room_free)
