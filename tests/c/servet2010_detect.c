/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Curves whose truth is known by construction: caches of a given capacity, ways and latency, whose
 * miss rate is the papers' own P(X > K), the true one of an LRU cache under random placement, or a
 * step where pages are coloured. Everything that can be computed otherwise is: the binomial here is
 * a plain sum.
 */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "facts/servet2010/detect.h"

static const double KIB = 1 << 10, MIB = 1 << 20;
enum { POINTS_MAX = 256 };

static double bytes[POINTS_MAX], latency[POINTS_MAX];
static servet_curve curve;
static servet_2010_options options;

/* P(X >= k), X ~ B(n, p), summed from below: exact enough for k below 30. */
static double at_least(int n, double p, int k)
{
    double term = pow(1 - p, n), sum = 0;
    for (int i = 0; i < k && i <= n; i++) {
        sum += term;
        term *= (double)(n - i) / (i + 1) * p / (1 - p);
    }
    return 1 - sum;
}

typedef enum placement { COLOURED, PER_SET, PER_ACCESS } placement;

typedef struct cache {
    double bytes;
    int ways;
    double ns; /* of a hit */
    placement placement;
} cache;

static double misses(const cache *of, double size)
{
    int pages = (int)(size / 4096);
    double p = of->ways * 4096 / of->bytes;
    switch (of->placement) {
    case PER_SET:
        return at_least(pages, p, of->ways + 1);
    case PER_ACCESS:
        return pages > 0 ? at_least(pages - 1, p, of->ways) : 0;
    default:
        return size > of->bytes;
    }
}

/* The papers' grid from 4 KiB to `max`, and what a walk over these levels takes. */
static void draw(const cache *levels, int count, double memory, double max)
{
    curve = (servet_curve){0, bytes, latency, NULL, NULL, SERVET_UNIT_CYCLE};
    for (double size = 4 * KIB; size <= max; size = size < 2 * MIB ? 2 * size : size + MIB) {
        double time = levels[0].ns;
        for (int i = 0; i < count; i++) {
            double behind = i + 1 < count ? levels[i + 1].ns : memory;
            time += (behind - levels[i].ns) * misses(&levels[i], size);
        }
        bytes[curve.n] = size;
        latency[curve.n++] = time;
    }
}

static int prepare(void **state)
{
    (void)state;
    options = (servet_2010_options)SERVET_2010_OPTIONS_INIT;
    return 0;
}

static servet_cache_analysis analyze(void)
{
    servet_cache_analysis analysis;
    assert_int_equal(servet_analyze_cache_2010(&curve, &options, &analysis, NULL), SERVET_OK);
    return analysis;
}

static void assert_sizes(int count, const double *sizes)
{
    servet_cache_analysis analysis = analyze();
    assert_int_equal(analysis.level_count, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(analysis.level[i].level, i + 1);
        assert_int_equal((int)analysis.level[i].bytes.value, (int)sizes[i]);
        assert_true(analysis.level[i].bytes.method == SERVET_METHOD_SERVET2010 ||
                    analysis.level[i].bytes.method == SERVET_METHOD_SERVET2010_STEP);
        assert_true(analysis.level[i].bytes.low <= sizes[i] &&
                    sizes[i] <= analysis.level[i].bytes.high);
    }
}

static size_t point(double size)
{
    for (size_t i = 0; i < curve.n; i++)
        if (bytes[i] == size)
            return i;
    fail_msg("no point at %.0f", size);
    return 0;
}

static double probable(double low, double high)
{
    srv_2010_size size;
    assert_true(srv_2010_probabilistic(&curve, point(low), point(high), 0, &options, &size));
    return size.bytes;
}

/* --- the papers' examples --------------------------------------------------------------------- */

static const cache dempsey[] = {{16384, 8, 4, COLOURED}, {2 << 20, 8, 25, PER_SET}};
static const cache dunnington[] = {
    {32768, 8, 3, COLOURED}, {3 << 20, 12, 15, PER_SET}, {12 << 20, 24, 60, PER_SET}};

