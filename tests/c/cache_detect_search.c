/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for steps and for their capacities, on curves that are exactly the model: against
 * what was put in, and against trying every place. */
#include "test.h"
#include "fit_room.h"

#include "facts/cache/detect_parts.h"

enum { POINTS = 113 };

static srv_fit fit_of(double base, int n, const srv_step *steps)
{
    srv_fit fit = {.n = n, .base = base};
    memcpy(fit.step, steps, (size_t)n * sizeof *steps);
    return fit;
}

/* The values of a fit at the sizes from 2^10 to 2^24 bytes, eight an octave. */
static void begin(const srv_fit *truth)
{
    double bytes[POINTS], latency[POINTS];
    const servet_curve curve = {
        .n = POINTS, .bytes = bytes, .latency = latency, .unit = SERVET_UNIT_CYCLE};
    for (int i = 0; i < POINTS; i++) {
        bytes[i] = exp2(10 + i / 8.0);
        latency[i] = 1;
    }
    srv_fitter_init(fitter, shapes, &curve, 0, 1);
    for (int i = 0; i < POINTS; i++)
        latency[i] = srv_fit_predict(fitter, truth, 10 + i / 8.0);
    srv_fitter_init(fitter, shapes, &curve, 0, 1);
    srv_fitter_trust_all(fitter);
}

static const srv_step three[] = {{14.37, SRV_SHAPE_LRU_8, false, 3},
                                 {17.81, SRV_SHAPE_EVICT, false, 12},
                                 {21.13, SRV_SHAPE_KEEP, false, 60}};

static void has_steps(const srv_fit *fit, int n, double octaves)
{
    assert_int_equal(fit->n, n);
    for (int k = 0; k < n; k++) {
        assert_float_equal(fit->step[k].knee, three[k].knee, octaves);
        assert_float_equal(fit->step[k].height / three[k].height, 1, 0.02);
    }
    assert_float_equal(fit->base, 1.7, 0.01);
}

TEST(all_steps_are_found)
{
    for (int n = 0; n <= 3; n++) {
        srv_fit truth = fit_of(1.7, n, three), found;
        begin(&truth);
        srv_fit_steps(fitter, &found);
        srv_fit_reshape(fitter, &found);
        has_steps(&found, n, 1.0 / 16);
        assert_true(found.cost < 0.5);
    }
}

/* The next step is the one that helps most: the missing one, wherever it is. Steps are sorted by
 * their knees. */
TEST(another_step_is_the_missing_one)
{
    srv_fit truth = fit_of(1.7, 3, three);
    begin(&truth);
    for (int missing = 0; missing < 3; missing++) {
        srv_fit fit = {.n = 2, .base = 1.7}, more;
        for (int k = 0; k < 2; k++)
            fit.step[k] = three[k < missing ? k : k + 1];
        srv_fit_heights(fitter, &fit);
        assert_true(fit.cost > 10);
        srv_fit_another(fitter, &fit, &more);
        has_steps(&more, 3, 0.1);
        assert_int_equal(fit.n, 2);
    }
}

/* A step that is missed by less than its penalty is dropped; a step too many never helps. */
TEST(a_small_step_is_not_a_level)
{
    for (int small = 0; small < 2; small++) {
        srv_step steps[] = {{14.37, SRV_SHAPE_LRU_8, false, small ? 0.04 : 0.6},
                            {18, SRV_SHAPE_EVICT, false, 12}};
        srv_fit truth = fit_of(1.7, 2, steps), found;
        begin(&truth);
        srv_fit_steps(fitter, &found);
        assert_int_equal(found.n, small ? 1 : 2);
        assert_float_equal(found.step[found.n - 1].knee, 18, 0.05);
    }
}

