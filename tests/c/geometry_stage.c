/* SPDX-License-Identifier: BSD-3-Clause */
/* Geometry by conflict on simulated machines: the result is the geometry of the model. */
#include "test.h"

#include "core/units.h"
#include "sim/simulated.h"
#include "facts/geometry/stage_parts.h"
#include "sample_model.h"

static const double KIB = 1 << 10, MIB = 1 << 20;

/* --- machines --------------------------------------------------------------------------------- */

/* A core with two caches of its own before a last one of 16 MiB. 0 stands for the usual. */
typedef struct known {
    const char *name;
    double l1_kib;
    int l1_ways;
    double l2_kib;
    int l2_ways;
    srv_replacement policy;        /* of L2 */
    srv_inclusion inclusion, last; /* of L2 and of the last one, towards what is above */
    struct {
        double page_kib, line, jitter, steal, busy;
        bool huge;
    } but;
} known;

static void set_cache(srv_model_cache *cache, double bytes, int ways, double cycles)
{
    cache->bytes = bytes;
    cache->ways = ways;
    cache->latency_cycles = cycles;
    cache->pus_per_instance = 1;
}

static void set_caches(srv_model *model, const known *of)
{
    model->cache_count = 3;
    model->cache[2] = model->cache[1];
    set_cache(&model->cache[0], of->l1_kib * KIB, of->l1_ways, 4);
    set_cache(&model->cache[1], of->l2_kib * KIB, of->l2_ways, 14);
    set_cache(&model->cache[2], 16 * MIB, 16, 50);
    model->cache[1].replacement = of->policy;
    model->cache[1].inclusion = of->inclusion;
    model->cache[2].inclusion = of->last;
    model->cache[2].level = 3;
    for (int i = 0; i < 3 && of->but.line > 0; i++)
        model->cache[i].line_bytes = of->but.line;
}

static srv_model *model_of(const known *of)
{
    srv_model *model = sample_model();
    set_caches(model, of);
    model->core_type[0].clock_ghz = 2.5;
    model->machine.page_bytes = of->but.page_kib > 0 ? of->but.page_kib * KIB : 4096;
    model->huge_bytes = 2 * MIB;
    model->tlb_count = 2;
    model->tlb[0] = (srv_model_tlb){.entries = 64, .penalty_cycles = 7};
    model->tlb[1] = (srv_model_tlb){.entries = 2048, .ways = 8, .penalty_cycles = 30};
    model->noise = (srv_model_noise){.jitter = of->but.jitter, .steal = of->but.steal};
    if (of->but.busy > 0)
        model->noise.sibling =
            (srv_model_sibling){.busy = of->but.busy, .burst_ms = 5, .levels = 2};
    return model;
}

/* --- measuring -------------------------------------------------------------------------------- */

/* The caches behind those that `geometry` has. */
static srv_geometry measure(const known *of, long seed, srv_geometry geometry)
{
    srv_machine *machine;
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    options.seed = seed;
    options.pages = of->but.huge ? SERVET_PAGES_HUGE : SERVET_PAGES_BASE;
    assert_ok(srv_simulated_from(&machine, model_of(of), NULL));
    srv_stage stage = {.machine = machine, .options = &options, .name = "all", .slot = {.to = 1}};
    assert_ok(srv_measure_geometry(&stage, 3, of->but.line > 0 ? of->but.line : 64, INFINITY,
                                   &geometry, NULL));
    srv_machine_destroy(machine);
    return geometry;
}

static bool is_known(const srv_geometry_cache *cache, double kib, int ways, double line)
{
    return cache->ways == ways && cache->line_bytes == line &&
           srv_geometry_bytes(cache) == kib * KIB;
}

static void finds(const known *of, long seed)
{
    srv_geometry geometry = measure(of, seed, (srv_geometry){.count = 0});
    double line = of->but.line > 0 ? of->but.line : 64;
    if (geometry.count < 1 || !is_known(&geometry.cache[0], of->l1_kib, of->l1_ways, line))
        fail_msg("%s: L1 %d ways x %d sets x %g", of->name, geometry.cache[0].ways,
                 geometry.cache[0].sets, geometry.cache[0].line_bytes);
    if (geometry.count < 2 || !is_known(&geometry.cache[1], of->l2_kib, of->l2_ways, line))
        fail_msg("%s: L2 %d ways x %d sets x %g (%d caches)", of->name, geometry.cache[1].ways,
                 geometry.cache[1].sets, geometry.cache[1].line_bytes, geometry.count);
    assert_int_equal(geometry.count, 2);
    for (int i = 0; i < 2; i++)
        assert_true(geometry.cache[i].odds >= 5);
}

