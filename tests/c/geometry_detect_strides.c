/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines at a stride in caches of known geometry, which the detector finds from the times. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "facts/geometry/detect_strides.h"
#include "machine/model/random.h"
#include "small_cache.h"

enum { PLACES = 4, ROUNDS = 12, LINES_MAX = 96, PAGE = 4096, PAGES_ALL = 1 << 16 };

static const double HIT = 1.25, MISS = 5, TRANSLATION = 2;

/* The cache, and what else costs time. */
typedef struct known {
    int sets, ways, line;
    bool random;      /* replacement */
    bool scattered;   /* indexed by physical addresses of pages that lie anywhere */
    int translations; /* pages that are translated at no cost; 0: all */
    double noise;
} known;

/* --- times ------------------------------------------------------------------------------------ */

static uint64_t random_state;

/* Distinct multiples of the stride, in random order. */
static void place_lines(const srv_stride_row *row, uint64_t address[LINES_MAX])
{
    for (int k = 0; k < row->lines; k++) {
        bool taken = true;
        while (taken) {
            uint64_t multiple = srv_random_below(&random_state, 4096);
            address[k] = multiple * (uint64_t)row->stride +
                         (uint64_t)(k % row->phases) * (uint64_t)row->apart;
            taken = false;
            for (int i = 0; i < k; i++)
                taken = taken || address[i] / (uint64_t)row->stride == multiple;
        }
    }
}

static uint64_t physical(const known *of, uint64_t address, uint64_t place)
{
    uint64_t page = address / PAGE;
    return of->scattered ? srv_mix(page + place) % PAGES_ALL * PAGE + address % PAGE : address;
}

static int count_pages(const srv_stride_row *row, const uint64_t address[LINES_MAX])
{
    int pages = 0;
    for (int k = 0; k < row->lines; k++) {
        bool seen = false;
        for (int i = 0; i < k; i++)
            seen = seen || address[i] / PAGE == address[k] / PAGE;
        pages += !seen;
    }
    return pages;
}

/* The share of misses of all rounds but the first third. */
static double count_misses(const known *of, const srv_stride_row *row,
                           const uint64_t address[LINES_MAX])
{
    uint64_t place = srv_random_bits(&random_state);
    small_cache cache = small_cache_of(of->sets, of->ways, of->random, place);
    int misses = 0, counted = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < row->lines; k++) {
            uint64_t line = physical(of, address[k], place) / (uint64_t)of->line;
            bool hit = small_cache_visit(&cache, (int)(line % (uint64_t)of->sets), line + 1);
            counted += round >= ROUNDS / 3;
            misses += round >= ROUNDS / 3 && !hit;
        }
    small_cache_finish(&cache);
    return (double)misses / counted;
}

static double time_of(const known *of, const srv_stride_row *row)
{
    uint64_t address[LINES_MAX];
    place_lines(row, address);
    double ns = HIT + (MISS - HIT) * count_misses(of, row, address);
    if (of->translations > 0 && count_pages(row, address) > of->translations)
        ns += TRANSLATION;
    return ns * (1 + of->noise * (2 * srv_random_unit(&random_state) - 1));
}

static void probe(const known *of, srv_strides *strides, srv_stride_row row, int places)
{
    for (int i = 0; i < places; i++) {
        row.ns = time_of(of, &row);
        assert_int_equal(srv_strides_add(strides, row, NULL), SERVET_OK);
    }
}

/* All numbers of lines up to twice the ways, at all strides, with what as many cost that share no
 * set. */
static void probe_strides(const known *of, srv_strides *strides)
{
    for (int stride = 512; stride <= 65536; stride *= 2)
        for (int lines = 2; lines <= 2 * of->ways + 2; lines++) {
            srv_stride_row row = {.stride = stride, .phases = 1, .lines = lines};
            probe(of, strides, row, PLACES);
            row.apart = 64;
            row.phases = (int)fmin(64, stride / row.apart);
            probe(of, strides, row, 1);
        }
}

static void probe_shifts(const known *of, srv_strides *strides)
{
    double way = (double)of->sets * of->line;
    for (double apart = 16; apart <= 512 && way >= 512; apart *= 2)
        probe(of, strides, (srv_stride_row){way, apart, 2, of->ways + 2, 0}, PLACES);
}

static srv_stride_cache detect(const known *of)
{
    srv_strides strides = {0};
    random_state = 1;
    probe_strides(of, &strides);
    probe_shifts(of, &strides);
    srv_stride_cache found = srv_detect_strides(&strides);
    srv_strides_finish(&strides);
    return found;
}

