/* SPDX-License-Identifier: BSD-3-Clause */
/* Any series gives values that value.h allows: a measurement must not fail at the end because of
 * its own facts. */
#include "test.h"

#include "servet/analyze.h"

enum { POINTS = 60, RATES = 3, QUICK_TRIALS = 25, TRIALS = 400 };

static uint64_t state_of_chance;

/* Uniform in 0..1. */
static double chance(void)
{
    state_of_chance = state_of_chance * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (double)(state_of_chance >> 11) / (double)(UINT64_C(1) << 53);
}

typedef struct series {
    double bytes[POINTS], latency[POINTS], low[POINTS], high[POINTS];
    servet_curve curve;
} series;

/* A curve of up to five steps at any places, rising or not, with up to 30 % of noise; sizes end
 * before those that are no sizes. */
static void draw(series *drawn)
{
    double step = exp2(0.05 + chance() / 2), bytes = 512 * exp2(6 * chance()),
           noise = 0.3 * chance();
    double knee[5], height[5];
    for (int k = 0; k < 5; k++) {
        knee[k] = bytes * exp2(20 * chance());
        height[k] = exp2(8 * chance()) - 1;
    }
    for (int i = 0; i < POINTS; i++) {
        double latency = 1;
        for (int k = 0; k < 5; k++)
            latency += height[k] * fmax(0, 1 - knee[k] / bytes);
        latency *= 1 + noise * (2 * chance() - 1);
        drawn->bytes[i] = bytes;
        drawn->latency[i] = latency;
        drawn->low[i] = latency * (1 - noise * chance());
        drawn->high[i] = latency * (1 + noise * chance());
        bytes *= step;
    }
    drawn->curve = (servet_curve){4 + (size_t)(chance() * (POINTS - 4)),
                                  drawn->bytes,
                                  drawn->latency,
                                  drawn->low,
                                  drawn->high,
                                  SERVET_UNIT_CYCLE};
}

static void obeys_the_rules(const servet_value *value)
{
    assert_true(servet_value_known(value));
    assert_true(isfinite(value->low) && isfinite(value->value) && isfinite(value->high));
    assert_true(0 < value->low || value->unit != SERVET_UNIT_BYTE);
    assert_true(0 <= value->low && value->low <= value->value && value->value <= value->high);
    assert_true(value->samples >= 0);
}

static void is_sound(const servet_cache_analysis *analysis)
{
    double previous = 0;
    assert_in_range(analysis->level_count, 0, SERVET_CACHE_LEVELS_MAX);
    for (int i = 0; i < analysis->level_count; i++) {
        const servet_cache_level *level = &analysis->level[i];
        assert_int_equal(level->level, i + 1);
        obeys_the_rules(&level->bytes);
        obeys_the_rules(&level->latency);
        assert_true(level->reachable_bytes > 0 && isfinite(level->reachable_bytes));
        assert_true(0 <= level->confidence && level->confidence <= 1);
        assert_true(level->bytes.value >= previous);
        previous = level->bytes.value;
    }
    for (int i = 0; i < analysis->tlb_count; i++) {
        obeys_the_rules(&analysis->tlb[i].bytes);
        obeys_the_rules(&analysis->tlb[i].penalty);
    }
    if (servet_value_known(&analysis->memory_latency))
        obeys_the_rules(&analysis->memory_latency);
}

TEST(any_evidence_gives_sound_values)
{
    static series lines, pages, rates[RATES];
    for (size_t trial = 0; trial < test_cases(QUICK_TRIALS, TRIALS); trial++) {
        state_of_chance = (uint64_t)trial;
        draw(&lines);
        draw(&pages);
        servet_cache_evidence evidence = {.lines = &lines.curve,
                                          .pages = trial % 2 ? &pages.curve : NULL,
                                          .rate_count = (int)(trial % (RATES + 1)),
                                          .page_bytes = 4096,
                                          .line_bytes = 64};
        for (int i = 0; i < evidence.rate_count; i++) {
            draw(&rates[i]);
            evidence.rates[i] = &rates[i].curve;
        }
        servet_cache_analysis analysis;
        assert_ok(servet_analyze_cache(&evidence, &analysis, NULL));
        is_sound(&analysis);
    }
}