static void dempsey_has_2_mib_where_the_gradient_says_1(void **state)
{
    (void)state;
    draw(dempsey, 2, 300, 20 * MIB);
    size_t top = 1;
    for (size_t k = point(32 * KIB); k + 1 < curve.n; k++)
        if (latency[k + 1] / latency[k] > latency[top + 1] / latency[top])
            top = k;
    assert_float_equal(bytes[top], 1 * MIB, 0);
    assert_float_equal(probable(256 * KIB, 4 * MIB), 2 * MIB, 0);
    assert_sizes(2, (const double[]){16 * KIB, 2 * MIB});
    servet_cache_analysis analysis = analyze();
    assert_int_equal(analysis.level[0].bytes.method, SERVET_METHOD_SERVET2010_STEP);
    assert_int_equal(analysis.level[1].bytes.method, SERVET_METHOD_SERVET2010);
}

static void dunnington_has_12_mib(void **state)
{
    (void)state;
    draw(dunnington, 3, 250, 24 * MIB);
    assert_sizes(3, (const double[]){32 * KIB, 3 * MIB, 12 * MIB});
}

/* In the paper's figure the rise begins behind 3 MiB and is over at 14 MiB, which the binomial of a
 * 12 MiB cache does not reach before 18 MiB: half of the misses at 12, all at 14. */
static void dunnington_has_12_mib_by_sizes_from_3_to_14(void **state)
{
    (void)state;
    draw(dunnington, 3, 250, 24 * MIB);
    for (size_t i = point(3 * MIB); i < curve.n; i++)
        latency[i] = 60 + 190 * fmin(1, fmax(0, (bytes[i] / MIB - 10) / 4));
    assert_float_equal(probable(3 * MIB, 14 * MIB), 12 * MIB, 0);
}

/* Finis Terrae, Itanium 2: 16 KiB, 256 KiB, 9 MiB; and the Athlon 3200: 64 KiB, 512 KiB. */
static void the_other_machines_of_the_evaluation_are_right(void **state)
{
    (void)state;
    const cache itanium[] = {
        {16384, 4, 2, COLOURED}, {262144, 8, 6, PER_SET}, {9 << 20, 18, 14, PER_SET}};
    draw(itanium, 3, 200, 20 * MIB);
    assert_sizes(3, (const double[]){16 * KIB, 256 * KIB, 9 * MIB});
    const cache athlon[] = {{65536, 2, 3, COLOURED}, {524288, 16, 16, PER_SET}};
    draw(athlon, 2, 150, 8 * MIB);
    assert_sizes(2, (const double[]){64 * KIB, 512 * KIB});
}

/* With coloured pages, a single step shows the size, if the next size shows that the step has
 * ended. */
static void a_step_before_the_last_size_is_the_size(void **state)
{
    (void)state;
    const cache coloured[] = {{16384, 8, 4, COLOURED}, {1 << 20, 8, 25, COLOURED}};
    for (double most = 3 * MIB; most <= 5 * MIB; most += MIB) {
        draw(coloured, 2, 300, most);
        servet_cache_analysis analysis = analyze();
        const servet_value *size = &analysis.level[1].bytes;
        assert_int_equal(analysis.level_count, 2);
        assert_int_equal(size->method, SERVET_METHOD_SERVET2010_STEP);
        assert_true(size->value == MIB && size->low == MIB && size->high == 2 * MIB);
    }
}

/* --- the probabilistic algorithm -------------------------------------------------------------- */

static void a_curve_of_the_formula_gives_its_size(void **state)
{
    (void)state;
    const struct {
        double mib;
        int ways;
    } caches[] = {{0.25, 4}, {0.5, 8}, {1, 16},  {2, 16}, {3, 12},
                  {6, 24},   {8, 16},  {20, 20}, {36, 12}};
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
        for (options.votes = 1; options.votes <= 5; options.votes += 4) {
            double size = caches[i].mib * MIB;
            cache one = {size, caches[i].ways, 20, PER_SET};
            draw(&one, 1, 200, size < 2 * MIB ? 8 * size : 2 * size);
            assert_float_equal(probable(4 * KIB, bytes[curve.n - 1]), size, 0);
        }
}

/* The papers' formula has a known bias (see servet2010_pages.c), which stays. */
static void real_misses_of_large_caches_give_a_low_size(void **state)
{
    (void)state;
    const int sizes[] = {12, 32, 36};
    for (int i = 0; i < 3; i++) {
        cache one = {sizes[i] * MIB, 16, 40, PER_ACCESS};
        draw(&one, 1, 200, 1.5 * sizes[i] * MIB);
        double size = probable(4 * KIB, bytes[curve.n - 1]) / MIB;
        assert_true(size < sizes[i] && size >= 0.85 * sizes[i]);
    }
}

