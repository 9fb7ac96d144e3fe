/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <ctype.h>

#include "facts/cache/stage_parts.h"
#include "facts/store.h"

static const double KIB = 1 << 10, MIB = 1 << 20;

/* A measured level: by its curve, or counted by conflicts. */
typedef struct measured {
    double kib;
    int ways;         /* 0: not counted */
    double reach_kib; /* of a counted one, by the curve; 0: the same */
    bool turns_over;
    bool doubtful; /* the curve alone says so */
} measured;

/* A level that is known to a twentieth. */
static servet_cache level_of(const measured *from)
{
    double bytes = from->kib * KIB;
    servet_value value = {
        bytes, bytes * 0.95, bytes * 1.05, 9, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT, true};
    servet_cache cache = {.kind = from->turns_over ? SERVET_CACHE_TURNOVER : SERVET_CACHE_CAPACITY,
                          .bytes = value,
                          .ways = servet_value_unknown(SERVET_UNIT_NONE),
                          .reachable_bytes = value};
    cache.bytes.trusted = !from->doubtful;
    if (from->ways > 0) {
        cache.ways = (servet_value){
            from->ways, from->ways, from->ways, 9, SERVET_UNIT_NONE, SERVET_METHOD_CONFLICT, true};
        cache.bytes.method = SERVET_METHOD_CONFLICT;
    }
    if (from->reach_kib > 0)
        cache.reachable_bytes = (servet_value){from->reach_kib * KIB,
                                               from->reach_kib * KIB * 0.95,
                                               from->reach_kib * KIB * 1.05,
                                               9,
                                               SERVET_UNIT_BYTE,
                                               SERVET_METHOD_CURVE_FIT,
                                               true};
    return cache;
}

enum { LEVELS_MAX = 3 };

/* Verdicts and trust of each level; upper case: trusted. */
static const char verdict_letters[] = {[SERVET_VERDICT_AGREES] = 'a',
                                       [SERVET_VERDICT_DIFFERS] = 'd',
                                       [SERVET_VERDICT_NOT_COMPARABLE] = 'c',
                                       [SERVET_VERDICT_NOT_VISIBLE] = 'v'};

