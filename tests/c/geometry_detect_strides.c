/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines at a stride in caches of known geometry, which the detector finds from the times. */
#include "test.h"

#include "facts/geometry/detect_lines.h"
#include "sim/random.h"
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
        assert_ok(srv_strides_add(strides, row, NULL));
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

TEST(caches_of_processors_are_found)
{
    for (int i = 0; i < CACHES; i++)
        finds(&caches[i]);
}

/* One line more than a set of many ways holds hardly misses: then it may be unclear where that
 * begins, but never wrong. */
TEST(random_replacement_does_not_change_the_result)
{
    for (int i = 0; i < CACHES; i++) {
        known of = caches[i];
        of.random = true;
        if (of.ways <= 8 || detect(&of).ways > 0)
            finds(&of);
    }
}

TEST(noise_does_not_change_the_result)
{
    for (int i = 0; i < CACHES; i++) {
        known of = caches[i];
        of.noise = 0.05;
        finds(&of);
    }
}

/* More lines than the TLB has entries, on a page each, cost more wherever they lie. */
TEST(translation_does_not_count_as_misses)
{
    for (int i = 0; i < CACHES; i++) {
        known of = caches[i];
        of.translations = of.ways > 4 ? of.ways - 2 : 2;
        finds(&of);
    }
}

/* --- exact times ------------------------------------------------------------------------------ */

enum { WAYS = 8, WAY_BYTES = 4096, LINE = 64 };

static void add(srv_strides *strides, srv_stride_row row)
{
    assert_ok(srv_strides_add(strides, row, NULL));
}

/* Beyond four lines each takes a TLB's miss, wherever it lies. */
static double translated(int lines)
{
    return lines > 4 ? TRANSLATION : 0;
}

/* 32 KiB of 8 ways, LRU: 4 places of each number of lines, which are spread evenly over sets; what
 * as many cost without conflict; and second lines shifted by 16 to 512 bytes. */
static srv_strides exact_strides(void)
{
    srv_strides strides = {0};
    for (int stride = 1024; stride <= 16384; stride *= 2)
        for (int lines = 2; lines <= 2 * WAYS + 2; lines++) {
            int room = WAYS * (stride < WAY_BYTES ? WAY_BYTES / stride : 1);
            double ns = (lines > room ? MISS : HIT) + translated(lines);
            for (int place = 0; place < 4; place++)
                add(&strides, (srv_stride_row){stride, 0, 1, lines, ns});
            for (int k = 0; k < 2; k++) /* one was disturbed */
                add(&strides,
                    (srv_stride_row){stride, LINE, 64, lines, HIT + translated(lines) + k});
        }
    for (int apart = 16; apart <= 512; apart *= 2)
        add(&strides, (srv_stride_row){WAY_BYTES, apart, 2, WAYS + 2,
                                       (apart < LINE ? MISS : HIT) + translated(WAYS + 2)});
    return strides;
}

static void is_exact(const srv_strides *strides, double scale)
{
    srv_stride_cache found = srv_detect_strides(strides);
    assert_null(found.why);
    assert_int_equal(found.ways, WAYS);
    assert_float_equal(found.way_bytes, WAY_BYTES, 0);
    assert_float_equal(found.line_bytes, LINE, 0);
    assert_float_equal(found.hit_ns, scale * HIT, 1e-9);
    assert_float_equal(found.miss_ns, scale * MISS, 1e-9);
    assert_true(found.exact);
}

TEST(exact_times_give_exact_results)
{
    srv_strides strides = exact_strides();
    is_exact(&strides, 1);
    for (size_t i = 0; i < strides.count; i++) /* a slower clock */
        strides.row[i].ns *= 2;
    is_exact(&strides, 2);
    for (size_t i = 0, j = strides.count - 1; i < j; i++, j--) { /* in another order */
        srv_stride_row row = strides.row[i];
        strides.row[i] = strides.row[j];
        strides.row[j] = row;
    }
    is_exact(&strides, 2);
    srv_ways ways;
    assert_true(srv_strides_end(&strides, 8192, &ways));
    assert_int_equal(ways.ways, WAYS);
    assert_int_equal(ways.next, WAYS + 1);
    assert_false(srv_strides_end(&strides, 1024, &ways)); /* 32 lines fit */
    assert_true(srv_strides_end(&strides, 2048, &ways));
    assert_int_equal(ways.ways, 2 * WAYS);
    srv_strides_finish(&strides);
}

