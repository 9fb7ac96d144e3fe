/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of steps that are caches, of the shapes of steps and of their capacities: each
 * function alone, with fits and series whose truth is their specification. */
#include "test.h"
#include "fit_room.h"

#include "facts/cache/detect_parts.h"
#include "series.h"

#define KIB 1024.0
#define MIB (1024.0 * KIB)

static void begin(const series_spec *spec)
{
    servet_curve curve = series_make(spec);
    srv_fitter_init(fitter, shapes, &curve, 0, 1);
}

/* --- the last cache --------------------------------------------------------------------------- */

static int last_of(const char *kinds, int n)
{
    srv_step_verdict verdict[SRV_STEPS_MAX] = {{0}};
    srv_fit fit = {.n = n};
    for (int i = 0; kinds[i]; i++)
        verdict[i].cache = kinds[i] == 'c';
    return srv_steps_last_cache(&fit, verdict);
}

TEST(the_last_cache_is_the_last_step_that_is_one)
{
    assert_int_equal(last_of("cccc", 4), 3);
    assert_int_equal(last_of("c-c-", 4), 2);
    assert_int_equal(last_of("c---", 4), 0);
    assert_int_equal(last_of("----", 4), -1);
    assert_int_equal(last_of("-ccc", 1), -1);
    assert_int_equal(last_of("cccc", 2), 1);
    assert_int_equal(last_of("cccc", 0), -1);
}

/* --- caches ----------------------------------------------------------------------------------- */

/* Sizes from 1 KiB to 1 GiB: log2 from 10 to 30. */
static void begin_sizes(int per_octave)
{
    begin(&(series_spec){
        .first = KIB, .last = 1024 * MIB, .per_octave = per_octave, .base = 1, .seed = 1});
}

typedef struct place {
    double knee, height; /* log2 bytes, ns */
} place;

/* Steps of independent loads, which miss 1 - capacity / size. */
static srv_fit fit_of(double base, const place *steps, int n)
{
    srv_fit fit = {.n = n, .base = base};
    for (int i = 0; i < n; i++)
        fit.step[i] =
            (srv_step){.knee = steps[i].knee, .shape = SRV_SHAPE_KEEP, .height = steps[i].height};
    return fit;
}

static const servet_cache_analysis no_tlb;
static srv_step_verdict verdict[SRV_STEPS_MAX];

static void classify(double base, const place *steps, int n, const servet_cache_analysis *known)
{
    srv_fit fit = fit_of(base, steps, n);
    memset(verdict, 0, sizeof verdict);
    srv_steps_classify(fitter, &fit, known, verdict);
}

/* TLBs that one line per page has shown; a far one only tells that nothing is in doubt. */
static const servet_cache_analysis far_tlb = {
    .tlb_count = 1, .tlb = {{.bytes.value = 1024 * MIB, .penalty.value = 1}}};
static const servet_cache_analysis near_tlb = {
    .tlb_count = 1, .tlb = {{.bytes.value = 256 * KIB, .penalty.value = 4}}};

