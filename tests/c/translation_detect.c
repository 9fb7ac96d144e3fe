/* SPDX-License-Identifier: BSD-3-Clause */
/* TLBs are found in randomly generated machines, quiet ones and shared ones. */
#include "test.h"

#include "core/error.h"
#include "facts/translation/benchmark.h"
#include "facts/translation/detect.h"
#include "tlb_machine.h"

static const double MIB = 1 << 20;

/* Uses the packed control if it was measured and is requested. */
static srv_translation read_with(tlb_machine *on, double page_bytes, bool packed)
{
    srv_page_visits visits;
    srv_translation_plan plan = {.base_bytes = 4096,
                                 .page_bytes = page_bytes,
                                 .line_bytes = 64,
                                 .max_bytes = 256 * MIB,
                                 .sampler.machine = &on->machine};
    if (page_bytes > plan.base_bytes)
        plan.max_bytes = 512 * MIB;
    assert_ok(srv_bench_translation(&plan, &visits, NULL));
    packed = packed && srv_page_is_packed(&visits, page_bytes);
    srv_translation found = srv_detect_translation(&visits, packed);
    srv_page_visits_free(&visits);
    return found;
}

static srv_translation read_pages(tlb_machine *on, double page_bytes)
{
    return read_with(on, page_bytes, false);
}

/* The curve of a quiet machine with these TLBs, whose entries translate `translated` bytes. */
static srv_translation read_tlbs(int count, const tlb tlbs[], double page_bytes, double translated)
{
    tlb_machine on;
    tlb_machine_init(&on, 1);
    on.page_bytes = translated;
    on.count = count;
    memcpy(on.tlb, tlbs, (size_t)count * sizeof *tlbs);
    srv_translation found = read_pages(&on, page_bytes);
    tlb_machine_finish(&on);
    return found;
}

static srv_translation read_tlb(tlb one)
{
    return read_tlbs(1, &one, 4096, 4096);
}

static void assert_exact(servet_value value, double expected)
{
    assert_true(value.low == expected && value.value == expected && value.high == expected);
}

static void assert_within(servet_value value, double expected)
{
    assert_true(value.low <= expected && expected <= value.high);
}

/* --- kinds of TLBs ---------------------------------------------------------------------------- */

TEST(without_a_tlb_nothing_is_found)
{
    tlb_machine on;
    srv_page_visits none = {.base_bytes = 4096, .page_bytes = 4096, .line_bytes = 64};
    assert_int_equal(srv_detect_translation(&none, false).count, 0);
    tlb_machine_init(&on, 1);
    on.jitter = 0.02;
    srv_translation found = read_pages(&on, 4096);
    assert_int_equal(found.count, 0);
    assert_true(found.pages_asked > 8192);
    assert_false(servet_value_known(&found.granule));
    assert_false(servet_value_known(&found.walk));
    tlb_machine_finish(&on);
}

TEST(a_fully_associative_level_is_exact)
{
    srv_translation found = read_tlb((tlb){.sets = 1, .ways = 43, .ns = 3});
    assert_int_equal(found.count, 1);
    assert_exact(found.level[0].entries, 43);
    assert_exact(found.level[0].ways, 43);
    assert_exact(found.level[0].reach, 43 * 4096);
    assert_false(found.level[0].counted);
    assert_float_equal(found.level[0].miss.value * 1e9, 3, 0.1);
    assert_float_equal(found.walk.value * 1e9, 3, 0.1);
}

/* The second level of a TLB may answer within half of a load that hits, 1 ns; no level is free. */
TEST(a_cheap_level_is_found)
{
    srv_translation found = read_tlb((tlb){.sets = 1, .ways = 43, .ns = 0.5});
    assert_int_equal(found.count, 1);
    assert_exact(found.level[0].entries, 43);
    assert_int_equal(read_tlb((tlb){.sets = 1, .ways = 43, .ns = 0}).count, 0);
}

TEST(sets_are_counted_by_distance)
{
    const tlb two[] = {{.sets = 8, .ways = 3, .ns = 3}, {.sets = 128, .ways = 5, .ns = 12}};
    srv_translation found = read_tlbs(2, two, 4096, 4096);
    assert_int_equal(found.count, 2);
    assert_exact(found.level[0].entries, 24);
    assert_exact(found.level[0].ways, 3);
    assert_exact(found.level[1].entries, 640);
    assert_exact(found.level[1].ways, 5);
    assert_true(found.level[0].counted && found.level[1].counted);
    assert_float_equal(found.level[1].miss.value * 1e9, 12, 0.5);
    assert_float_equal(found.walk.value * 1e9, 15, 0.5);
    assert_int_equal(found.level[1].entries.unit, SERVET_UNIT_NONE);
    assert_int_equal(found.level[1].ways.method, SERVET_METHOD_CONFLICT);
    assert_int_equal(found.level[1].miss.unit, SERVET_UNIT_SECOND);
    assert_int_equal(found.level[1].reach.unit, SERVET_UNIT_BYTE);
}