/* The median counts for a set that is too full at every place, the faster places for other sets. */
TEST(places_of_a_full_set_differ)
{
    for (int kept = 0; kept < 2; kept++) {
        srv_strides strides = {0};
        srv_ways ways;
        for (int lines = 2; lines <= 18; lines++)
            for (int place = 0; place < 5; place++)
                add(&strides, (srv_stride_row){4096, 0, 1, lines,
                                               lines <= WAYS        ? 2 + 0.02 * place
                                               : kept && place == 0 ? 2
                                                                    : 6 + place});
        assert_true(srv_strides_end(&strides, 4096, &ways));
        assert_int_equal(ways.ways, WAYS);
        assert_float_equal(ways.hit_ns, 2.02, 1e-9);
        assert_float_equal(ways.miss_ns, kept ? 7 : 8, 1e-9);
        srv_strides_finish(&strides);
    }
}

static double line_of(double at_64, double at_128)
{
    srv_strides strides = exact_strides();
    for (size_t i = 0; i < strides.count; i++) {
        srv_stride_row *row = &strides.row[i];
        if (row->phases == 2)
            row->ns = translated(row->lines) + (row->apart < 64     ? MISS
                                                : row->apart == 64  ? at_64
                                                : row->apart == 128 ? at_128
                                                                    : HIT);
    }
    double line = srv_detect_strides(&strides).line_bytes;
    srv_strides_finish(&strides);
    return line;
}

/* With 10 lines in a set of 8 ways at least 2 miss with any policy, which adds 0.75 ns on average;
 * the limit is half of that, 0.375. All larger shifts must leave the set, too. */
TEST(shifted_lines_leave_the_set_if_fewer_miss_than_must)
{
    assert_float_equal(line_of(HIT + 0.36, HIT), 64, 0);
    assert_float_equal(line_of(HIT + 0.39, HIT), 128, 0);
    assert_float_equal(line_of(HIT, HIT + 0.39), 0, 0);
}

static const servet_finding *finding_of(const servet_findings *why, const char *text)
{
    for (size_t i = 0; i < why->n; i++)
        if (strstr(why->finding[i].text, text))
            return &why->finding[i];
    fail_msg("nothing says %s", text);
    return NULL;
}

static servet_findings explained(const srv_strides *strides)
{
    servet_findings why = SERVET_FINDINGS_INIT;
    srv_explain_strides(strides, &(srv_account){&why, SERVET_TOPIC_STRIDES, "all", 1});
    assert_ok(why.code);
    return why;
}

static void says_rule(const servet_findings *why, const char *text, const char *rule, double value,
                      double limit, bool holds)
{
    const servet_finding *finding = finding_of(why, text);
    assert_string_equal(finding->rule, rule);
    assert_float_equal(finding->value, value, 1e-9);
    assert_float_equal(finding->limit, limit, 1e-9);
    assert_int_equal(finding->outcome, holds ? SERVET_OUTCOME_ACCEPTED : SERVET_OUTCOME_REJECTED);
}

TEST(each_stride_and_rule_is_explained)
{
    srv_strides strides = exact_strides();
    servet_findings why = explained(&strides);
    srv_stride_cache found = srv_detect_strides(&strides);
    finding_of(&why, "516 times of lines"); /* 5 strides, 17 numbers, 6 places; 6 shifts */
    finding_of(&why, "lines 1 KiB apart: all hit");
    finding_of(&why, "lines 2 KiB apart: 16 hit (1.25 ns), 17 miss (5 ns)");
    finding_of(&why, "lines 4 KiB apart: 8 hit (1.25 ns), 9 miss (5 ns)");
    finding_of(&why, "lines 16 KiB apart: 8 hit (1.25 ns), 9 miss (5 ns)");
    finding_of(&why, "mean ns, by number of lines: 2: 1.25, 3: 1.25");
    says_rule(&why, "log odds of 8 ways", "CLEAR", found.odds, 5, true);
    says_rule(&why, "half the stride", "HALVED", 2, 1.25, true);
    says_rule(&why, "at which 8 lines miss", "LATE", 0, 0.5, true);
    says_rule(&why, "at which more lines miss", "AGREEING", 1, 0.95, true);
    assert_string_equal(why.finding[why.n - 1].text, "8 ways x 4 KiB = 32 KiB, line 64 B");
    servet_findings_free(&why);
    srv_strides_finish(&strides);
}