/* Jornadas'10: the single best, where IPDPS'10 takes the mode of five. The curve is that of 2 MiB
 * and 2 ways with one point off, whose neighbours in K fit worse than other capacities do. */
static void the_alternative_uses_one_vote(void **state)
{
    (void)state;
    cache one = {2 * MIB, 2, 20, PER_SET};
    draw(&one, 1, 200, 8 * MIB);
    srv_2010_size mode, single;
    assert_true(srv_2010_probabilistic(&curve, 0, curve.n - 1, 0, &options, &mode));
    options.votes = 1;
    assert_true(srv_2010_probabilistic(&curve, 0, curve.n - 1, 0, &options, &single));
    assert_float_equal(single.bytes, 2 * MIB, 0);
    assert_float_equal(single.low, single.high, 0);
    assert_float_equal(single.share, 1, 0);
    assert_true(mode.low < mode.high && mode.share < 1);
}

static void huge_pages_give_the_size_exactly(void **state)
{
    (void)state;
    cache one = {2 * MIB, 8, 20, PER_SET};
    draw(&one, 1, 200, 8 * MIB);
    srv_2010_size size;
    options.page_bytes = 1024 * MIB;
    assert_false(srv_2010_probabilistic(&curve, 0, curve.n - 1, 0, &options, &size));
}

/* --- peaks and levels ------------------------------------------------------------------------- */

static void coloured_pages_give_one_step(void **state)
{
    (void)state;
    const cache caches[] = {
        {32768, 8, 4, COLOURED}, {524288, 8, 14, COLOURED}, {8 << 20, 16, 40, COLOURED}};
    draw(caches, 3, 200, 24 * MIB);
    assert_sizes(3, (const double[]){32 * KIB, 512 * KIB, 8 * MIB});
    servet_cache_analysis analysis = analyze();
    const double ns[] = {4, 14, 40};
    for (int i = 0; i < 3; i++) {
        assert_float_equal(analysis.level[i].latency.value, ns[i], 1e-6);
        assert_float_equal(analysis.level[i].confidence, 1, 1e-6);
        assert_true(analysis.level[i].bytes.trusted);
    }
    assert_float_equal(analysis.memory_latency.value, 200, 1e-6);
}

/* Requirement C7, also where steps are small: the gradient is that to the next size, no further. */
static void one_flat_step_ends_a_peak(void **state)
{
    (void)state;
    curve = (servet_curve){0, bytes, latency, NULL, NULL, SERVET_UNIT_CYCLE};
    for (double mib = 8; mib <= 20; mib++) {
        bytes[curve.n] = mib * MIB;
        latency[curve.n++] = mib <= 8 ? 10 : mib <= 9 ? 14 : mib <= 11 ? 19 : mib <= 12 ? 26 : 36;
    }
    srv_2010_peak peaks[4];
    assert_int_equal(srv_2010_peaks(&curve, peaks, 4), 2);
    assert_int_equal(peaks[0].first, 0); /* 8, 9, 10 MiB */
    assert_int_equal(peaks[0].last, 2);
    assert_int_equal(peaks[1].first, 3); /* 11, 12, 13 MiB */
    assert_int_equal(peaks[1].last, 5);
}

static void a_flat_curve_has_no_level(void **state)
{
    (void)state;
    cache endless = {1024 * MIB, 8, 20, COLOURED};
    draw(&endless, 1, 200, 8 * MIB);
    for (size_t i = 0; i < curve.n; i++)
        latency[i] *= i % 2 ? 1.02 : 0.98;
    servet_cache_analysis analysis = analyze();
    assert_int_equal(analysis.level_count, 0);
    assert_false(servet_value_known(&analysis.memory_latency));
}

/* The largest arrays show a gradient above 1: the algorithm is used, its answer not trusted. */
static void a_rise_at_the_end_counts_but_is_not_trusted(void **state)
{
    (void)state;
    draw(dunnington, 3, 250, 12 * MIB);
    servet_cache_analysis analysis = analyze();
    assert_int_equal(analysis.level_count, 3);
    assert_true(analysis.level[1].bytes.trusted);
    assert_false(analysis.level[2].bytes.trusted);
    assert_true(analysis.level[2].bytes.value > 6 * MIB);
    assert_false(servet_value_known(&analysis.memory_latency));
}