/* A cache that sees only what misses before it, unless that explains hardly more. */
TEST(filtered_steps_are_distinguished_from_others)
{
    for (int filtered = 0; filtered < 2; filtered++) {
        srv_step steps[] = {{16, SRV_SHAPE_KEEP_8, false, 6},
                            {16.8, SRV_SHAPE_LRU_16, filtered, 30}};
        srv_fit truth = fit_of(1.7, 2, steps), found;
        begin(&truth);
        found = truth;
        found.step[1].filtered = !filtered;
        srv_fit_heights(fitter, &found);
        srv_fit_reshape(fitter, &found);
        assert_int_equal(found.n, 2);
        assert_int_equal(found.step[1].filtered, filtered);
        assert_float_equal(found.step[1].knee, 16.8, 1.0 / 16);
        assert_true(found.cost < 0.5);
    }
}

static const servet_cache_analysis no_tlb;
static srv_step_verdict verdict[SRV_STEPS_MAX];

/* A fine curve that steps explain lets the least errors be expected: a fifth of those at first. */
TEST(a_fine_curve_is_expected_to_be_exact)
{
    srv_fit truth = fit_of(1.7, 3, three), found;
    begin(&truth);
    double before = fitter->precision[50];
    srv_steps_find(fitter, NULL, &no_tlb, &found, verdict);
    has_steps(&found, 3, 1.0 / 16);
    assert_float_equal(fitter->misfit, 1, 0);
    assert_float_equal(fitter->precision[50], 5 * before, 1e-6);
    for (int k = 0; k < 3; k++)
        assert_true(verdict[k].cache && verdict[k].confidence > 0.9);
    assert_int_equal(fitter->fixed, 1);
}

/* The share of what translation costs, with the same steps. */
TEST(steps_are_found_with_and_without_translation)
{
    double penalty[SRV_POINTS_MAX];
    srv_fit truth = fit_of(1.7, 2, three), found;
    for (int translated = 0; translated < 2; translated++) {
        begin(&truth);
        for (int i = 0; i < POINTS; i++) {
            penalty[i] = 9 * fmax(0, 1 - exp2(12.5 - fitter->size[i]));
            fitter->latency[i] += translated ? penalty[i] : 0;
        }
        srv_steps_find(fitter, penalty, &no_tlb, &found, verdict);
        has_steps(&found, 2, 1.0 / 16);
        assert_true(!translated || fitter->fixed == 2);
        assert_float_equal(found.translation, translated, 0.02);
    }
}

/* A curve of one point an octave is one of random loads or a chase, whichever explains it. */
TEST(a_coarse_curve_is_random_or_a_chase)
{
    for (int chase = 0; chase < 2; chase++) {
        double bytes[15], latency[15];
        const servet_curve curve = {
            .n = 15, .bytes = bytes, .latency = latency, .unit = SERVET_UNIT_CYCLE};
        srv_fit found;
        for (int i = 0; i < 15; i++) {
            double x = exp2(i - 5.5);
            bytes[i] = exp2(10 + i);
            latency[i] = 1.7 + (x > 1 ? 12 * (1 - pow(x, chase ? -8 : -1)) : 0);
        }
        srv_fitter_init(fitter, shapes, &curve, 0, 1);
        srv_steps_find(fitter, NULL, &no_tlb, &found, verdict);
        assert_int_equal(found.n, 1);
        assert_float_equal(found.step[0].knee, 15.5, 0.1);
        assert_int_equal(found.step[0].shape, chase ? SRV_SHAPE_NEAR_LRU : SRV_SHAPE_KEEP);
        assert_true(chase ? fitter->as_chase < fitter->as_random
                          : fitter->as_random < fitter->as_chase);
        assert_true(fitter->shapes_allowed ==
                    (chase ? SRV_SHAPES_CHASE : SRV_SHAPE_ONLY(SRV_SHAPE_KEEP)));
        /* one step of 8 each; half a point more for a chase, whose shape is free */
        assert_float_equal(chase ? fitter->as_chase : fitter->as_random, chase ? 8.5 : 8, 0.3);
    }
}

/* The cost with step k there, of this shape. */
static double cost_with(const srv_fit *fit, int k, double knee, srv_knee_shape shape)
{
    srv_fit moved = *fit;
    moved.step[k].knee = knee;
    moved.step[k].shape = shape;
    srv_fitter_load(fitter, &moved);
    return srv_fitter_cost(fitter);
}