/* Lines of one number of ten hit at each of the other places: 4 of 40, and those that should. */
TEST(an_unclear_result_is_explained)
{
    srv_strides strides = exact_strides();
    for (size_t i = 1; i < strides.count; i++) {
        srv_stride_row *row = &strides.row[i];
        bool is_first = row->phases == 1 && row[-1].phases != 1 && row->stride == WAY_BYTES;
        if (is_first && (row->lines == WAYS || row->lines > 14))
            row->ns = (row->lines == WAYS ? MISS : HIT) + TRANSLATION;
    }
    servet_findings why = explained(&strides);
    says_rule(&why, "at which 8 lines miss", "LATE", 0.25, 0.5, true);
    says_rule(&why, "at which more lines miss", "AGREEING", 0.9, 0.95, false);
    finding_of(&why, "not determined: lines at one stride conflict in some places");
    assert_int_equal(why.finding[why.n - 1].outcome, SERVET_OUTCOME_REJECTED);
    servet_findings_free(&why);
    srv_strides_finish(&strides);

    why = explained(&strides);
    assert_int_equal(why.n, 1);
    finding_of(&why, "not determined: nothing was measured");
    servet_findings_free(&why);

    for (int stride = 1024; stride <= 16384; stride *= 2)
        for (int lines = 2; lines <= 18; lines += 4) /* of 8 ways only 6 and 10 were measured */
            add(&strides,
                (srv_stride_row){stride, 0, 1, lines,
                                 lines > WAYS * fmax(1, WAY_BYTES / stride) ? MISS : HIT});
    why = explained(&strides);
    finding_of(&why, "not determined: the numbers of lines next to 6 were not measured");
    servet_findings_free(&why);
    srv_strides_finish(&strides);
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
TEST(scattered_pages_are_not_clear)
{
    known larger = {.sets = 512, .ways = 4, .line = 64, .scattered = true};
    says(&larger, NULL);
    known largest = {.sets = 1024, .ways = 2, .line = 64, .scattered = true};
    says(&largest, NULL);
}

/* A cache of 1 KiB, 4 ways: all strides probed are multiples of a way. */
TEST(a_way_below_the_smallest_stride_is_not_clear)
{
    known of = {.sets = 4, .ways = 4, .line = 64};
    says(&of, "smallest stride");
}

/* Nothing misses: more ways than the largest number of lines probed. */
TEST(without_misses_nothing_is_clear)
{
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

TEST(a_line_that_was_not_probed_is_unknown)
{
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

/* Only 9 and 12 of the lines next to 9, 10 and 11 ways were probed. */
TEST(ways_that_were_left_out_are_not_exact)
{
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

TEST(slower_means_by_more_than_a_tenth)
{
    srv_strides strides = {0};
    const srv_stride_row rows[] = {
        {4096, 0, 1, 2, 1}, {4096, 0, 1, 4, 1.05}, {4096, 0, 1, 8, 1.3}, {8192, 0, 1, 8, 9}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_ok(srv_strides_add(&strides, rows[i], NULL));
    assert_false(srv_strides_slower(&strides, 4096, 4));
    assert_true(srv_strides_slower(&strides, 4096, 8));
    assert_false(srv_strides_slower(&strides, 4096, 5)); /* not probed */
    assert_false(srv_strides_slower(&strides, 8192, 8)); /* nothing to compare with */
    srv_strides_finish(&strides);
}