/* Levels of one step of the grid each, a factor 4 apart, up to the largest number in a profile. */
static void any_number_of_levels_is_found(void **state)
{
    (void)state;
    cache caches[SERVET_CACHE_LEVELS_MAX];
    double sizes[SERVET_CACHE_LEVELS_MAX];
    for (int i = 0; i < SERVET_CACHE_LEVELS_MAX; i++) {
        sizes[i] = 8 * KIB * pow(4, i < 5 ? i : 4) + (i < 5 ? 0 : (i - 4) * 8 * MIB);
        caches[i] = (cache){sizes[i], 8, pow(2, i), COLOURED};
    }
    for (int count = 1; count <= SERVET_CACHE_LEVELS_MAX; count++) {
        draw(caches, count, 2000, 40 * MIB);
        assert_sizes(count, sizes);
    }
}

static void invalid_curves_are_refused(void **state)
{
    (void)state;
    servet_cache_analysis analysis;
    servet_error error = SERVET_ERROR_INIT;
    draw(dempsey, 2, 300, 20 * MIB);
    curve.n = 3;
    assert_int_equal(servet_analyze_cache_2010(&curve, &options, &analysis, &error),
                     SERVET_EARGUMENT);
    assert_non_null(strstr(error.text, "at least 4 points"));
    draw(dempsey, 2, 300, 20 * MIB);
    const servet_2010_options wrong[] = {{0, 5},        {-1, 5},   {NAN, 5},
                                         {INFINITY, 5}, {4096, 0}, {4096, 65}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(servet_analyze_cache_2010(&curve, &wrong[i], &analysis, NULL),
                         SERVET_EARGUMENT);
}

/* A rise that ends at 1 PiB has 2^30 steps of the papers' grid. */
static void a_rise_of_any_length_is_decided(void **state)
{
    static const double sizes[] = {4096, 8192, 16384, 32768, 65536, 131072, 262144, 0x1p50};
    static const double cycles[] = {2, 2, 2, 2.2, 10, 11, 11.6, 189};
    (void)state;
    servet_cache_analysis analysis;
    servet_error error = SERVET_ERROR_INIT;
    curve = (servet_curve){8, bytes, latency, NULL, NULL, SERVET_UNIT_CYCLE};
    memcpy(bytes, sizes, sizeof sizes);
    memcpy(latency, cycles, sizeof cycles);
    assert_int_equal(servet_analyze_cache_2010(&curve, &options, &analysis, &error), SERVET_OK);
    assert_int_equal(analysis.level_count, 2);
    bytes[7] = 1e22;
    assert_int_equal(servet_analyze_cache_2010(&curve, &options, &analysis, &error),
                     SERVET_EARGUMENT);
    assert_non_null(strstr(error.text, "1 PiB"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(dempsey_has_2_mib_where_the_gradient_says_1, prepare),
        cmocka_unit_test_setup(dunnington_has_12_mib, prepare),
        cmocka_unit_test_setup(dunnington_has_12_mib_by_sizes_from_3_to_14, prepare),
        cmocka_unit_test_setup(the_other_machines_of_the_evaluation_are_right, prepare),
        cmocka_unit_test_setup(a_step_before_the_last_size_is_the_size, prepare),
        cmocka_unit_test_setup(a_curve_of_the_formula_gives_its_size, prepare),
        cmocka_unit_test_setup(real_misses_of_large_caches_give_a_low_size, prepare),
        cmocka_unit_test_setup(the_alternative_uses_one_vote, prepare),
        cmocka_unit_test_setup(huge_pages_give_the_size_exactly, prepare),
        cmocka_unit_test_setup(coloured_pages_give_one_step, prepare),
        cmocka_unit_test_setup(one_flat_step_ends_a_peak, prepare),
        cmocka_unit_test_setup(a_flat_curve_has_no_level, prepare),
        cmocka_unit_test_setup(a_rise_at_the_end_counts_but_is_not_trusted, prepare),
        cmocka_unit_test_setup(any_number_of_levels_is_found, prepare),
        cmocka_unit_test_setup(a_rise_of_any_length_is_decided, prepare),
        cmocka_unit_test_setup(invalid_curves_are_refused, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