/* Distances of powers of two divide 12 sets down to 3, whose 24 entries look like ways. */
TEST(ways_of_sets_that_are_no_power_of_two_are_doubtful)
{
    for (int sets = 12; sets <= 16; sets += 4) {
        srv_translation found = read_tlb((tlb){.sets = sets, .ways = 8, .ns = 3});
        assert_int_equal(found.count, 1);
        assert_within(found.level[0].entries, 8 * sets);
        assert_int_equal(found.level[0].ways.trusted, sets == 16);
        if (sets == 16)
            assert_exact(found.level[0].ways, 8);
    }
}

/* An entry translates four neighbouring pages, if they are neighbours in memory: 48 are 192 pages.
 */
TEST(neighbours_that_share_an_entry_are_not_sets)
{
    const tlb one = {.sets = 1, .ways = 48, .ns = 3};
    srv_translation found = read_tlbs(1, &one, 4096, 4 * 4096);
    assert_int_equal(found.count, 1);
    assert_exact(found.level[0].entries, 48);
    assert_exact(found.granule, 4 * 4096);
    assert_exact(found.level[0].reach, 192 * 4096);
}

/* With random replacement misses begin gradually: the entries are an interval. Sets are counted all
 * the same, because half of the pages miss alike at twice the distance. */
TEST(random_replacement_has_an_interval)
{
    srv_translation whole = read_tlb((tlb){.sets = 1, .ways = 64, .random = true, .ns = 6}),
                    sets = read_tlb((tlb){.sets = 4, .ways = 32, .random = true, .ns = 6});
    assert_int_equal(whole.count, 1);
    assert_within(whole.level[0].entries, 64);
    assert_true(whole.level[0].entries.low < whole.level[0].entries.high);
    assert_false(servet_value_known(&whole.level[0].ways));
    assert_int_equal(sets.count, 1);
    assert_within(sets.level[0].entries, 128);
    assert_true(sets.level[0].counted);
    assert_false(sets.level[0].miss.trusted); /* no law says where the plateau is */
}

/* Sets by a hash of the page: the same number of pages begins to miss at every distance. */
TEST(hashed_sets_look_like_none)
{
    srv_translation found = read_tlb((tlb){.sets = 16, .ways = 8, .hashed = true, .ns = 6});
    assert_int_equal(found.count, 1);
    assert_within(found.level[0].entries, 128);
    assert_false(found.level[0].counted);
    assert_exact(found.granule, 4096);
}

/* Page walks grow with the pages, because page tables leave the caches: that is no further level. A
 * walk behind a second level costs several times a hit of this level. */