static const struct {
    measured level[LEVELS_MAX];
    double reported_kib[LEVELS_MAX];
    const char *said; /* of each level */
    double doubtful_kib, unseen_kib, translated_kib;
} cases[] = {
    {{{48}, {2048}}, {48, 2048}, "AA"},
    {{{128}, {4096}}, {48, 2048}, "DD"},
    {{{32}}, {0}, "V"},
    /* a level that was not found changes no verdict */
    {{{32}, {512}}, {32, 512, 16384}, "AA", 0, 16384},
    {{{48}, {2048}}, {48, 2048, 491520}, "AA", 0, 491520},
    /* a level that the OS hides, in between, is as sure as the others */
    {{{64}, {1024}, {32768}}, {64, 32768}, "AVA"},
    {{{64}, {1024, .doubtful = true}, {32768}}, {64, 32768}, "AvA", 1024},
    {{{64}, {1024, .doubtful = true}}, {0}, "Vv"},
    /* a level of 2 MiB that the OS reports may hide in one of 4 MiB, not in one of 32 */
    {{{48}, {4096}}, {48, 2048, 4096}, "Aa", 0, 2048},
    {{{48}, {32768}}, {48, 2048, 32768}, "AA", 0, 2048},
    /* the OS reports 2.75 MiB: 2 MiB in front of 3 MiB are a part of that boundary, 1 MiB may not
       be */
    {{{48}, {2048}, {3072}}, {48, 2816}, "AvA", 2048},
    {{{48}, {1024}, {3072}}, {48, 2816}, "AVA"},
    /* Apple's M1: 12 MiB are reported, 8 MiB of victims behind them are not. The sum may show as
     * one level; counted ways or twice the size are evidence against the OS */
    {{{128}, {16384}}, {128, 12288}, "Ad", 16384},
    {{{128}, {16384, 16}}, {128, 12288}, "AD"},
    {{{128}, {24576}}, {128, 12288}, "AD"},
    /* the size that one core reaches does not show the rest of a level, which another guest on the
     * same core may use; a counted size does */
    {{{24}, {1024}}, {48, 2048}, "cc"},
    {{{24, 16}, {1024, 16}}, {48, 2048}, "DD"},
    {{{48}, {2048}, {12288}}, {48, 2048, 491520}, "AAc"},
    /* 17 ways were counted of a cache of 16, or 15; 18 are no such error */
    {{{48}, {896, 14}}, {48, 1024}, "AD"},
    {{{48}, {960, 15}}, {48, 1024}, "Aa"},
    {{{48}, {1024, 16}}, {48, 1024}, "AA"},
    {{{48}, {1088, 17}}, {48, 1024}, "Aa"},
    {{{48}, {1152, 18}}, {48, 1024}, "AD"},
    /* six ways were counted of eight, and the curve shows a level of the eight that the OS reports:
     * no two levels are so near each other. Without the report the level is no evidence */
    {{{48}, {384, 16}, {512}}, {48, 512}, "AvA", 384},
    {{{48}, {384, 16}, {512}}, {48}, "AVv", 512},
    /* ten ways were counted of eight: the curve and the system say 256 KiB. Without either of them
     * the count stands */
    {{{48}, {320, 10, 257}}, {48, 256}, "Ad"},
    {{{48}, {320, 10}}, {48, 256}, "AD"},
    {{{48}, {320, 10, 200}}, {48, 256}, "AD"},
    {{{48}, {320, 10, 257}}, {48, 320}, "AA"},
    {{{48}, {320, 10, 257}}, {48, 512}, "AD"},
    /* of a cache with turnover a count is comparable, no reach is */
    {{{32}, {2048, 16, 0, true}}, {32, 2048}, "AA"},
    {{{32}, {2048, 16, 0, true}}, {32, 4096}, "AD"},
    {{{48}, {2048}, {8192, 0, 0, true}}, {48, 2048, 49152}, "AAc"},
    {{{48}, {2048}, {8192, 0, 0, true}}, {48, 2048, 491520}, "AAc"},
    {{{48}, {2048}, {8192, 0, 0, true}}, {48, 2048, 8192}, "AAc"},
    /* a step at the reach of a TLB is like one of a cache, unless one line per page was measured
     * there. A level that the OS reports, too, is none */
    {{{32}, {512}, {8192}}, {32, 512}, "AAV", 0, 0, 0},
    {{{32}, {512}, {8192}}, {32, 512}, "AAv", 8192, 0, 1024},
    {{{32}, {512}, {8192}}, {32, 512}, "AAv", 8192, 0, 8192},
    {{{32}, {512}, {8192}}, {32, 512}, "AAV", 0, 0, 65536},
};

static srv_reported report_of(const double kib[LEVELS_MAX])
{
    srv_reported reported = {.count = 0};
    while (reported.count < LEVELS_MAX && kib[reported.count] > 0) {
        reported.level[reported.count].bytes = kib[reported.count] * KIB;
        reported.level[reported.count++].line_bytes = 64;
    }
    return reported;
}

static srv_cache_facts facts_of(const measured level[LEVELS_MAX])
{
    srv_cache_facts facts = {.count = 0};
    for (; facts.count < LEVELS_MAX && level[facts.count].kib > 0; facts.count++)
        facts.cache[facts.count] = level_of(&level[facts.count]);
    return facts;
}

TEST(levels_are_compared_with_the_os)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char said[LEVELS_MAX + 1] = "";
        srv_cache_facts facts = facts_of(cases[i].level);
        srv_reported reported = report_of(cases[i].reported_kib);
        facts.translated_bytes = cases[i].translated_kib * KIB;
        srv_compare_caches(&reported, &facts);
        for (int k = 0; k < facts.count; k++) {
            char letter = verdict_letters[facts.cache[k].verdict];
            said[k] = (char)(facts.cache[k].bytes.trusted ? toupper(letter) : letter);
            if (servet_value_known(&facts.cache[k].ways))
                assert_int_equal(facts.cache[k].ways.trusted, facts.cache[k].bytes.trusted);
        }
        if (strcmp(said, cases[i].said) != 0)
            fail_msg("case %zu: %s instead of %s", i, said, cases[i].said);
        assert_float_equal(facts.doubtful_bytes, cases[i].doubtful_kib * KIB, 0);
        assert_float_equal(facts.unseen_bytes, cases[i].unseen_kib * KIB, 0);
    }
}