/* Steps up to a number, the verdict on that one, and, unless they are 0, what it rests on. */
static const struct {
    double base;
    place step[3];
    int of; /* from 0 */
    const servet_cache_analysis *tlbs;
    bool cache;
    double rise, needed, before;
    const char *rule;
    int last;
    double apart; /* octaves to the boundary that it is a part of */
    bool translation;
} cases[] = {
    {4, {{15, 8}, {19, 36}}, 0, &no_tlb, true, 3, 0, 4},
    {4, {{15, 8}, {19, 36}}, 1, &no_tlb, true, 4, 0, 12},
    /* half of the loads miss at twice the capacity, where the curve ends */
    {4, {{29, 8}}, 0, &no_tlb, true, 2},
    /* no rise is too small without a plateau before */
    {0, {{15, 8}}, 0, &no_tlb, true, INFINITY},
    {0.5, {{15, 1}}, 0, &no_tlb, true, 3},
    /* The misses of a first TLB cost up to four times the latency of L1. Where one line per page
     * has shown what they cost, nothing is in doubt, and neither the first step nor one at fewer
     * than 16 pages ever is. */
    {1, {{15, 3.9}, {19, 3.9}}, 0, &no_tlb, true, 0, 1.6, 0, "RISE_MIN"},
    {1, {{15, 3.9}, {19, 3.9}}, 1, &no_tlb, false, 0, 2, 0, "TRANSLATION_MAX"},
    {1, {{15, 3.9}, {19, 4.1}}, 1, &no_tlb, true, 0, 1.6, 0, "RISE_MIN"},
    {1, {{15, 3.9}, {19, 3.9}}, 1, &far_tlb, true, 0, 1.6, 0, "RISE_MIN"},
    {1, {{12, 3.9}, {15.9, 3.9}}, 1, &no_tlb, true, 0, 1.6, 0, "RISE_MIN"},
    {1, {{12, 3.9}, {16.1, 3.9}}, 1, &no_tlb, false, 0, 2, 0, "TRANSLATION_MAX"},
    /* memory is some 40 times as slow as L1, no cache 100 times */
    {1, {{12, 38}, {17, 40}}, 1, &no_tlb, true, 0, 1.6, 0, "RISE_MIN"},
    {1, {{12, 40}, {17, 60}}, 1, &no_tlb, true, 0, 2, 0, "MEMORY_LIKELY"},
    {1, {{12, 98}, {17, 100}}, 1, &no_tlb, true, 0, 2, 0, "MEMORY_LIKELY"},
    {1, {{12, 100}, {17, 250}}, 1, &no_tlb, true, 0, 3, 0, "MEMORY_SURE"},
    /* half an octave apart; their heights count together, so that they are no translation */
    {1, {{12, 4}, {17, 3}, {17.5, 3}}, 1, &no_tlb, true, 1 + 6.0 / 5, 1.6, 0, "RISE_MIN", 2},
    {1, {{12, 4}, {17, 3}, {17.5, 3}}, 2, &no_tlb, false, 0, 0, 0, "SAME_KNEE", 0, 0.5},
    /* A step of the known height of a TLB at its place is no cache, except the first step: one line
     * in each page fills the first cache, too. A step twice as high, or an octave away, is another
     * one. */
    {1, {{12, 2}, {18, 4}}, 1, &near_tlb, false, 0, 0, 0, "SAME_TLB_KNEE", 0, 0, true},
    {1, {{12, 2}, {18, 8}}, 1, &near_tlb, true},
    {1, {{12, 2}, {19, 4}}, 1, &near_tlb, true},
    {1, {{18, 4}}, 0, &near_tlb, true},
    /* rises of 2 and 2.2 are one blurred boundary within three octaves */
    {10, {{14, 10}, {16.5, 24}}, 0, &no_tlb, true, 4.4, 0, 0, NULL, 1},
    {10, {{14, 10}, {16.5, 24}}, 1, &no_tlb, false, 0, 0, 0, "WEAK_DISTANCE", 0, 2.5},
    {10, {{14, 10}, {17.5, 24}}, 0, &no_tlb, true},
    {10, {{14, 10}, {17.5, 24}}, 1, &no_tlb, true},
    /* a rise of 1.7 beside one of 8 is its edge within two octaves; of two large ones neither is
     * that of the other, however close */
    {10, {{14, 70}, {15.5, 56}}, 0, &no_tlb, true, 0, 0, 0, NULL, 1},
    {10, {{14, 70}, {15.5, 56}}, 1, &no_tlb, false, 0, 0, 0, "EDGE_DISTANCE", 0, 1.5},
    {10, {{14, 70}, {16.5, 56}}, 0, &no_tlb, true},
    {10, {{14, 70}, {16.5, 56}}, 1, &no_tlb, true},
    {10, {{14, 20}, {14.75, 90}}, 0, &no_tlb, true},
    {10, {{14, 20}, {14.75, 90}}, 1, &no_tlb, true},
};

TEST(steps_are_caches_by_the_rules)
{
    begin_sizes(4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int n = 0;
        while (n < 3 && cases[i].step[n].knee > 0)
            n++;
        classify(cases[i].base, cases[i].step, n, cases[i].tlbs);
        const srv_step_verdict *said = &verdict[cases[i].of];
        if (said->cache != cases[i].cache)
            fail_msg("case %zu: %s", i, said->cache ? "a cache" : "no cache");
        assert_true(cases[i].rise == 0 || said->rise == cases[i].rise ||
                    fabs(said->rise / cases[i].rise - 1) < 0.01);
        assert_true(cases[i].needed == 0 || said->needed == cases[i].needed);
        assert_true(cases[i].before == 0 || said->before == cases[i].before);
        assert_true(!cases[i].rule || strcmp(said->rule, cases[i].rule) == 0);
        assert_true(said->apart == cases[i].apart);
        assert_int_equal(said->translation, cases[i].translation);
        assert_true(!cases[i].cache ||
                    said->last == (cases[i].last > 0 ? cases[i].last : cases[i].of));
    }
}

