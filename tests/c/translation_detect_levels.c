/* SPDX-License-Identifier: BSD-3-Clause */
/* Levels of translation in series without noise, of each number of pages: a TLB is loaded from, and
 * its misses are counted. Random machines: translation_detect.c. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "facts/translation/detect.h"
#include "sim/random.h"

static const double PAGE = 4096, HIT = 2;

/* A TLB, and what was measured of it. */
typedef struct tlb {
    int sets, ways;
    int shared;              /* neighbouring pages with one entry */
    bool random;             /* replacement; else the least recently used entry */
    int (*set_of)(int page); /* NULL: the lowest bits */
    double ns;
    int pages; /* the most, at each distance */
    int far;   /* if not 0: the most at twice the distance, half as many at twice that, ... */
} tlb;

enum { PAGES_MAX = 256, DISTANCE_MAX = 64, ENTRIES_MAX = PAGES_MAX * DISTANCE_MAX };

/* The entries of a TLB while it is loaded from. */
typedef struct tlb_state {
    int held[PAGES_MAX];       /* numbers of entries, set by set, the latest use first */
    int filled[PAGES_MAX];     /* ways of each set in use */
    bool present[ENTRIES_MAX]; /* by number */
    uint64_t random_state;
} tlb_state;

static int set_of(const tlb *on, int number)
{
    return on->set_of ? on->set_of(number) % on->sets : number % on->sets;
}

/* The way that a new entry takes: the next empty one, else the last used, or a random one. */
static int victim(const tlb *on, tlb_state *state, int set)
{
    if (state->filled[set] < on->ways)
        return state->filled[set]++;
    return on->random ? (int)srv_random_below(&state->random_state, (uint32_t)on->ways)
                      : on->ways - 1;
}

/* Loads from one page; true if its translation was not there. */
static bool load(const tlb *on, tlb_state *state, int number)
{
    int set = set_of(on, number), *ways = &state->held[set * on->ways], way = 0;
    bool missed = !state->present[number];
    if (missed) {
        bool full = state->filled[set] == on->ways;
        way = victim(on, state, set);
        if (full)
            state->present[ways[way]] = false;
    } else {
        while (ways[way] != number)
            way++;
    }
    memmove(ways + 1, ways, (size_t)way * sizeof *ways);
    ways[0] = number;
    state->present[number] = true;
    return missed;
}

/* The share of the loads that miss once the pages have been visited in turn for a while. */
static double missing(const tlb *on, int distance, int pages)
{
    static tlb_state state;
    const int warm = on->random ? 30 : 2, measured = on->random ? 50 : 1;
    int lost = 0;
    assert_true(on->sets * on->ways <= PAGES_MAX && pages * distance <= ENTRIES_MAX);
    memset(&state, 0, sizeof state);
    for (int round = 0; round < warm + measured; round++)
        for (int i = 0; i < pages; i++)
            lost += load(on, &state, i * distance / on->shared) && round >= warm;
    return (double)lost / pages / measured;
}

static void visit(srv_page_visits *series, double stride, int pages, double ns)
{
    for (int twice = 0; twice < 2; twice++)
        assert_int_equal(srv_page_visits_add(series, (srv_page_visit){stride, pages, ns}, NULL),
                         SERVET_OK);
}

static int most_pages(const tlb *on, int distance)
{
    return on->far > 0 && distance > 1 ? 2 * on->far / distance : on->pages;
}

static srv_translation read_tlb(const tlb *on)
{
    srv_page_visits series = {
        .base_bytes = PAGE, .page_bytes = PAGE, .line_bytes = 64, .huge_share = NAN};
    for (int pages = 1; pages <= on->pages; pages++)
        visit(&series, 0, pages, HIT);
    for (int distance = 1; distance <= 32; distance *= 2)
        for (int pages = 1; pages <= most_pages(on, distance); pages++)
            visit(&series, distance * PAGE, pages, HIT + on->ns * missing(on, distance, pages));
    srv_translation found = srv_detect_translation(&series, false);
    srv_page_visits_free(&series);
    return found;
}

static void assert_exact(servet_value value, double expected)
{
    assert_true(value.low == expected && value.value == expected && value.high == expected);
}