static void finds(const known *of)
{
    srv_stride_cache found = detect(of);
    if (found.ways != of->ways || !(found.way_bytes == (double)of->sets * of->line) ||
        !(found.line_bytes == of->line))
        fail_msg("%d ways x %d sets x %d: %d x %g, line %g (%s)", of->ways, of->sets, of->line,
                 found.ways, found.way_bytes, found.line_bytes, found.why ? found.why : "clear");
    assert_null(found.why);
    assert_true(found.exact);
    assert_true(found.odds >= 5);
    assert_true(fabs(found.hit_ns - HIT) < 0.2 * HIT && found.miss_ns > 0.7 * MISS);
}

/* --- what is found ---------------------------------------------------------------------------- */

/* First levels of processors: Core, Zen, Ice Lake, Neoverse, A64FX, Niagara, Nehalem's neighbours.
 */
static const known caches[] = {
    {.sets = 64, .ways = 8, .line = 64},   {.sets = 64, .ways = 12, .line = 64},
    {.sets = 256, .ways = 4, .line = 64},  {.sets = 64, .ways = 4, .line = 256},
    {.sets = 128, .ways = 4, .line = 16},  {.sets = 64, .ways = 2, .line = 64},
    {.sets = 128, .ways = 8, .line = 128}, {.sets = 64, .ways = 16, .line = 64},
    {.sets = 64, .ways = 6, .line = 64},   {.sets = 128, .ways = 4, .line = 32},
};
enum { CACHES = sizeof caches / sizeof *caches };

static void caches_of_processors_are_found(void **state)
{
    (void)state;
    for (int i = 0; i < CACHES; i++)
        finds(&caches[i]);
}

/* One line more than a set of many ways holds hardly misses: then it may be unclear where that
 * begins, but never wrong. */
static void random_replacement_does_not_change_the_result(void **state)
{
    (void)state;
    for (int i = 0; i < CACHES; i++) {
        known of = caches[i];
        of.random = true;
        if (of.ways <= 8 || detect(&of).ways > 0)
            finds(&of);
    }
}

static void noise_does_not_change_the_result(void **state)
{
    (void)state;
    for (int i = 0; i < CACHES; i++) {
        known of = caches[i];
        of.noise = 0.05;
        finds(&of);
    }
}

/* More lines than the TLB has entries, on a page each, cost more wherever they lie. */
static void translation_does_not_count_as_misses(void **state)
{
    (void)state;
    for (int i = 0; i < CACHES; i++) {
        known of = caches[i];
        of.translations = of.ways > 4 ? of.ways - 2 : 2;
        finds(&of);
    }
}

/* --- what is not clear ------------------------------------------------------------------------ */

static void says(const known *of, const char *why)
{
    srv_stride_cache found = detect(of);
    assert_int_equal(found.ways, 0);
    assert_non_null(found.why);
    if (why && !strstr(found.why, why))
        fail_msg("said: %s", found.why);
}

/* Ways larger than a page, of pages that lie anywhere. */
static void scattered_pages_are_not_clear(void **state)
{
    (void)state;
    known larger = {.sets = 512, .ways = 4, .line = 64, .scattered = true};
    says(&larger, NULL);
    known largest = {.sets = 1024, .ways = 2, .line = 64, .scattered = true};
    says(&largest, NULL);
}

/* Ways no larger than a page don't depend on where pages lie. */
static void scattered_pages_suffice_for_small_ways(void **state)
{
    (void)state;
    known of = {.sets = 64, .ways = 8, .line = 64, .scattered = true};
    finds(&of);
}

/* A cache of 1 KiB, 4 ways: all strides probed are multiples of a way. */
static void a_way_below_the_smallest_stride_is_not_clear(void **state)
{
    (void)state;
    known of = {.sets = 4, .ways = 4, .line = 64};
    says(&of, "smallest stride");
}

/* Nothing misses: more ways than the largest number of lines probed. */
static void without_misses_nothing_is_clear(void **state)
{
    (void)state;
    srv_strides strides = {0};
    known of = {.sets = 64, .ways = 8, .line = 64};
    srv_stride_cache found = srv_detect_strides(&strides);
    assert_int_equal(found.ways, 0);
    assert_non_null(found.why);
    for (int stride = 512; stride <= 65536; stride *= 2)
        for (int lines = 2; lines <= of.ways; lines++)
            probe(&of, &strides, (srv_stride_row){stride, 0, 1, lines, 0}, PLACES);
    found = srv_detect_strides(&strides);
    assert_int_equal(found.ways, 0);
    assert_non_null(found.why);
    srv_strides_finish(&strides);
}