/* Those of a coarse curve are as many boundaries. */
TEST(close_steps_of_a_coarse_curve_are_apart)
{
    begin_sizes(1);
    classify(1, (place[]){{12, 4}, {17, 3}, {17.5, 3}}, 3, &no_tlb);
    assert_int_equal(verdict[1].last, 1);
}

/* A rise that is as needed is one in two; one whose logarithm is twice as large is one in sixteen
 * not. */
TEST(the_confidence_grows_with_the_rise)
{
    const double needed = 1.6, rise[] = {needed - 0.01, needed + 0.01, needed * needed, INFINITY},
                 sure[] = {0.5, 0.5, 1 - 1.0 / 16, 1}, tolerance[] = {0.02, 0.02, 0.001, 0};
    begin_sizes(4);
    for (int i = 0; i < 4; i++) {
        bool any = isinf(rise[i]);
        classify(any ? 0 : 10, (place[]){{12, any ? 8 : 10 * (rise[i] - 1)}}, 1, &no_tlb);
        assert_int_equal(verdict[0].cache, i > 0);
        assert_float_equal(verdict[0].confidence, sure[i], tolerance[i]);
    }
}

TEST(near_steps_behind_a_boundary_are_its_edge)
{
    srv_fit fit = fit_of(1, (place[]){{12, 5}, {13, 2}, {13.5, 3}, {15, 9}}, 4);
    srv_step_verdict steps[SRV_STEPS_MAX] = {{.cache = true}};
    assert_float_equal(srv_steps_edge(&fit, steps, 0), 5, 1e-9);
    steps[2].translation = true;
    assert_float_equal(srv_steps_edge(&fit, steps, 0), 2, 1e-9);
    assert_float_equal(srv_steps_edge(&fit, steps, 3), 0, 0);
}

/* --- shapes ----------------------------------------------------------------------------------- */

/* A cache of LRU with 12 ways of 44 KiB, behind which one of 704 KiB loses sharply. */
static const series_spec two_caches = {
    .first = 4 * KIB,
    .last = 8 * MIB,
    .per_octave = 6,
    .base = 1,
    .level = {{44 * KIB, 8, SERIES_LRU}, {704 * KIB, 60, SERIES_SHARP}},
    .seed = 1};

static void has_both_caches(const srv_fit *fit, double octaves)
{
    assert_int_equal(fit->n, 2);
    assert_float_equal(fit->step[0].knee, log2(44 * KIB), octaves);
    assert_float_equal(fit->step[1].knee, log2(704 * KIB), 0.1);
    assert_float_equal(fit->base, 1, 0.02);
    assert_float_equal(fit->step[0].height, 7, 0.2);
    assert_float_equal(fit->step[1].height, 52, 3);
}

/* Knees a quarter of an octave away, on no grid of the search, and the shapes of other caches. */
static srv_fit wrong_fit(srv_knee_shape first, srv_knee_shape second)
{
    srv_fit fit =
        fit_of(1, (place[]){{log2(44 * KIB) - 0.265, 7}, {log2(704 * KIB) + 0.265, 52}}, 2);
    fit.step[0].shape = first;
    fit.step[1].shape = second;
    srv_fitter_trust_all(fitter);
    srv_fit_heights(fitter, &fit);
    return fit;
}

TEST(shapes_are_found_from_wrong_ones)
{
    begin(&two_caches);
    srv_fit fit = wrong_fit(SRV_SHAPE_KEEP, SRV_SHAPE_EVICT_PAGES_4);
    double before = fit.cost;
    srv_fit_reshape(fitter, &fit);
    has_both_caches(&fit, 1.0 / 128);
    assert_int_equal(fit.step[0].shape, SRV_SHAPE_LRU);
    assert_true(fit.cost < 1 && before > 50);
}

/* Changing one step at a time leads nowhere from shapes that compensate each other; where a curve
 * was explained badly so far, others are tried. Two caches of 16 ways, LRU, pages by chance. */