/* --- levels ----------------------------------------------------------------------------------- */

static void sets_and_ways_are_exact(void **state)
{
    (void)state;
    srv_translation found =
        read_tlb(&(tlb){.sets = 16, .ways = 4, .shared = 1, .ns = 6, .pages = 100});
    assert_int_equal(found.count, 1);
    assert_exact(found.level[0].entries, 64);
    assert_exact(found.level[0].ways, 4);
    assert_exact(found.level[0].reach, 64 * PAGE);
    assert_exact(found.granule, PAGE);
    assert_float_equal(found.level[0].miss.value, 6e-9, 1e-12);
    assert_true(found.level[0].counted && found.level[0].entries.trusted);
    assert_float_equal(found.level[0].confidence, 0.9, 0);
    assert_int_equal(found.pages_asked, 100);
}

/* The second level of a TLB may answer within half of a load that hits; no level is free. */
static void a_cheap_level_is_found(void **state)
{
    (void)state;
    tlb cheap = {.sets = 1, .ways = 43, .shared = 1, .ns = HIT / 2, .pages = 100};
    srv_translation found = read_tlb(&cheap);
    assert_int_equal(found.count, 1);
    assert_exact(found.level[0].entries, 43);
    cheap.ns = 0;
    assert_int_equal(read_tlb(&cheap).count, 0);
}

static void a_level_without_sets_is_exact(void **state)
{
    (void)state;
    srv_translation found =
        read_tlb(&(tlb){.sets = 1, .ways = 43, .shared = 1, .ns = 6, .pages = 100});
    assert_int_equal(found.count, 1);
    assert_exact(found.level[0].entries, 43);
    assert_exact(found.level[0].ways, 43);
    assert_false(found.level[0].counted);
}

static void pages_that_share_an_entry_are_no_sets(void **state)
{
    (void)state;
    srv_translation found =
        read_tlb(&(tlb){.sets = 1, .ways = 48, .shared = 4, .ns = 6, .pages = 240});
    assert_int_equal(found.count, 1);
    assert_exact(found.level[0].entries, 48);
    assert_exact(found.level[0].ways, 48);
    assert_exact(found.granule, 4 * PAGE);
    assert_exact(found.level[0].reach, 192 * PAGE);
}

/* With random replacement, misses begin gradually: the result is an interval, which contains the
 * entries. */
static void a_soft_level_has_an_interval(void **state)
{
    (void)state;
    srv_translation found =
        read_tlb(&(tlb){.sets = 1, .ways = 64, .shared = 1, .random = true, .ns = 6, .pages = 250});
    assert_int_equal(found.count, 1);
    assert_true(found.level[0].entries.low < 64 && 64 < found.level[0].entries.high);
    assert_float_equal(found.level[0].confidence, 0.95, 0);
    assert_false(servet_value_known(&found.level[0].ways));
}

static void without_a_level_nothing_is_known(void **state)
{
    (void)state;
    srv_translation found =
        read_tlb(&(tlb){.sets = 1, .ways = 128, .shared = 1, .ns = 6, .pages = 100});
    assert_int_equal(found.count, 0);
    assert_false(servet_value_known(&found.granule));
    assert_false(servet_value_known(&found.walk));
    assert_int_equal(found.pages_asked, 100);
}

/* Random replacement in sets: misses begin gently, but at half the pages where their distance
 * doubles, until all are in one set. */
static void soft_sets_are_counted(void **state)
{
    (void)state;
    enum { SETS = 4, WAYS = 32 };
    srv_translation found = read_tlb(
        &(tlb){.sets = SETS, .ways = WAYS, .shared = 1, .random = true, .ns = 6, .pages = 250});
    assert_int_equal(found.count, 1);
    assert_true(found.level[0].counted);
    assert_true(found.level[0].entries.low <= SETS * WAYS);
    assert_true(SETS * WAYS <= found.level[0].entries.high);
    assert_true(found.level[0].entries.high < 1.1 * found.level[0].entries.low);
    assert_false(found.level[0].miss.trusted); /* no law says where the plateau is */
    assert_false(servet_value_known(&found.level[0].ways));
}