/* The last cache of 16 MiB is larger than the largest probe, so it is not found. */
#define BETWEEN SRV_NON_INCLUSIVE, SRV_NON_INCLUSIVE
enum { QUICK = 2 };
static const known quick[QUICK] = {
    {"16K 4, 256K 4, LRU", 16, 4, 256, 4, SRV_REPLACE_LRU, BETWEEN, {.page_kib = 4}},
    {"pages of 64 KiB", 32, 8, 512, 8, SRV_REPLACE_PLRU, BETWEEN, {.page_kib = 64}},
};
static const known thorough[] = {
    {"16K 4, 64K 4, adaptive", 16, 4, 64, 4, SRV_REPLACE_ADAPTIVE, BETWEEN, {.page_kib = 4}},
    {"32K 8, 512K 8, adaptive", 32, 8, 512, 8, SRV_REPLACE_ADAPTIVE, BETWEEN, {.page_kib = 4}},
    {"a sibling 13 % of the time", 32, 8, 512, 8, SRV_REPLACE_PLRU, BETWEEN, {.busy = 0.13}},
    {"lines of 256", 64, 4, 2048, 16, SRV_REPLACE_LRU, BETWEEN, {.page_kib = 64, .line = 256}},
    {"32K 8, 512K 8, LRU", 32, 8, 512, 8, SRV_REPLACE_LRU, BETWEEN, {.page_kib = 4}},
    {"32K 8, 1M 8, PLRU", 32, 8, 1024, 8, SRV_REPLACE_PLRU, BETWEEN, {.page_kib = 4}},
    {"48K 12, 1.25M 10, PLRU", 48, 12, 1280, 10, SRV_REPLACE_PLRU, BETWEEN, {.page_kib = 4}},
    {"48K 12, 1.25M 20, LRU", 48, 12, 1280, 20, SRV_REPLACE_LRU, BETWEEN, {.page_kib = 4}},
    {"16K 4, 256K 8, random", 16, 4, 256, 8, SRV_REPLACE_RANDOM, BETWEEN, {.page_kib = 4}},
    {"inclusive L2",
     32,
     8,
     512,
     8,
     SRV_REPLACE_LRU,
     SRV_INCLUSIVE,
     SRV_NON_INCLUSIVE,
     {.page_kib = 4}},
    {"victim L3", 32, 8, 512, 8, SRV_REPLACE_LRU, SRV_NON_INCLUSIVE, SRV_VICTIM, {.page_kib = 4}},
    {"exclusive L3",
     32,
     8,
     512,
     8,
     SRV_REPLACE_LRU,
     SRV_NON_INCLUSIVE,
     SRV_EXCLUSIVE,
     {.page_kib = 4}},
    {"inclusive L3",
     32,
     8,
     512,
     8,
     SRV_REPLACE_LRU,
     SRV_NON_INCLUSIVE,
     SRV_INCLUSIVE,
     {.page_kib = 4}},
    {"pages of 16 KiB", 32, 8, 512, 8, SRV_REPLACE_LRU, BETWEEN, {.page_kib = 16}},
    {"huge pages", 32, 8, 512, 8, SRV_REPLACE_LRU, BETWEEN, {.huge = true}},
    {"jitter and stolen time",
     32,
     8,
     512,
     8,
     SRV_REPLACE_PLRU,
     BETWEEN,
     {.jitter = 0.05, .steal = 0.05}},
};

/* The thorough ones take minutes; others at work are also in geometry_stage_pages, in
 * geometry_detect_turns and in recorded_machines. */
TEST(the_caches_of_the_machine_are_found)
{
    for (size_t i = 0; i < test_cases(QUICK, QUICK); i++)
        finds(&quick[i], 1);
    for (size_t i = 0; i < test_cases(0, sizeof thorough / sizeof *thorough); i++)
        for (long seed = 1; seed <= 2; seed++)
            finds(&thorough[i], seed);
}

/* The first cache is not measured again, even if the look before was wrong about its ways. */
TEST(what_was_counted_is_not_counted_again)
{
    const srv_geometry first = {true, 1, {{5, 64, 64, 1.2, 18}}};
    srv_geometry geometry = measure(&quick[0], 1, first);
    assert_int_equal(geometry.count, 2);
    assert_int_equal(geometry.cache[0].ways, 5);
    assert_true(is_known(&geometry.cache[1], quick[0].l2_kib, quick[0].l2_ways, 64));
}

