/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that curves with gaps are explained with the confidence that they support: on curves from
 * formulas, whose capacities are known. */
#include "test.h"

#include "facts/cache/detect_parts.h"
#include "series.h"

#define KIB 1024.0

/* A grid of a tool that measures a few sizes around the caches that the system reports. */
static const double grid[] = {32, 128, 512, 1024, 2048, 16384, 32768, 65536, 131072, 262144};
enum { N = sizeof grid / sizeof *grid };

typedef struct few_points {
    double bytes[N], ns[N];
} few_points;

static servet_curve seen_at(const series_spec *spec, few_points *points)
{
    uint64_t seed = spec->seed;
    for (int i = 0; i < N; i++) {
        points->bytes[i] = grid[i] * KIB;
        points->ns[i] = series_latency(spec, points->bytes[i]) * 1e-9 *
                        (1 + spec->noise * (series_uniform(&seed) - 0.5));
    }
    return (servet_curve){
        .n = N, .bytes = points->bytes, .latency = points->ns, .unit = SERVET_UNIT_SECOND};
}

/* An L2 and an L3 of sizes that are as common as data sheets say, a few times slower than the level
 * before, of any replacement. */
static series_spec machine(uint64_t seed)
{
    static const double second[] = {256, 512, 512, 1024, 1024, 1280, 2048, 2048};
    uint64_t state = seed + 1;
    series_kind kind = series_uniform(&state) < 0.5 ? SERIES_RANDOM : SERIES_PAGES;
    double l2 = second[(int)(8 * series_uniform(&state))] * KIB;
    double l3 = exp2(24 + floor(2 * series_uniform(&state)));
    double slower = 3 + 2 * series_uniform(&state);
    return (series_spec){.base = 1.2,
                         .level = {{48 * KIB, 1.2 * slower, kind},
                                   {l2, 1.2 * slower * slower, kind},
                                   {l3, 1.2 * slower * slower * slower, kind}},
                         .noise = 0.1,
                         .seed = seed};
}

static servet_cache_analysis analyze(const servet_curve *curve)
{
    servet_cache_analysis found;
    servet_error error = SERVET_ERROR_INIT;
    servet_cache_evidence evidence = {.lines = curve};
    assert_ok(servet_analyze_cache(&evidence, &found, &error));
    return found;
}

TEST(intervals_hold_and_confidence_is_kept)
{
    test_leave_to_plain_build();
    const int cases = test_cases(30, 400);
    int truths = 0, held = 0, claims = 0, right = 0;
    double said = 0;
    for (int i = 0; i < cases; i++) {
        few_points points;
        series_spec spec = machine((uint64_t)i);
        servet_curve curve = seen_at(&spec, &points);
        servet_cache_analysis found = analyze(&curve);
        bool holds = false;
        for (int k = 0; k < found.level_count; k++) {
            const servet_value *bytes = &found.level[k].bytes;
            holds |= bytes->low <= spec.level[1].bytes && spec.level[1].bytes <= bytes->high;
            bool exact = false;
            for (int j = 0; j < 3; j++)
                exact |= fabs(bytes->value / spec.level[j].bytes - 1) <= 0.1;
            claims++;
            right += exact;
            said += found.level[k].confidence;
        }
        truths++;
        held += holds;
    }
    print_message("# %d of %d intervals hold; %d of %d claims right, %.1f expected\n", held, truths,
                  right, claims, said);
    /* Chance may miss 95 % by two and a half standard deviations. */
    assert_true(held >= 0.95 * truths - 2.5 * sqrt(0.95 * 0.05 * truths));
    assert_true(fabs(right - said) <= 0.15 * claims);
}

static srv_fitter *fitter_of(const servet_curve *curve, srv_shapes **shapes)
{
    srv_fitter *fitter = malloc(sizeof *fitter);
    *shapes = malloc(sizeof **shapes);
    assert_true(fitter && *shapes);
    srv_shapes_init(*shapes, 0);
    srv_fitter_init(fitter, *shapes, curve, 0, 1);
    return fitter;
}

TEST(only_a_gap_needs_draws)
{
    double bytes[] = {32 * KIB, 64 * KIB, 128 * KIB, 256 * KIB}, ns[] = {1e-9, 1e-9, 4e-9, 4e-9};
    servet_curve curve = {.n = 4, .bytes = bytes, .latency = ns, .unit = SERVET_UNIT_SECOND};
    srv_shapes *shapes;
    srv_fitter *fitter = fitter_of(&curve, &shapes);
    assert_false(srv_draws_needed(fitter));
    bytes[3] = 512 * KIB;
    srv_fitter_init(fitter, shapes, &curve, 0, 1);
    assert_true(srv_draws_needed(fitter));
    free(fitter);
    free(shapes);
}

TEST(draws_are_shares_of_one_and_repeat)
{
    few_points points;
    series_spec spec = machine(3);
    servet_curve curve = seen_at(&spec, &points);
    srv_shapes *shapes;
    srv_fitter *fitter = fitter_of(&curve, &shapes);
    srv_draws *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    srv_fit fit;
    srv_step_verdict verdict[SRV_STEPS_MAX];
    servet_cache_analysis none = {0};
    double sum = 0;
    assert_true(first && second);
    srv_steps_find(fitter, NULL, &none, &fit, verdict);
    srv_draws_make(fitter, &none, first);
    srv_draws_make(fitter, &none, second);
    assert_int_equal(first->n, second->n);
    for (int i = 0; i < first->n; i++) {
        assert_int_equal(first->draw[i].n, second->draw[i].n);
        sum += first->draw[i].share;
        for (int k = 0; k < first->draw[i].n; k++)
            assert_float_equal(first->draw[i].knee[k], second->draw[i].knee[k], 0);
    }
    assert_float_equal(sum, 1, 1e-9);
    srv_draws_assign(first, &fit, verdict);
    srv_candidates all = {
        .n = 2,
        .candidate = {{.bytes = spec.level[2].bytes, .share = 0.5}, {.bytes = 1, .share = 0.5}}};
    srv_draws_weigh(first, srv_steps_last_cache(&fit, verdict), &all);
    assert_float_equal(all.candidate[0].share, 1, 1e-9);
    assert_float_equal(all.candidate[1].share, 0, 1e-9);
    all.n = 1;
    all.candidate[0] = (srv_candidate){.bytes = 1, .share = 1};
    srv_draws_weigh(first, srv_steps_last_cache(&fit, verdict), &all); /* no draw is near */
    assert_float_equal(all.candidate[0].share, 1, 1e-9);
    free(first);
    free(second);
    free(fitter);
    free(shapes);
}