TEST(a_further_level_must_cost_much_more)
{
    static const struct {
        double first_ns, second_ns;
        int count;
    } rows[] = {{3, 0.6, 1}, {3, 12, 2}, {20, 40, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tlb two[] = {{.sets = 1, .ways = 16, .ns = rows[i].first_ns},
                           {.sets = 1, .ways = 150, .ns = rows[i].second_ns}};
        assert_int_equal(read_tlbs(2, two, 4096, 4096).count, rows[i].count);
    }
}

/* Levels that are close to each other are one, whose misses cost more with more pages. */
TEST(close_levels_are_one_that_grows)
{
    for (int apart = 0; apart < 2; apart++) {
        const tlb two[] = {{.sets = 1, .ways = 64, .ns = 3},
                           {.sets = 1, .ways = apart ? 180 : 96, .ns = 6}};
        srv_translation found = read_tlbs(2, two, 4096, 4096);
        assert_int_equal(found.count, apart ? 2 : 1);
        assert_int_equal(found.level[0].miss.trusted, apart);
        assert_float_equal(found.walk.high * 1e9, 9, 0.2);
    }
}

/* --- huge pages ------------------------------------------------------------------------------- */

static srv_translation read_huge(double translated)
{
    const tlb one = {.sets = 1, .ways = 48, .ns = 3};
    srv_translation found = read_tlbs(1, &one, 2 * MIB, translated);
    assert_int_equal(found.count, 1);
    assert_within(found.level[0].entries, 48);
    return found;
}

TEST(huge_pages_may_be_translated_as_base_pages)
{
    srv_translation whole = read_huge(2 * MIB), parts = read_huge(65536), split = read_huge(4096);
    assert_exact(whole.granule, 2 * MIB);
    assert_exact(whole.level[0].reach, 48 * 2 * MIB);
    assert_exact(parts.granule, 65536);
    assert_exact(split.granule, 4096);
    assert_true(split.level[0].reach.high <= 1.1 * 48 * 4096);
}

/* Two levels as those of a Zen 5, behind which page walks cost more and more. */
static srv_translation read_growing(double page_bytes)
{
    tlb_machine on;
    tlb_machine_init(&on, 1);
    on.count = 2;
    on.walks = 2e-3;
    on.tlb[0] = (tlb){.sets = 1, .ways = 96, .ns = 2};
    on.tlb[1] = (tlb){.sets = 256, .ways = 16, .random = true, .ns = 10};
    srv_translation found = read_pages(&on, page_bytes);
    tlb_machine_finish(&on);
    assert_int_equal(found.count, 2);
    assert_true(found.level[1].entries.low <= 4096 && 4096 <= found.level[1].entries.high);
    assert_false(found.level[1].miss.trusted);
    assert_false(found.walk.trusted);
    return found;
}

TEST(a_level_before_growing_page_walks_is_counted_by_distance)
{
    srv_translation found = read_growing(4096);
    assert_true(found.level[1].counted && found.level[1].entries.trusted);
    assert_float_equal(found.level[1].entries.value, 4096, 0);
}

/* Prefetchers spare adjacent lines the misses of a cache, which are then not subtracted. Such a
 * cache begins to miss before the second level does, at each distance at which enough pages are
 * loaded. */
TEST(a_level_behind_a_cache_is_counted_by_larger_distances)
{
    static const int sets[] = {128, 256};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        tlb_machine on;
        tlb_machine_init(&on, 1);
        on.lines = 1024;
        on.prefetched = true;
        on.count = 2;
        on.tlb[0] = (tlb){.sets = 8, .ways = 8, .ns = 2};
        on.tlb[1] = (tlb){.sets = sets[i], .ways = 8, .ns = 8};
        srv_translation found = read_pages(&on, 4096);
        const srv_translation_level *last = &found.level[found.count - 1];
        assert_true(last->counted && last->entries.trusted);
        assert_exact(last->entries, 8 * sets[i]);
        tlb_machine_finish(&on);
    }
}

/* A level of 64 entries, and a cache of 1024 lines that lines side by side do not outgrow. `old`:
 * packed lines are not on record. */
static srv_translation read_outgrown(bool packed, bool old)
{
    tlb_machine on;
    tlb_machine_init(&on, 1);
    on.lines = 1024;
    on.prefetched = true;
    on.old = old;
    on.count = 1;
    on.tlb[0] = (tlb){.sets = 8, .ways = 8, .ns = 1};
    srv_translation found = read_with(&on, 4096, packed);
    assert_true(found.level[0].counted);
    assert_exact(found.level[0].entries, 64);
    tlb_machine_finish(&on);
    return found;
}

TEST(packed_lines_outgrow_a_cache_as_pages_do)
{
    srv_translation found = read_outgrown(true, false);
    assert_int_equal(found.count, 1);
    assert_float_equal(found.walk.value * 1e9, 1, 0.1);
    assert_int_equal(read_outgrown(true, true).count, 2);
}

/* The lines of the cache begin to miss at the same number at every distance. */
TEST(a_cache_is_not_counted_as_a_level)
{
    srv_translation found = read_outgrown(false, true);
    assert_int_equal(found.count, 2);
    assert_false(found.level[1].counted);
    assert_int_equal(read_outgrown(false, false).count, 1); /* what misses cost is not beside it */
}

/* Huge pages that are translated as base pages show this level at one distance only. */
TEST(a_level_before_growing_page_walks_is_not_missed)
{
    assert_false(read_growing(2 * MIB).level[1].entries.trusted);
}

/* 256 huge pages show no second level, and their misses take less than one may (a load that hits
 * takes 1 ns). A miss too expensive for that is a page walk, and so is what 8192 pages show. */