/* --- joining ---------------------------------------------------------------------------------- */

static servet_value about(double value, servet_unit unit)
{
    return (servet_value){value, 0.9 * value, 1.1 * value, 5, unit, SERVET_METHOD_TIMED, true};
}

static srv_cache_facts facts_of(const double *kib, int count)
{
    srv_cache_facts facts = {.count = count};
    for (int i = 0; i < count; i++)
        facts.cache[i] = (servet_cache){
            .level = i + 1,
            .kind = SERVET_CACHE_CAPACITY,
            .bytes = about(kib[i] * KIB, SERVET_UNIT_BYTE),
            .reachable_bytes = about(kib[i] * KIB, SERVET_UNIT_BYTE),
            .ways = servet_value_unknown(SERVET_UNIT_NONE),
            .sets = servet_value_unknown(SERVET_UNIT_NONE),
            .latency = srv_value_in_seconds(about(4 * pow(4, i), SRV_UNIT_NANOSECOND)),
            .confidence = 0.9};
    return facts;
}

/* 32 KiB of 8 ways, then 512 KiB of 8 ways. */
static srv_geometry two_caches(void)
{
    return (srv_geometry){true, 2, {{8, 64, 64, 1.2, 18}, {8, 1024, 64, 4, 18}}};
}

static srv_cache_facts joined(srv_geometry geometry, const double *kib, int count)
{
    srv_cache_facts facts = facts_of(kib, count);
    srv_geometry_join(&geometry, &facts);
    return facts;
}

/* Counted caches are read back from the facts of the look before, up to the first doubtful one. */
TEST(counted_caches_are_read_back)
{
    const srv_geometry counted = two_caches();
    srv_cache_facts facts = joined(counted, (const double[]){32, 512, 16384}, 3);
    srv_geometry read = srv_geometry_of(&facts);
    assert_true(read.whole);
    assert_int_equal(read.count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(read.cache[i].ways, counted.cache[i].ways);
        assert_int_equal(read.cache[i].sets, counted.cache[i].sets);
        assert_float_equal(read.cache[i].line_bytes, 64, 0);
        assert_float_equal(read.cache[i].odds, counted.cache[i].odds, 0.01);
    }
    facts.cache[1].bytes.trusted = false;
    assert_int_equal(srv_geometry_of(&facts).count, 1);
    facts.cache[0].bytes.trusted = false;
    assert_int_equal(srv_geometry_of(&facts).count, 0);
    assert_false(srv_geometry_of(&facts).whole);
}

/* Sizes, and what of them is reachable. */
static void levels_are(const srv_cache_facts *facts, int count, const double (*kib)[2])
{
    assert_true(count <= facts->count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(facts->cache[i].level, i + 1);
        assert_true(facts->cache[i].bytes.value == kib[i][0] * KIB);
        assert_true(facts->cache[i].reachable_bytes.value == kib[i][1] * KIB);
    }
}

#define ARE(facts, ...)                                                                            \
    do {                                                                                           \
        static const double expected[][2] = __VA_ARGS__;                                           \
        assert_int_equal((facts).count, sizeof expected / sizeof *expected);                       \
        levels_are(&(facts), (facts).count, expected);                                             \
    } while (0)

/* The knees lie below the capacities, for others take their share: they stay what is reachable. */
TEST(knees_below_the_capacity_stay_reachable)
{
    srv_cache_facts facts = joined(two_caches(), (const double[]){24, 384, 8192}, 3);
    ARE(facts, {{32, 24}, {512, 384}, {8192, 8192}});
    for (int i = 0; i < 2; i++) {
        const servet_cache *cache = &facts.cache[i];
        assert_int_equal(cache->bytes.method, SERVET_METHOD_CONFLICT);
        assert_int_equal(cache->reachable_bytes.method, SERVET_METHOD_TIMED);
        assert_true(cache->ways.value == 8 && cache->sets.value == (i ? 1024 : 64));
        assert_true(cache->bytes.low < cache->bytes.value &&
                    cache->bytes.high > cache->bytes.value);
        assert_true(cache->bytes.high - cache->bytes.low == cache->bytes.value / 8); /* a way */
        assert_true(cache->confidence > 0.99);
        assert_true(cache->latency.value == srv_seconds(4 * pow(4, i)));
    }
    assert_int_equal(facts.cache[2].bytes.method, SERVET_METHOD_TIMED);
    assert_false(servet_value_known(&facts.cache[2].ways));
}

