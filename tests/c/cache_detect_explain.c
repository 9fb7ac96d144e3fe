/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "series.h"
#include "servet/analyze.h"

#define KIB 1024.0
#define MIB (1024.0 * KIB)

typedef struct explained {
    servet_cache_analysis analysis;
    servet_explanation why;
} explained;

static explained explain(const series_spec *spec)
{
    explained it = {.why = SERVET_EXPLANATION_INIT};
    servet_curve curve = series_make(spec);
    assert_int_equal(servet_explain_cache(&(servet_cache_evidence){.lines = &curve}, &it.analysis,
                                          &it.why, NULL),
                     SERVET_OK);
    servet_curve_free(&curve);
    return it;
}

static int how_many(const servet_explanation *why, servet_reason_kind kind, int level,
                    bool accepted)
{
    int n = 0;
    for (size_t i = 0; i < why->n; i++) {
        const servet_reason *one = &why->reason[i];
        n += one->kind == kind && one->level == level && one->accepted == accepted;
    }
    return n;
}

/* The first reason of that kind and verdict next to `bytes`, within half an octave; NULL if there
 * is none. */
static const servet_reason *find(const servet_explanation *why, servet_reason_kind kind,
                                 double bytes, bool accepted)
{
    for (size_t i = 0; i < why->n; i++) {
        const servet_reason *one = &why->reason[i];
        if (one->kind == kind && one->accepted == accepted && fabs(log2(one->bytes / bytes)) < 0.5)
            return one;
    }
    return NULL;
}

static const series_spec two_levels = {
    .first = 4 * KIB,
    .last = 64 * MIB,
    .per_octave = 1,
    .base = 1,
    .level = {{32 * KIB, 5, SERIES_RANDOM}, {1 * MIB, 60, SERIES_RANDOM}},
};

/* A further step would have to lower the cost by 8. */
static void the_step_that_was_nearly_found_is_explained(void **state)
{
    (void)state;
    explained it = explain(&two_levels);
    assert_int_equal(how_many(&it.why, SERVET_REASON_ANOTHER, 0, false), 1);
    for (size_t i = 0; i < it.why.n; i++)
        if (it.why.reason[i].kind == SERVET_REASON_ANOTHER) {
            assert_float_equal(it.why.reason[i].limit, 8, 0);
            assert_true(it.why.reason[i].value < 8);
            assert_true(it.why.reason[i].bytes > 1 * KIB && it.why.reason[i].bytes < 128 * MIB);
            assert_string_equal(it.why.reason[i].rule, "STEP_PENALTY");
        }
    servet_explanation_free(&it.why);
}

static void each_level_is_explained_by_its_rise_and_size(void **state)
{
    (void)state;
    explained it = explain(&two_levels);
    assert_int_equal(it.analysis.level_count, 2);
    for (int level = 1; level <= 2; level++) {
        double said = it.analysis.level[level - 1].bytes.value;
        assert_int_equal(how_many(&it.why, SERVET_REASON_RISE, level, true), 1);
        assert_int_equal(how_many(&it.why, SERVET_REASON_CAPACITY, level, true), 1);
        const servet_reason *size = find(&it.why, SERVET_REASON_CAPACITY, said, true);
        assert_non_null(size);
        assert_true(size->bytes == said);
        assert_string_equal(size->rule, "MODEL_COST");
    }
    servet_explanation_free(&it.why);
    assert_null(it.why.reason);
}

static void rises_are_those_of_the_curve(void **state)
{
    (void)state;
    explained it = explain(&two_levels);
    const servet_reason *first = find(&it.why, SERVET_REASON_RISE, 32 * KIB, true);
    const servet_reason *second = find(&it.why, SERVET_REASON_RISE, 1 * MIB, true);
    assert_non_null(first);
    assert_non_null(second);
    assert_float_equal(first->value, 5.0 / 1, 0.5);
    assert_float_equal(second->value, 60.0 / 5, 1.5);
    assert_true(first->value > first->limit && second->value > second->limit);
    servet_explanation_free(&it.why);
}

static void probabilities_do_not_exceed_one(void **state)
{
    (void)state;
    explained it = explain(&two_levels);
    for (int level = 1; level <= 2; level++) {
        double sum = 0;
        for (size_t i = 0; i < it.why.n; i++)
            if (it.why.reason[i].level == level)
                sum += it.why.reason[i].share;
        assert_true(sum > 0.8 && sum < 1 + 1e-9);
    }
    servet_explanation_free(&it.why);
}

/* With one point an octave other sizes are possible; those below 1 % are left out. */
static void likely_other_sizes_are_listed(void **state)
{
    (void)state;
    series_spec coarse = two_levels;
    coarse.noise = 0.03;
    coarse.seed = 1;
    explained it = explain(&coarse);
    int others = 0;
    for (size_t i = 0; i < it.why.n; i++)
        if (it.why.reason[i].kind == SERVET_REASON_CAPACITY && !it.why.reason[i].accepted) {
            assert_true(it.why.reason[i].share >= 0.01);
            others++;
        }
    assert_true(others > 0);
    servet_explanation_free(&it.why);
}