static void a_line_that_was_not_probed_is_unknown(void **state)
{
    (void)state;
    srv_strides strides = {0};
    known of = {.sets = 64, .ways = 8, .line = 64};
    probe_strides(&of, &strides);
    srv_stride_cache found = srv_detect_strides(&strides);
    assert_int_equal(found.ways, 8);
    assert_true(found.line_bytes == 0);
    servet_findings why = SERVET_FINDINGS_INIT;
    srv_explain_strides(&strides, &(srv_account){&why, SERVET_TOPIC_STRIDES, "all", 1});
    assert_true(why.n > 0);
    assert_string_equal(why.finding[why.n - 1].text,
                        "8 ways x 4 KiB = 32 KiB, line not determined");
    assert_int_equal(why.finding[why.n - 1].outcome, SERVET_OUTCOME_ACCEPTED);
    servet_findings_free(&why);
    srv_strides_finish(&strides);
}

/* Lines miss beyond the ways at 95 % of the places or more: of the 40 with 9 to 18 lines, two may
 * hit. */
static void a_few_places_may_differ(void **state)
{
    (void)state;
    for (int hits = 2; hits <= 3; hits++) {
        srv_strides strides = {0};
        known of = {.sets = 64, .ways = 8, .line = 64};
        int changed = 0;
        probe_strides(&of, &strides);
        for (size_t i = 1; i < strides.count; i++) {
            srv_stride_row *row = &strides.row[i];
            bool is_first_place = row->phases == 1 && row[-1].phases != 1;
            if (is_first_place && row->stride == 4096 && row->lines > 18 - hits) {
                row->ns = HIT;
                changed++;
            }
        }
        assert_int_equal(changed, hits);
        assert_int_equal(srv_detect_strides(&strides).ways, hits == 2 ? 8 : 0);
        srv_strides_finish(&strides);
    }
}

/* Of 9, 10 and 11 ways only 9 and 12 lines were probed. */
static void ways_that_were_left_out_are_not_exact(void **state)
{
    (void)state;
    static const int lines[] = {2, 4, 8, 9, 12, 16, 24};
    srv_strides strides = {0};
    known of = {.sets = 64, .ways = 10, .line = 64};
    for (int stride = 512; stride <= 65536; stride *= 2)
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            probe(&of, &strides, (srv_stride_row){stride, 0, 1, lines[i], 0}, PLACES);
    srv_stride_cache found = srv_detect_strides(&strides);
    assert_int_equal(found.ways, 9);
    assert_false(found.exact);
    srv_strides_finish(&strides);
}

static void slower_means_by_more_than_a_tenth(void **state)
{
    (void)state;
    srv_strides strides = {0};
    const srv_stride_row rows[] = {
        {4096, 0, 1, 2, 1}, {4096, 0, 1, 4, 1.05}, {4096, 0, 1, 8, 1.3}, {8192, 0, 1, 8, 9}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(srv_strides_add(&strides, rows[i], NULL), SERVET_OK);
    assert_false(srv_strides_slower(&strides, 4096, 4));
    assert_true(srv_strides_slower(&strides, 4096, 8));
    assert_false(srv_strides_slower(&strides, 4096, 5)); /* not probed */
    assert_false(srv_strides_slower(&strides, 8192, 8)); /* nothing to compare with */
    srv_strides_finish(&strides);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_of_processors_are_found),
        cmocka_unit_test(random_replacement_does_not_change_the_result),
        cmocka_unit_test(noise_does_not_change_the_result),
        cmocka_unit_test(translation_does_not_count_as_misses),
        cmocka_unit_test(scattered_pages_are_not_clear),
        cmocka_unit_test(scattered_pages_suffice_for_small_ways),
        cmocka_unit_test(a_way_below_the_smallest_stride_is_not_clear),
        cmocka_unit_test(without_misses_nothing_is_clear),
        cmocka_unit_test(a_line_that_was_not_probed_is_unknown),
        cmocka_unit_test(a_few_places_may_differ),
        cmocka_unit_test(ways_that_were_left_out_are_not_exact),
        cmocka_unit_test(slower_means_by_more_than_a_tenth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