TEST(a_level_the_curve_does_not_show_is_added)
{
    srv_cache_facts facts = joined(two_caches(), (const double[]){32, 8192}, 2);
    ARE(facts, {{32, 32}, {512, 512}, {8192, 8192}});
    assert_false(facts.cache[1].reachable_bytes.trusted); /* the curve does not show it */
    assert_true(facts.cache[1].latency.value == 4e-9);
    assert_true(facts.cache[2].latency.value == 16e-9);
}

/* Behind two_caches(), 2 MiB of 16 ways by a count that is not clear. */
static srv_geometry with_likely(void)
{
    srv_geometry geometry = two_caches();
    geometry.likely = (srv_geometry_cache){16, 2048, 64, 4, 4};
    return geometry;
}

TEST(a_likely_count_is_taken_if_it_is_reported)
{
    const double kib[] = {32, 512, 3072};
    const srv_account nobody = {0};
    const srv_reported same = {3, {{32 * KIB, 64, ""}, {512 * KIB, 64, ""}, {2048 * KIB, 64, ""}}};
    const srv_reported other = {3, {{32 * KIB, 64, ""}, {512 * KIB, 64, ""}, {4096 * KIB, 64, ""}}};
    srv_cache_facts facts = facts_of(kib, 3);
    srv_geometry geometry = with_likely();
    srv_geometry_settle(&geometry, &other, &nobody);
    assert_int_equal(geometry.count, 2);
    srv_geometry_settle(&geometry, &same, &nobody);
    srv_geometry_join(&geometry, &facts);
    ARE(facts, {{32, 32}, {512, 512}, {2048, 3072}});
    assert_true(facts.cache[2].bytes.trusted && facts.cache[2].ways.value == 16);
}

/* Is true if the account of a join names the size of a count that is not clear, 2 MiB. */
static bool tells_of_likely(const srv_geometry *geometry, const srv_cache_facts *curve,
                            const srv_cache_facts *joined)
{
    servet_findings list = SERVET_FINDINGS_INIT;
    const srv_account on = {&list, SERVET_TOPIC_JOIN, "all", 0};
    bool tells = false;
    srv_geometry_explain(geometry, curve, joined, &on);
    for (size_t i = 0; i < (size_t)list.n; i++)
        tells |= list.finding[i].outcome == SERVET_OUTCOME_REJECTED &&
                 strstr(list.finding[i].text, "2 MiB");
    servet_findings_free(&list);
    return tells;
}

/* Counts that are not clear err by a way or two. */
TEST(a_likely_count_makes_another_size_doubtful)
{
    const double far[] = {32, 512, 3072}, near[] = {32, 512, 2304};
    srv_cache_facts apart = facts_of(far, 3), alike = facts_of(near, 3);
    srv_geometry geometry = with_likely();
    const srv_cache_facts far_curve = apart, near_curve = alike;
    srv_geometry_join(&geometry, &apart);
    ARE(apart, {{32, 32}, {512, 512}, {3072, 3072}});
    assert_false(apart.cache[2].bytes.trusted);
    assert_true(apart.cache[1].bytes.trusted);
    srv_geometry_join(&geometry, &alike);
    assert_true(alike.cache[2].bytes.trusted);
    assert_true(tells_of_likely(&geometry, &far_curve, &apart));
    assert_false(tells_of_likely(&geometry, &near_curve, &alike));
}

/* The curve shows one plateau where there are two: its latency is neither's. */
TEST(the_plateau_behind_an_added_level_is_not_trusted)
{
    srv_cache_facts facts = joined(two_caches(), (const double[]){32, 2048, 8192}, 3);
    assert_int_equal(facts.count, 4);
    assert_true(facts.cache[0].latency.trusted);
    assert_false(facts.cache[1].latency.trusted);
    assert_false(facts.cache[2].latency.trusted);
    assert_true(facts.cache[3].latency.trusted);
}

/* A knee an octave below the cache is that of a TLB as well: the plateau behind it is neither's. */
TEST(the_plateau_behind_a_displaced_knee_is_not_trusted)
{
    for (int kib = 270; kib <= 400; kib += 130) {
        srv_cache_facts facts = joined(two_caches(), (const double[]){32, kib, 8192}, 3);
        assert_int_equal(facts.cache[2].latency.trusted, kib == 400);
    }
}