TEST(what_the_os_says_is_stored)
{
    srv_cache_facts facts = facts_of((measured[]){{48}, {1024}, {12288}});
    srv_reported reported = {2, {{48 * KIB, 64, ""}, {300 * MIB, 128, ""}}};
    srv_compare_caches(&reported, &facts);
    for (int i = 0; i < 2; i++) {
        const servet_cache *cache = &facts.cache[2 * i];
        assert_float_equal(cache->reported_bytes.value, reported.level[i].bytes, 0);
        assert_int_equal(cache->reported_bytes.method, SERVET_METHOD_OS);
        assert_float_equal(cache->line.value, reported.level[i].line_bytes, 0);
    }
    assert_false(servet_value_known(&facts.cache[1].reported_bytes));
    assert_false(servet_value_known(&facts.cache[1].line));
}

/* A guest reaches a part of its host's last cache: a share that moves, not a size. The report makes
 * an uncertain level surer, never one that the OS does not report. */
TEST(a_part_of_the_last_cache_is_a_share)
{
    const measured seen[LEVELS_MAX] = {{48}, {2048}, {6144}};
    for (int hides = 0; hides < 2; hides++) {
        srv_cache_facts facts = facts_of(seen);
        srv_reported reported = report_of((double[]){48, 2048, hides ? 0 : 300 * 1024});
        facts.cache[2].confidence = 0.3;
        srv_compare_caches(&reported, &facts);
        srv_take_last_as_share(&reported, 0.6, &facts);
        assert_int_equal(facts.cache[2].kind,
                         hides ? SERVET_CACHE_CAPACITY : SERVET_CACHE_TURNOVER);
        assert_int_equal(facts.cache[2].verdict,
                         hides ? SERVET_VERDICT_NOT_VISIBLE : SERVET_VERDICT_NOT_COMPARABLE);
        assert_int_equal(facts.cache[2].bytes.trusted, hides);
        assert_true(hides ? facts.cache[2].confidence == 0.3 : facts.cache[2].confidence > 0.9);
    }
}

/* --- groups ----------------------------------------------------------------------------------- */

static char pair[] = "0,12", six[] = "0-2,12-14", all[] = "0-23", first[] = "0", second[] = "1",
            other[] = "1,13", three[] = "3-5";
static char *dunnington[] = {pair, six, all}, *alone[] = {first, second};

TEST(groups_are_compared_with_the_os)
{
    const srv_sets sets = {dunnington, 3}, none = {NULL, 0};
    const srv_sets both = {(char *[]){pair, six}, 2}, one = {(char *[]){all, other}, 2},
                   strange = {(char *[]){other, three}, 2},
                   single = {(char *[]){first, second, pair}, 3};
    assert_int_equal(srv_compare_groups(&sets, &both), SERVET_VERDICT_AGREES);
    assert_int_equal(srv_compare_groups(&sets, &one), SERVET_VERDICT_DIFFERS);
    assert_int_equal(srv_compare_groups(&sets, &strange), SERVET_VERDICT_NOT_VISIBLE);
    assert_int_equal(srv_compare_groups(&sets, &single), SERVET_VERDICT_AGREES);
    assert_int_equal(srv_compare_groups(&none, &both), SERVET_VERDICT_NOT_VISIBLE);
}

/* Here a single core is a statement, too. */
TEST(instances_are_compared_with_the_os)
{
    const srv_sets private = {alone, 2}, none = {NULL, 0};
    const char *each[] = {"0", "1"}, *together[] = {"0-1"};
    assert_int_equal(srv_compare_instances(&private, each, 2), SERVET_VERDICT_AGREES);
    assert_int_equal(srv_compare_instances(&private, together, 1), SERVET_VERDICT_DIFFERS);
    assert_int_equal(srv_compare_instances(&none, each, 2), SERVET_VERDICT_NOT_VISIBLE);
}