TEST(the_best_knee_is_the_best_of_all_tried)
{
    srv_fit truth = fit_of(1.7, 3, three);
    begin(&truth);
    for (int k = 0; k < 3; k++)
        for (double off = -0.9; off < 1; off += 0.3) {
            srv_fit fit = truth;
            fit.step[k].knee += off;
            double least = INFINITY, at = 0, knee;
            for (int i = -12; i <= 12; i++) {
                double tried = fit.step[k].knee + i / 16.0;
                double cost = cost_with(&fit, k, tried, SRV_SHAPE_LRU_8);
                at = cost < least ? tried : at;
                least = fmin(cost, least);
            }
            assert_float_equal(srv_fit_best_knee(fitter, &fit, k, SRV_SHAPE_LRU_8, &knee), least,
                               1e-6);
            assert_float_equal(knee, at, 1e-9);
            assert_int_equal(fitter->step[k].shape, SRV_SHAPE_LRU_8);
        }
}

TEST(the_cost_at_a_knee_is_that_of_the_best_shape)
{
    srv_fit truth = fit_of(1.7, 3, three);
    begin(&truth);
    for (int k = 0; k < 3; k++)
        for (double knee = three[k].knee - 0.5; knee < three[k].knee + 0.6; knee += 0.25) {
            double least = INFINITY;
            for (int s = 0; s < SRV_SHAPE_COUNT; s++)
                if (fitter->shapes_allowed & SRV_SHAPE_ONLY(s) &&
                    srv_shape_fits((srv_knee_shape)s, knee))
                    least = fmin(least, cost_with(&truth, k, knee, (srv_knee_shape)s));
            assert_float_equal(srv_fit_cost_at(fitter, &truth, k, knee), least, 1e-6);
        }
}

static srv_candidates all;

/* The mean likelihood of knees up to an octave below a candidate: a core reaches a part of it. */
static double likelihood_of_parts(int i)
{
    double sum = 0;
    int n = 0;
    for (int j = 0; j < all.n; j++) {
        double below = log2(all.candidate[i].bytes / all.candidate[j].bytes);
        if (!all.candidate[j].simple && below > 0 && below <= 1) {
            sum += exp(-(all.candidate[j].cost - all.least) / all.scale / 2);
            n++;
        }
    }
    return n ? sum / n : 0;
}

/* Likely is what a knee within a few hundredths of an octave costs little, and what is common; one
 * level in ten behind the first shows a part of its size. */
TEST(shares_follow_costs_and_priors)
{
    srv_fit truth = fit_of(1.7, 3, three);
    begin(&truth);
    for (int k = 0; k < 2; k++) {
        srv_step_candidates(fitter, &truth, k, k, 0, &all);
        double likely[SRV_CANDIDATES_MAX], sum = 0, parts = k ? 0.1 : 0;
        for (int i = 0; i < all.n; i++) {
            double least = INFINITY;
            for (int j = 0; j < all.n; j++) {
                double away = log2(all.candidate[j].bytes / all.candidate[i].bytes) / 0.05;
                least = fmin(least, (all.candidate[j].cost - all.least) / all.scale + away * away);
            }
            likely[i] = exp(all.candidate[i].prior) *
                        ((1 - parts) * exp(-least / 2) + parts * likelihood_of_parts(i));
            sum += likely[i];
        }
        for (int i = 0; i < all.n; i++)
            assert_float_equal(all.candidate[i].share, likely[i] / sum, 1e-6);
    }
}

/* Share of the candidates that are below, or at, a number of octaves. */
static double share_up_to(double octaves, bool simple)
{
    double sum = 0, of = 0;
    for (int i = 0; i < all.n; i++)
        if (all.candidate[i].simple || !simple) {
            of += all.candidate[i].share;
            sum += log2(all.candidate[i].bytes) <= octaves + 1e-9 ? all.candidate[i].share : 0;
        }
    return sum / of;
}

/* The first at which so much is reached. */
static double reached_at(double part, bool simple)
{
    for (int i = 0; i < all.n; i++)
        if ((all.candidate[i].simple || !simple) &&
            share_up_to(log2(all.candidate[i].bytes), simple) >= part)
            return log2(all.candidate[i].bytes);
    return NAN;
}