/* A cache that keeps lines of a full set seems to have twice the stride. If the curve is sure of a
 * level in front, both stay, and the count of the conflicts is not trusted. */
TEST(a_sure_level_in_front_is_kept)
{
    const double kib[] = {16, 34, 8192};
    srv_geometry first = {true, 1, {{8, 64, 64, 4, 18}}};
    srv_cache_facts sure = facts_of(kib, 3), vague = sure;
    sure.cache[0].confidence = 0.95;
    vague.cache[0].confidence = 0.6;
    srv_geometry_join(&first, &sure);
    ARE(sure, {{16, 16}, {32, 34}, {8192, 8192}});
    assert_true(sure.cache[0].bytes.trusted);
    assert_false(sure.cache[1].bytes.trusted);
    srv_geometry_join(&first, &vague);
    ARE(vague, {{32, 34}, {8192, 8192}});
    assert_true(vague.cache[0].bytes.trusted);
}

/* 9 ways of 32 KiB by conflicts, where the curve shows 256 KiB, are 8 or 9. */
TEST(a_way_more_than_the_curve_is_not_trusted)
{
    const srv_geometry nine = {true, 2, {{8, 64, 64, 1.2, 18}, {9, 512, 64, 4, 18}}};
    srv_cache_facts facts = joined(nine, (const double[]){32, 256, 8192}, 3);
    assert_true(facts.cache[0].bytes.trusted);
    assert_float_equal(facts.cache[1].bytes.value, 288 * KIB, 0);
    assert_false(facts.cache[1].bytes.trusted);
    assert_true(joined(nine, (const double[]){32, 192, 8192}, 3).cache[1].bytes.trusted);
}

/* Translation, or a second step of the same knee. */
TEST(extra_levels_between_two_caches_are_removed)
{
    srv_cache_facts facts = joined(two_caches(), (const double[]){32, 128, 500, 8192}, 4);
    ARE(facts, {{32, 32}, {512, 500}, {8192, 8192}});
}

/* Little of a cache with turnover is reachable, but levels behind the exact ones are kept. */
TEST(levels_beyond_the_exact_caches_are_kept)
{
    srv_cache_facts facts = joined(two_caches(), (const double[]){32, 512, 2048, 5000}, 4);
    ARE(facts, {{32, 32}, {512, 512}, {2048, 2048}, {5000, 5000}});
}

/* Strides were not clear (a sibling was at work), pages were: the first level is the curve's. */
TEST(levels_before_the_exact_caches_are_kept)
{
    const srv_geometry second = {false, 1, {{8, 1024, 64, 4, 18}}};
    srv_cache_facts facts = joined(second, (const double[]){24, 384, 8192}, 3);
    ARE(facts, {{24, 24}, {512, 384}, {8192, 8192}});
    facts = joined(second, (const double[]){24, 8192}, 2);
    ARE(facts, {{24, 24}, {512, 512}, {8192, 8192}});
}

TEST(without_a_result_the_levels_are_unchanged)
{
    srv_cache_facts facts = joined((srv_geometry){0}, (const double[]){24, 384}, 2);
    ARE(facts, {{24, 24}, {384, 384}});
    facts = joined(two_caches(), NULL, 0); /* without a curve the caches are all there is */
    ARE(facts, {{32, 32}, {512, 512}});
}

/* A full table keeps the exact caches, and loses the last ones. */
TEST(the_number_of_levels_is_limited)
{
    double kib[SERVET_CACHE_LEVELS_MAX];
    for (int i = 0; i < SERVET_CACHE_LEVELS_MAX; i++)
        kib[i] = 4096 * pow(2, i);
    srv_cache_facts facts = joined(two_caches(), kib, SERVET_CACHE_LEVELS_MAX);
    assert_int_equal(facts.count, SERVET_CACHE_LEVELS_MAX);
    levels_are(&facts, 3, (const double[][2]){{32, 32}, {512, 512}, {4096, 4096}});
    for (int i = 0; i < SERVET_CACHE_LEVELS_MAX; i++)
        kib[i] = 1 + i;
    facts = joined((srv_geometry){false, 1, {{8, 1024, 64, 4, 18}}}, kib, SERVET_CACHE_LEVELS_MAX);
    assert_int_equal(facts.count, SERVET_CACHE_LEVELS_MAX);
}