/* The number of a page, mixed. */
static int hash(int page)
{
    unsigned mixed = (unsigned)page * 2654435761u;
    return (int)(mixed >> 20);
}

/* Sets by a hash of the page: the same number of pages begins to miss at every distance. */
static void hashed_sets_look_like_none(void **state)
{
    (void)state;
    enum { SETS = 16, WAYS = 8 };
    srv_translation found = read_tlb(
        &(tlb){.sets = SETS, .ways = WAYS, .shared = 1, .set_of = hash, .ns = 6, .pages = 250});
    assert_int_equal(found.count, 1);
    assert_true(found.level[0].entries.low <= SETS * WAYS);
    assert_true(SETS * WAYS <= found.level[0].entries.high);
    assert_false(found.level[0].counted);
    assert_exact(found.granule, PAGE);
}

/* --- several levels --------------------------------------------------------------------------- */

/* The levels read where each of two levels has a cost of its misses; sizes and numbers of pages as
 * above. */
static srv_translation read_two(const tlb *first, const tlb *second)
{
    srv_page_visits series = {
        .base_bytes = PAGE, .page_bytes = PAGE, .line_bytes = 64, .huge_share = NAN};
    for (int pages = 1; pages <= first->pages; pages++)
        visit(&series, 0, pages, HIT);
    for (int distance = 1; distance <= 64; distance *= 2)
        for (int pages = 1; pages <= first->pages; pages++)
            visit(&series, distance * PAGE, pages,
                  HIT + first->ns * missing(first, distance, pages) +
                      second->ns * missing(second, distance, pages));
    srv_translation found = srv_detect_translation(&series, false);
    srv_page_visits_free(&series);
    return found;
}

static void two_levels_are_exact(void **state)
{
    (void)state;
    const tlb first = {.sets = 4, .ways = 4, .shared = 1, .ns = 6, .pages = 250};
    const tlb second = {.sets = 16, .ways = 10, .shared = 1, .ns = 20};
    srv_translation found = read_two(&first, &second);
    assert_int_equal(found.count, 2);
    assert_exact(found.level[0].entries, 16);
    assert_exact(found.level[0].ways, 4);
    assert_exact(found.level[1].entries, 160);
    assert_exact(found.level[1].ways, 10);
    assert_float_equal(found.level[0].miss.value, 6e-9, 1e-12);
    assert_float_equal(found.level[1].miss.value, 20e-9, 1e-12);
    assert_float_equal(found.walk.value, 26e-9, 1e-12);
    assert_true(found.level[0].miss.trusted && found.level[1].miss.trusted && found.walk.trusted);
    assert_int_equal(found.level[1].entries.samples, 250);
    assert_int_equal(found.level[1].entries.unit, SERVET_UNIT_NONE);
    assert_int_equal(found.level[1].ways.samples, 250);
    assert_int_equal(found.level[1].ways.unit, SERVET_UNIT_NONE);
    assert_int_equal(found.level[1].ways.method, SERVET_METHOD_CONFLICT);
    assert_int_equal(found.level[1].miss.unit, SERVET_UNIT_SECOND);
    assert_int_equal(found.level[1].reach.unit, SERVET_UNIT_BYTE);
    assert_exact(found.level[1].reach, 160 * PAGE);
}

/* Page walks grow with the pages, because page tables leave the caches: that is no further level. A
 * walk behind a second level costs several times a hit of this level. */
static void a_further_level_must_cost_much_more(void **state)
{
    (void)state;
    const tlb first = {.sets = 1, .ways = 16, .shared = 1, .ns = 6, .pages = 250};
    const tlb walks = {.sets = 1, .ways = 16, .shared = 1, .ns = 20 * HIT, .pages = 250};
    tlb second = {.sets = 1, .ways = 150, .shared = 1};
    second.ns = 0.2 * first.ns;
    assert_int_equal(read_two(&first, &second).count, 1);
    second.ns = 4 * first.ns;
    assert_int_equal(read_two(&first, &second).count, 2);
    second.ns = 2 * walks.ns;
    assert_int_equal(read_two(&walks, &second).count, 1);
}