/* 41 sizes around 2^20, likely by their distance from it; every fourth one is simple. */
static void make_candidates(double simple_weight)
{
    double sum = 0;
    all = (srv_candidates){.n = 41, .least = 0.5, .scale = 1, .odds_exponent = 1.5};
    for (int i = 0; i < all.n; i++) {
        double octaves = (i - 20) / 16.0, cost = 0.5 + pow(i - 20, 2) / 20.0;
        bool simple = i % 4 == 1;
        double share = exp(-cost) * (simple ? simple_weight : 1);
        all.candidate[i] = (srv_candidate){.bytes = exp2(20 + octaves),
                                           .cost = cost,
                                           .share = share,
                                           .before = 5 + octaves,
                                           .behind = 9 - octaves,
                                           .simple = simple};
        sum += share;
    }
    for (int i = 0; i < all.n; i++)
        all.candidate[i].share /= sum;
}

TEST(a_capacity_has_the_quantiles_of_its_candidates)
{
    for (int is_simple = 0; is_simple < 2; is_simple++) {
        make_candidates(is_simple ? 8 : 0.1);
        srv_capacity found = srv_capacity_among(&all);
        double sum = 0, of = 0, right = 0;
        for (int i = 0; i < all.n; i++)
            if (!all.candidate[i].simple) {
                double weight = exp(-(all.candidate[i].cost - all.least) / 2);
                sum += weight * log2(all.candidate[i].bytes);
                of += weight;
            }
        double raw = sum / of, nominal = is_simple ? reached_at(0.5, true) : raw;
        for (int i = 0; i < all.n; i++)
            if (fabs(log2(all.candidate[i].bytes) - nominal) <= log2(1.1))
                right += all.candidate[i].share;
        assert_float_equal(log2(found.raw), raw, 1e-9);
        assert_float_equal(log2(found.nominal), nominal, 1e-9);
        assert_float_equal(log2(found.low), fmin(nominal, reached_at(0.025, false)), 1e-9);
        assert_float_equal(log2(found.high), fmax(nominal, reached_at(0.975, false)), 1e-9);
        assert_float_equal(found.right / (1 - found.right), pow(right / (1 - right), 1.5), 1e-6);
        /* a cost of 3.84 is reached 8 places away: (8.76)^2 / 20 */
        assert_float_equal(log2(found.noise_low), 20 - 8 / 16.0, 1e-9);
        assert_float_equal(log2(found.noise_high), 20 + 8 / 16.0, 1e-9);
        /* latencies, against those of the likeliest, 5 and 9 */
        assert_float_equal(found.before.low, reached_at(0.025, false) - 20, 1e-9);
        assert_float_equal(found.before.high, reached_at(0.975, false) - 20, 1e-9);
        assert_true(found.behind.low < 0 && found.behind.high > 0);
    }
}

/* Independent loads of a level behind the first are known to an eighth of an octave at best. */
TEST(later_levels_of_independent_loads_are_less_exact)
{
    const srv_capacity exact = {.raw = 1e6, .low = 0.99e6, .high = 1.01e6}, wide = {1e6, 5e5, 2e6};
    srv_fit truth = fit_of(1.7, 1, three);
    begin(&truth);
    assert_float_equal(srv_capacity_told(fitter, 1, exact).low, 0.99e6, 0);
    srv_fitter_set_random(fitter);
    assert_float_equal(srv_capacity_told(fitter, 0, exact).low, 0.99e6, 0);
    assert_float_equal(srv_capacity_told(fitter, 1, exact).low, 1e6 * exp2(-0.125), 1e-6);
    assert_float_equal(srv_capacity_told(fitter, 1, exact).high, 1e6 * exp2(0.125), 1e-6);
    assert_float_equal(srv_capacity_told(fitter, 2, wide).low, 5e5, 0);
    assert_float_equal(srv_capacity_told(fitter, 2, wide).high, 2e6, 0);
}

TEST_GROUP(fit_room_make, fit_room_free)