TEST(a_level_beyond_the_pages_is_not_ruled_out)
{
    const struct {
        double page_bytes, ns;
        bool sure;
    } cases[] = {{2 * MIB, 3, false}, {2 * MIB, 40, true}, {4096, 3, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const tlb one = {.sets = 1, .ways = 48, .ns = cases[i].ns};
        srv_translation found = read_tlbs(1, &one, cases[i].page_bytes, cases[i].page_bytes);
        assert_int_equal(found.count, 1);
        assert_int_equal(found.walk.trusted, cases[i].sure);
    }
}

/* --- machines made at random ------------------------------------------------------------------ */

enum { MACHINES_QUICK = 8, MACHINES = 16, WAYS = 8 };

typedef struct score {
    int levels, found, within, extra, exact, ways, ways_right;
    double octaves; /* of all intervals together */
} score;

static const int some_ways[WAYS] = {2, 3, 4, 5, 6, 8, 12, 16};

/* A level of about `entries` entries, the nearest to the core nearly always without sets. */
static tlb random_tlb(tlb_machine *on, double entries, bool first)
{
    tlb made = {.sets = 1, .ways = (int)entries};
    bool associative = entries <= 128 && tlb_machine_chance(on) < (first ? 0.6 : 0.2);
    if (!associative) {
        made.ways = some_ways[(int)(tlb_machine_chance(on) * WAYS)];
        made.sets = (int)exp2(fmax(1, round(log2(entries / made.ways))));
    }
    made.random = tlb_machine_chance(on) < (associative ? 0.1 : 0.4);
    made.hashed = made.sets >= 16 && tlb_machine_chance(on) < 0.25;
    return made;
}

static void make_machine(tlb_machine *on, int seed)
{
    tlb_machine_init(on, (uint64_t)seed);
    double entries = 16 * (1 + floor(4 * tlb_machine_chance(on))),
           ns = 1.5 + 2 * tlb_machine_chance(on);
    int count = 1 + (int)(TLBS_MAX * tlb_machine_chance(on));
    on->lines = 256 << (int)(3 * tlb_machine_chance(on));
    while (on->count < count && entries <= 4096) {
        tlb *made = &on->tlb[on->count];
        *made = random_tlb(on, entries, on->count == 0);
        made->ns = ns;
        on->count++;
        entries = made->sets * made->ways * (3 + 20 * tlb_machine_chance(on));
        ns *= 1.5 + tlb_machine_chance(on);
    }
}

/* The level of about `entries` entries, or NULL. */
static const srv_translation_level *nearest_level(const srv_translation *found, double entries)
{
    const srv_translation_level *best = NULL;
    double least = 0.8;
    for (int i = 0; i < found->count; i++) {
        double octaves = fabs(log2(found->level[i].entries.value / entries));
        if (octaves < least) {
            least = octaves;
            best = &found->level[i];
        }
    }
    return best;
}

static void score_level(const srv_translation *found, const tlb *known, score *sum)
{
    double entries = known->sets * known->ways;
    const srv_translation_level *level = nearest_level(found, entries);
    sum->levels++;
    sum->extra--;
    if (!level) {
        sum->extra++;
        return;
    }
    sum->found++;
    sum->within += level->entries.low <= entries && entries <= level->entries.high;
    sum->exact += level->entries.value == entries;
    sum->octaves += log2(level->entries.high / level->entries.low);
    if (servet_value_known(&level->ways)) {
        sum->ways++;
        sum->ways_right += level->ways.value == known->ways;
    }
}

static score score_machines(double jitter, double bursts, double foreign)
{
    score sum = {0};
    for (int seed = 0; seed < (int)test_cases(MACHINES_QUICK, MACHINES); seed++) {
        tlb_machine on;
        make_machine(&on, seed);
        on.jitter = jitter;
        on.bursts = bursts;
        on.foreign = foreign;
        srv_translation found = read_pages(&on, 4096);
        sum.extra += found.count;
        for (int k = 0; k < on.count; k++)
            score_level(&found, &on.tlb[k], &sum);
        tlb_machine_finish(&on);
    }
    print_message(
        "# %d levels, %d found, %d within their interval, %d exact, %d too many; %d of %d "
        "ways right; "
        "intervals of %.2f octaves\n",
        sum.levels, sum.found, sum.within, sum.exact, sum.extra, sum.ways_right, sum.ways,
        sum.octaves / sum.found);
    return sum;
}

static void check_score(const score *sum, double found, double within, double exact)
{
    assert_true(sum->found >= found * sum->levels);
    assert_true(sum->within >= within * sum->found);
    assert_true(sum->exact >= exact * sum->found);
    assert_true(sum->extra <= 1);
    assert_true(sum->octaves <= 0.5 * sum->found);
}

/* On 90 machines 90, 93 and 88 % of the levels were within their interval (quiet, shared and busy);
 * among the few here the share may be smaller. */
TEST(levels_of_quiet_machines_are_found)
{
    score sum = score_machines(0.005, 0, 0);
    check_score(&sum, 0.9, 0.85, 0.6);
    assert_true(sum.ways_right >= 0.9 * sum.ways);
}

TEST(levels_of_shared_cores_are_found)
{
    score sum = score_machines(0.02, 0.15, 0.003);
    check_score(&sum, 0.9, 0.85, 0.6);
    assert_true(sum.ways_right >= 0.9 * sum.ways);
}

/* Other programs are busy half of the time, and use a page for every thirtieth load. */
TEST(levels_of_busy_cores_are_found_roughly)
{
    test_leave_to_night();
    score sum = score_machines(0.02, 0.5, 0.03);
    check_score(&sum, 0.85, 0.8, 0.5);
}