/* Levels that are close to each other are one, whose misses cost more with more pages. */
static void close_levels_are_one_that_grows(void **state)
{
    (void)state;
    const tlb first = {.sets = 1, .ways = 64, .shared = 1, .ns = 6, .pages = 250};
    tlb second = {.sets = 1, .ways = 96, .shared = 1, .ns = 12};
    srv_translation found = read_two(&first, &second);
    assert_int_equal(found.count, 1);
    assert_false(found.level[0].miss.trusted);
    assert_float_equal(found.walk.high, 18e-9, 1e-12);
    second.ways = 180;
    found = read_two(&first, &second);
    assert_int_equal(found.count, 2);
    assert_exact(found.level[0].entries, 64);
    assert_exact(found.level[1].entries, 180);
    assert_true(found.level[0].miss.trusted);
}

/* --- huge pages ------------------------------------------------------------------------------- */

/* A level of 48 entries that translate `granule` bytes each: huge pages of 512 base pages are
 * loaded one line in each, and one line in each base page of them. */
static srv_translation read_huge(int granule)
{
    static const int distances[] = {1, 512, 1024, 2048};
    srv_page_visits series = {
        .base_bytes = PAGE, .page_bytes = 512 * PAGE, .line_bytes = 64, .huge_share = 1};
    for (int k = 0; k < 4; k++)
        for (int i = 1; i <= 110; i++) {
            int pages = distances[k] < granule ? i * granule / distances[k] : i;
            double entries = ceil(pages * fmin(1, (double)distances[k] / granule));
            visit(&series, 0, pages, HIT);
            visit(&series, distances[k] * PAGE, pages, HIT + (entries > 48 ? 6 : 0));
        }
    srv_translation found = srv_detect_translation(&series, false);
    srv_page_visits_free(&series);
    return found;
}

static void an_entry_may_translate_a_part_of_a_huge_page(void **state)
{
    (void)state;
    static const int granules[] = {1, 8, 16, 512};
    for (int i = 0; i < 4; i++) {
        srv_translation found = read_huge(granules[i]);
        assert_int_equal(found.count, 1);
        assert_float_equal(found.level[0].entries.value, 48, 0);
        assert_float_equal(found.level[0].reach.value, 48 * granules[i] * PAGE, 0);
        assert_exact(found.granule, granules[i] * PAGE);
        assert_int_equal(found.pages_asked, 110);
        if (i > 0) /* of base pages there is no second distance that agrees */
            assert_exact(found.level[0].reach, 48 * granules[i] * PAGE);
    }
}

/* --- what the pages cannot show --------------------------------------------------------------- */

/* 64 pages fit. At larger distances 32, 16, ... were loaded, and none missed: that a curve ends
 * there is not the end of its plateau. */
static void the_end_of_a_curve_is_no_end_of_a_plateau(void **state)
{
    (void)state;
    srv_translation found =
        read_tlb(&(tlb){.sets = 1, .ways = 64, .shared = 1, .ns = 6, .pages = 128, .far = 32});
    assert_int_equal(found.count, 1);
    assert_true(found.level[0].entries.low <= 64 && 64 <= found.level[0].entries.high);
    assert_false(found.level[0].counted);
}

/* Misses that take a few loads that hit may be served by another level, larger than the pages that
 * were loaded; misses that take many are page walks. */
static void a_level_beyond_the_pages_is_not_ruled_out(void **state)
{
    (void)state;
    tlb cheap = {.sets = 1, .ways = 43, .shared = 1, .ns = 3 * HIT, .pages = 100};
    srv_translation found = read_tlb(&cheap);
    assert_true(found.goes_on);
    assert_false(found.walk.trusted);
    tlb expensive = cheap;
    expensive.ns = 20 * HIT;
    found = read_tlb(&expensive);
    assert_false(found.goes_on);
    assert_true(found.walk.trusted);
    assert_float_equal(found.walk.value, 20e-9 * HIT, 1e-12);
}

/* 48 entries of huge pages whose misses cost 6 ns. Where lines side by side outgrow a cache, at
 * 600, lines of base pages begin to take longer than those, at last by `longer`. */