TEST(shapes_that_compensate_each_other_are_left)
{
    begin(&(series_spec){.first = 12 * KIB,
                         .last = 8 * MIB,
                         .per_octave = 6,
                         .base = 1,
                         .level = {{100 * KIB, 3.8, SERIES_PAGES}, {500 * KIB, 23.5, SERIES_PAGES}},
                         .seed = 1});
    srv_fit fit =
        fit_of(1, (place[]){{log2(100 * KIB) + 0.2, 2.8}, {log2(500 * KIB) - 0.2, 19.7}}, 2);
    fit.step[0].shape = SRV_SHAPE_KEEP_PAGES_4;
    fit.step[1].shape = SRV_SHAPE_LRU_4;
    srv_fitter_trust_all(fitter);
    srv_fit_heights(fitter, &fit);
    fitter->misfit = 2;
    srv_fit_reshape(fitter, &fit);
    assert_int_equal(fit.n, 2);
    assert_int_equal(fit.step[0].shape, SRV_SHAPE_LRU_PAGES_16);
    assert_int_equal(fit.step[1].shape, SRV_SHAPE_LRU_PAGES_16);
    assert_float_equal(fit.step[0].knee, log2(100 * KIB), 0.05);
    assert_float_equal(fit.step[1].knee, log2(500 * KIB), 0.05);
}

/* --- capacities ------------------------------------------------------------------------------- */

static void add(srv_candidates *all, double octaves, double cost, bool simple)
{
    all->candidate[all->n++] = (srv_candidate){.bytes = exp2(octaves),
                                               .cost = cost,
                                               .share = simple ? 0.5 : 0.1,
                                               .before = octaves,
                                               .behind = octaves,
                                               .simple = simple};
}

/* Any sizes around 2^20, whose costs are alike on both sides, and a simple one, which has half of
 * the probability: the knee is where any size has it, noise reaches as far as costs rise by 3.84.
 */
TEST(the_knee_does_not_depend_on_common_sizes)
{
    srv_candidates all = {.n = 0, .least = 0, .scale = 1};
    add(&all, 19.5, 8, false);
    add(&all, 19.75, 2, false);
    add(&all, 20, 0, false);
    add(&all, 20.25, 2, false);
    add(&all, 20.5, 8, false);
    add(&all, 21, 5, true);
    srv_capacity found = srv_capacity_among(&all);
    assert_float_equal(log2(found.raw), 20, 1e-9);
    assert_float_equal(log2(found.noise_low), 19.75, 1e-9);
    assert_float_equal(log2(found.noise_high), 20.25, 1e-9);
    assert_float_equal(log2(found.nominal), 21, 1e-9);
    assert_float_equal(found.right, 0.5, 1e-9);
    assert_float_equal(found.before.low, 19.5 - 20, 1e-9);
    assert_float_equal(found.before.high, 21 - 20, 1e-9);
}

/* Probability of the candidates within a tenth of an octave. */
static double share_near(const srv_candidates *all, double bytes)
{
    double sum = 0;
    for (int i = 0; i < all->n; i++)
        if (fabs(log2(all->candidate[i].bytes / bytes)) < 0.1)
            sum += all->candidate[i].share;
    return sum;
}

/* A cache of 256 KiB that keeps no line of the one above, of 96 KiB: both together hold 352 KiB,
 * where independent loads begin to miss. One that contains the one above would not have
 * 256 KiB. */
TEST(a_cache_may_show_as_the_sum_with_the_one_above)
{
    static srv_candidates contains, excludes, smaller;
    begin(&(series_spec){.first = 16 * KIB,
                         .last = 8 * MIB,
                         .per_octave = 4,
                         .base = 1,
                         .level = {{96 * KIB, 5, SERIES_RANDOM}, {352 * KIB, 40, SERIES_RANDOM}},
                         .seed = 1});
    srv_fitter_set_random(fitter);
    srv_fit fit = fit_of(1, (place[]){{log2(96 * KIB), 4}, {log2(352 * KIB), 35}}, 2);
    srv_fitter_trust_all(fitter);
    srv_fit_heights(fitter, &fit);
    srv_step_candidates(fitter, &fit, 1, 1, 0, &contains);
    srv_step_candidates(fitter, &fit, 1, 1, 96 * KIB, &excludes);
    srv_step_candidates(fitter, &fit, 1, 1, 16 * KIB, &smaller);
    assert_true(share_near(&contains, 256 * KIB) < 0.01);
    assert_true(share_near(&excludes, 256 * KIB) > 0.1);
    assert_true(share_near(&smaller, 256 * KIB) < 0.01);
    assert_true(share_near(&contains, 352 * KIB) > 0.5);
}

TEST_GROUP(fit_room_make, fit_room_free)