static void random_loads_are_distinguished_from_a_chase(void **state)
{
    (void)state;
    series_spec chase = two_levels;
    chase.level[0].kind = chase.level[1].kind = SERIES_LRU;
    explained random = explain(&two_levels), chased = explain(&chase);
    assert_int_equal(how_many(&random.why, SERVET_REASON_PATTERN, 0, true), 1);
    assert_int_equal(how_many(&chased.why, SERVET_REASON_PATTERN, 0, false), 1);
    servet_explanation_free(&random.why);
    servet_explanation_free(&chased.why);
}

/* A rise of 1.7 by less than four L1 latencies is what a TLB does, too. */
static void a_small_rise_is_refused_with_its_reason(void **state)
{
    (void)state;
    explained it = explain(&(series_spec){.first = 4 * KIB,
                                          .last = 64 * MIB,
                                          .per_octave = 1,
                                          .base = 1,
                                          .level = {{32 * KIB, 4, SERIES_RANDOM},
                                                    {512 * KIB, 6.8, SERIES_RANDOM},
                                                    {8 * MIB, 60, SERIES_RANDOM}}});
    assert_int_equal(it.analysis.level_count, 2);
    const servet_reason *refused = find(&it.why, SERVET_REASON_RISE, 512 * KIB, false);
    assert_non_null(refused);
    assert_int_equal(refused->level, 0);
    assert_string_equal(refused->rule, "TRANSLATION_MAX");
    assert_true(refused->value < refused->limit);
    servet_explanation_free(&it.why);
}

static void a_flat_curve_has_only_refused_candidates(void **state)
{
    (void)state;
    explained it =
        explain(&(series_spec){.first = 4 * KIB, .last = 16 * MIB, .per_octave = 1, .base = 3});
    for (size_t i = 0; i < it.why.n; i++)
        assert_int_equal(it.why.reason[i].level, 0);
    servet_explanation_free(&it.why);
}

static void explaining_does_not_change_the_result(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= test_cases(5, 5); seed++) {
        series_spec spec = series_random(seed);
        servet_curve curve = series_make(&spec);
        servet_cache_evidence evidence = {.lines = &curve};
        servet_cache_analysis alone;
        explained it = explain(&spec);
        assert_int_equal(servet_analyze_cache(&evidence, &alone, NULL), SERVET_OK);
        assert_int_equal(alone.level_count, it.analysis.level_count);
        for (int i = 0; i < alone.level_count; i++) {
            assert_true(alone.level[i].bytes.value == it.analysis.level[i].bytes.value);
            assert_true(alone.level[i].confidence == it.analysis.level[i].confidence);
        }
        servet_explanation_free(&it.why);
        servet_curve_free(&curve);
    }
}

static int explain_once(void *context)
{
    servet_cache_analysis analysis;
    servet_explanation why = SERVET_EXPLANATION_INIT;
    int code = servet_explain_cache(context, &analysis, &why, NULL);
    if (code)
        assert_null(why.reason);
    servet_explanation_free(&why);
    return code;
}

static void failed_allocations_are_reported(void **state)
{
    (void)state;
    servet_curve curve = series_make(&two_levels);
    servet_cache_evidence evidence = {.lines = &curve};
    assert_true(alloc_fail_everywhere(explain_once, &evidence) >= 2);
    servet_curve_free(&curve);
}

static void kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(servet_reason_kind_name(SERVET_REASON_RISE), "rise");
    assert_string_equal(servet_reason_kind_name(SERVET_REASON_KIND_COUNT), "?");
    servet_explanation_free(NULL);
}

static void reasons_read_as_clauses(void **state)
{
    (void)state;
    char text[80], little[8];
    const servet_reason rise = {.kind = SERVET_REASON_RISE,
                                .value = 1.47,
                                .limit = 2,
                                .rule = "TRANSLATION_MAX"},
                        size = {.kind = SERVET_REASON_CAPACITY,
                                .value = 3,
                                .prior = -2,
                                .share = 0.25,
                                .rule = "MODEL_COST",
                                .accepted = true};
    assert_string_equal(servet_reason_text(&rise, text, sizeof text),
                        "latency rises by a factor of 1.47, required 2: no cache");
    servet_reason_text(&size, text, sizeof text);
    assert_non_null(strstr(text, "25.0 %"));
    assert_non_null(strstr(text, "chosen"));
    assert_string_equal(servet_reason_text(&rise, little, sizeof little), "latency");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_step_that_was_nearly_found_is_explained),
        cmocka_unit_test(each_level_is_explained_by_its_rise_and_size),
        cmocka_unit_test(rises_are_those_of_the_curve),
        cmocka_unit_test(probabilities_do_not_exceed_one),
        cmocka_unit_test(likely_other_sizes_are_listed),
        cmocka_unit_test(random_loads_are_distinguished_from_a_chase),
        cmocka_unit_test(a_small_rise_is_refused_with_its_reason),
        cmocka_unit_test(a_flat_curve_has_only_refused_candidates),
        cmocka_unit_test(explaining_does_not_change_the_result),
        cmocka_unit_test(failed_allocations_are_reported),
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(reasons_read_as_clauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