static double granule_beside_a_cache(double longer)
{
    const double huge = 512 * PAGE;
    srv_page_visits series = {
        .base_bytes = PAGE, .page_bytes = huge, .line_bytes = 64, .huge_share = 1};
    for (int lines = 2; lines <= 4096; lines += lines < 100 ? 1 : lines / 8) {
        double control = lines > 600 ? 5 * HIT : HIT;
        visit(&series, 0, lines, control);
        visit(&series, PAGE, lines, control + (lines > 700 ? longer : 0));
        if (lines <= 256)
            visit(&series, huge, lines, control + (lines > 48 ? 6 : 0));
    }
    srv_translation found = srv_detect_translation(&series, false);
    srv_page_visits_free(&series);
    assert_int_equal(found.count, 1);
    assert_true(found.level[0].entries.low <= 48 && 48 <= found.level[0].entries.high);
    return found.granule.value / PAGE;
}

/* But if it costs the same as a miss, an entry translates 16 base pages. */
static void the_end_of_a_cache_is_no_granule(void **state)
{
    (void)state;
    assert_float_equal(granule_beside_a_cache(2), 512, 0);
    assert_float_equal(granule_beside_a_cache(6), 16, 0);
}

/* 48 entries, whose misses cost 6 ns. Lines of more than 700 pages take 8 ns longer than as many
 * side by side, and this much longer where five lines are from one to the next. */
static srv_translation read_packed(bool packed, double longer)
{
    enum { ENTRIES = 48, OUTGROWN = 700, APART = 5 * 64 };
    srv_page_visits series = {
        .base_bytes = PAGE, .page_bytes = PAGE, .line_bytes = 64, .huge_share = NAN};
    for (int lines = 2; lines <= 8192; lines += lines < 100 ? 1 : lines / 8) {
        double pages = lines * APART / PAGE, beyond = lines > OUTGROWN ? 1 : 0;
        visit(&series, 0, lines, HIT);
        visit(&series, APART, lines, HIT + 6 * fmax(0, 1 - ENTRIES / pages) + longer * beyond);
        visit(&series, PAGE, lines, HIT + (lines > ENTRIES ? 6 : 0) + 8 * beyond);
    }
    srv_translation found = srv_detect_translation(&series, packed);
    srv_page_visits_free(&series);
    assert_float_equal(found.level[0].entries.value, ENTRIES, 0);
    return found;
}

/* A rise that packed lines show, too, is a cache, and no part of the cost of a miss. */
static void packed_lines_tell_a_cache_from_a_level(void **state)
{
    (void)state;
    srv_translation found = read_packed(true, 8);
    assert_int_equal(found.count, 1);
    assert_float_equal(found.walk.value, 6e-9, 0.3e-9);
    assert_float_equal(found.walk.high, 6e-9, 0.3e-9);
    found = read_packed(true, 0);
    assert_int_equal(found.count, 2);
    assert_float_equal(found.walk.value, 14e-9, 0.3e-9);
    found = read_packed(false, 8); /* what rises beside the other control costs nothing */
    assert_int_equal(found.count, 1);
    assert_float_equal(found.walk.value, 6e-9, 0.3e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_and_ways_are_exact),
        cmocka_unit_test(a_cheap_level_is_found),
        cmocka_unit_test(a_level_without_sets_is_exact),
        cmocka_unit_test(pages_that_share_an_entry_are_no_sets),
        cmocka_unit_test(a_soft_level_has_an_interval),
        cmocka_unit_test(without_a_level_nothing_is_known),
        cmocka_unit_test(soft_sets_are_counted),
        cmocka_unit_test(hashed_sets_look_like_none),
        cmocka_unit_test(two_levels_are_exact),
        cmocka_unit_test(a_further_level_must_cost_much_more),
        cmocka_unit_test(close_levels_are_one_that_grows),
        cmocka_unit_test(an_entry_may_translate_a_part_of_a_huge_page),
        cmocka_unit_test(the_end_of_a_curve_is_no_end_of_a_plateau),
        cmocka_unit_test(a_level_beyond_the_pages_is_not_ruled_out),
        cmocka_unit_test(the_end_of_a_cache_is_no_granule),
        cmocka_unit_test(packed_lines_tell_a_cache_from_a_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
