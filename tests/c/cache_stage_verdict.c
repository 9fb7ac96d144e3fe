/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "facts/cache/stage_parts.h"
#include "facts/store.h"

static const double KIB = 1 << 10, MIB = 1 << 20;

static servet_cache level_of(double bytes, double spread)
{
    servet_value value = {bytes, bytes * (1 - spread), bytes * (1 + spread),
                          9,     SERVET_UNIT_BYTE,     SERVET_METHOD_CURVE_FIT,
                          true};
    return (servet_cache){.kind = SERVET_CACHE_CAPACITY,
                          .bytes = value,
                          .ways = servet_value_unknown(SERVET_UNIT_NONE),
                          .reachable_bytes = value};
}

/* Levels of these sizes, known to a twentieth; the first to a fiftieth. */
static srv_cache_facts levels(int count, const double *bytes)
{
    srv_cache_facts facts = {.count = count};
    for (int i = 0; i < count; i++)
        facts.cache[i] = level_of(bytes[i], i > 0 ? 0.05 : 0.02);
    return facts;
}

TEST(same_levels_agree)
{
    srv_cache_facts facts = levels(2, (const double[]){48 * KIB, 2 * MIB});
    srv_reported reported = {2, {{48 * KIB, 64, ""}, {2 * MIB, 128, ""}}};
    srv_compare_caches(&reported, &facts);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(facts.cache[i].verdict, SERVET_VERDICT_AGREES);
        assert_float_equal(facts.cache[i].reported_bytes.value, reported.level[i].bytes, 0);
        assert_int_equal(facts.cache[i].reported_bytes.method, SERVET_METHOD_OS);
        assert_float_equal(facts.cache[i].line.value, reported.level[i].line_bytes, 0);
    }
}

TEST(another_size_differs)
{
    srv_cache_facts facts = levels(2, (const double[]){128 * KIB, 4 * MIB});
    srv_reported reported = {2, {{48 * KIB, 64, ""}, {2 * MIB, 64, ""}}};
    srv_compare_caches(&reported, &facts);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(facts.cache[i].verdict, SERVET_VERDICT_DIFFERS);
        assert_true(facts.cache[i].bytes.trusted);
    }
    assert_float_equal(facts.cache[1].reported_bytes.value, 2 * MIB, 0);
}

/* A guest reaches a part of its host's last cache: a share that moves, not a size. The report makes
 * an uncertain level surer, never one that the OS does not report. */
TEST(a_part_of_the_last_cache_is_a_share)
{
    srv_reported guest = {3, {{48 * KIB, 64, ""}, {2 * MIB, 64, ""}, {300 * MIB, 64, ""}}},
                 hiding = {2, {{48 * KIB, 64, ""}, {2 * MIB, 64, ""}}};
    srv_cache_facts facts = {.cache = {level_of(48 * KIB, 0.02), level_of(2 * MIB, 0.05),
                                       level_of(6 * MIB, 0.2)},
                             .count = 3},
                    other = facts;
    facts.cache[2].confidence = other.cache[2].confidence = 0.3;
    srv_compare_caches(&guest, &facts);
    srv_take_last_as_share(&guest, 0.6, &facts);
    assert_int_equal(facts.cache[2].kind, SERVET_CACHE_TURNOVER);
    assert_int_equal(facts.cache[2].verdict, SERVET_VERDICT_NOT_COMPARABLE);
    assert_false(facts.cache[2].bytes.trusted);
    assert_true(facts.cache[2].confidence > 0.9);
    srv_compare_caches(&hiding, &other);
    srv_take_last_as_share(&hiding, 0.6, &other);
    assert_int_equal(other.cache[2].kind, SERVET_CACHE_CAPACITY);
    assert_float_equal(other.cache[2].confidence, 0.3, 0);
}

/* A level of 2 MiB that the OS reports may hide in the measured one of 4 MiB, not in one of 32. */
TEST(a_level_that_may_be_two_is_not_trusted)
{
    srv_reported near = {3, {{48 * KIB, 64, ""}, {2 * MIB, 64, ""}, {4 * MIB, 64, ""}}},
                 far = {3, {{48 * KIB, 64, ""}, {2 * MIB, 64, ""}, {32 * MIB, 64, ""}}};
    srv_cache_facts joined = levels(2, (const double[]){48 * KIB, 4 * MIB});
    srv_cache_facts apart = levels(2, (const double[]){48 * KIB, 32 * MIB});
    srv_compare_caches(&near, &joined);
    assert_true(joined.cache[0].bytes.trusted);
    assert_false(joined.cache[1].bytes.trusted);
    srv_compare_caches(&far, &apart);
    assert_true(apart.cache[1].bytes.trusted);
}

/* The OS reports 2.75 MiB; 2 MiB in front of 3 MiB are a part of that boundary, 1 MiB may not be.
 */
TEST(a_level_that_may_be_a_part_is_not_trusted)
{
    srv_reported reported = {2, {{48 * KIB, 64, ""}, {2.75 * MIB, 64, ""}}};
    srv_cache_facts part = levels(3, (const double[]){48 * KIB, 2 * MIB, 3 * MIB}),
                    apart = levels(3, (const double[]){48 * KIB, 1 * MIB, 3 * MIB});
    srv_compare_caches(&reported, &part);
    assert_false(part.cache[1].bytes.trusted);
    assert_true(part.cache[2].bytes.trusted);
    assert_true(part.doubtful_bytes > 0);
    srv_compare_caches(&reported, &apart);
    assert_true(apart.cache[1].bytes.trusted);
    assert_true(apart.doubtful_bytes == 0);
}

static void count_by_conflicts(servet_cache *cache)
{
    cache->ways = (servet_value){16, 16, 16, 9, SERVET_UNIT_NONE, SERVET_METHOD_CONFLICT, true};
    cache->bytes.method = SERVET_METHOD_CONFLICT;
}

/* Apple's M1: 12 MiB are reported, 8 MiB of victims behind them are not. The sum may show as one
 * level; counted ways or twice the size are evidence against the OS. */
TEST(a_level_that_may_be_a_sum_is_not_trusted)
{
    const srv_reported reported = {2, {{128 * KIB, 64, ""}, {12 * MIB, 128, ""}}};
    const srv_cache_facts sum = {.cache = {level_of(128 * KIB, 0.02), level_of(16 * MIB, 0.1)},
                                 .count = 2};
    srv_cache_facts facts = sum, counted = sum, twice = sum;
    srv_compare_caches(&reported, &facts);
    assert_int_equal(facts.cache[1].verdict, SERVET_VERDICT_DIFFERS);
    assert_false(facts.cache[1].bytes.trusted);
    assert_true(facts.doubtful_bytes > 0);
    count_by_conflicts(&counted.cache[1]);
    twice.cache[1] = level_of(24 * MIB, 0.05);
    srv_cache_facts *others[] = {&counted, &twice};
    for (int i = 0; i < 2; i++) {
        srv_compare_caches(&reported, others[i]);
        assert_true(others[i]->cache[1].bytes.trusted);
        assert_true(others[i]->doubtful_bytes == 0);
    }
}

/* The size that one core reaches does not show the rest of a level, which another guest on the same
 * core may use; a counted size does. */
TEST(a_part_of_a_level_is_not_comparable)
{
    const srv_cache_facts half = levels(2, (const double[]){24 * KIB, 1 * MIB});
    srv_reported reported = {2, {{48 * KIB, 64, ""}, {2 * MIB, 64, ""}}};
    for (int i = 0; i < 2; i++) {
        srv_cache_facts facts = half;
        srv_compare_caches(&reported, &facts);
        assert_int_equal(facts.cache[i].verdict, SERVET_VERDICT_NOT_COMPARABLE);
        assert_false(facts.cache[i].bytes.trusted);
        facts = half;
        count_by_conflicts(&facts.cache[i]);
        srv_compare_caches(&reported, &facts);
        assert_int_equal(facts.cache[i].verdict, SERVET_VERDICT_DIFFERS);
        assert_true(facts.cache[i].bytes.trusted);
    }
}

/* 17 ways were counted of a cache of 16, or 15; 18 are no such error. */
TEST(a_count_a_way_off_is_not_trusted)
{
    for (int counted = 14; counted <= 18; counted++) {
        srv_cache_facts facts = {
            .cache = {level_of(48 * KIB, 0.02), level_of(counted * 64 * KIB, 0.03)}, .count = 2};
        srv_reported reported = {2, {{48 * KIB, 64, ""}, {1 * MIB, 64, ""}}};
        count_by_conflicts(&facts.cache[1]);
        facts.cache[1].ways.value = counted;
        srv_compare_caches(&reported, &facts);
        assert_int_equal(facts.cache[1].bytes.trusted, counted != 15 && counted != 17);
        assert_int_equal(facts.cache[1].ways.trusted, facts.cache[1].bytes.trusted);
    }
}

/* Six ways were counted of eight, and the curve shows a level of the eight that the OS reports: no
 * two levels are so near each other, and the count is that of a part. */
TEST(a_count_beside_a_reported_level_is_not_trusted)
{
    srv_reported reported = {2, {{48 * KIB, 64, ""}, {512 * KIB, 64, ""}}};
    srv_cache_facts facts = levels(3, (const double[]){48 * KIB, 384 * KIB, 512 * KIB});
    count_by_conflicts(&facts.cache[1]);
    srv_compare_caches(&reported, &facts);
    assert_false(facts.cache[1].bytes.trusted);
    assert_false(facts.cache[1].ways.trusted);
    assert_true(facts.cache[2].bytes.trusted);
    assert_true(facts.doubtful_bytes > 0);
    /* what the OS does not report either is no evidence */
    facts = levels(3, (const double[]){48 * KIB, 384 * KIB, 512 * KIB});
    count_by_conflicts(&facts.cache[1]);
    reported.count = 1;
    srv_compare_caches(&reported, &facts);
    assert_true(facts.cache[1].bytes.trusted);
}

/* Ten ways were counted of eight: the curve and the system say 256 KiB. Without either of them the
 * count stands. */
TEST(a_count_against_curve_and_report_is_not_trusted)
{
    static const struct {
        double reach, reported;
        bool trusted;
    } cases[] = {
        {257 * KIB, 256 * KIB, false}, {320 * KIB, 256 * KIB, true}, {200 * KIB, 256 * KIB, true},
        {257 * KIB, 320 * KIB, true},  {257 * KIB, 512 * KIB, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        srv_cache_facts facts = {.cache = {level_of(48 * KIB, 0.02), level_of(320 * KIB, 0.03)},
                                 .count = 2};
        srv_reported reported = {2, {{48 * KIB, 64, ""}, {cases[i].reported, 64, ""}}};
        count_by_conflicts(&facts.cache[1]);
        facts.cache[1].ways.value = 10;
        facts.cache[1].reachable_bytes = level_of(cases[i].reach, 0.05).bytes;
        srv_compare_caches(&reported, &facts);
        assert_int_equal(facts.cache[1].bytes.trusted, cases[i].trusted);
    }
}

TEST(a_turnover_cache_that_was_counted_is_comparable)
{
    srv_cache_facts facts = {.cache = {level_of(32 * KIB, 0.02), level_of(2 * MIB, 0)}, .count = 2};
    facts.cache[1].kind = SERVET_CACHE_TURNOVER;
    count_by_conflicts(&facts.cache[1]);
    srv_reported reported = {2, {{32 * KIB, 64, ""}, {2 * MIB, 64, ""}}};
    srv_compare_caches(&reported, &facts);
    assert_int_equal(facts.cache[1].verdict, SERVET_VERDICT_AGREES);
    reported.level[1].bytes = 4 * MIB;
    srv_compare_caches(&reported, &facts);
    assert_int_equal(facts.cache[1].verdict, SERVET_VERDICT_DIFFERS);
}

TEST(a_turnover_cache_is_still_the_last_level)
{
    srv_cache_facts facts = {
        .cache = {level_of(48 * KIB, 0.02), level_of(2 * MIB, 0.05), level_of(8 * MIB, 0.5)},
        .count = 3};
    facts.cache[2].kind = SERVET_CACHE_TURNOVER;
    srv_reported reported = {3, {{48 * KIB, 64, ""}, {2 * MIB, 64, ""}, {48 * MIB, 64, ""}}};
    srv_compare_caches(&reported, &facts);
    assert_int_equal(facts.cache[2].verdict, SERVET_VERDICT_NOT_COMPARABLE);
    assert_float_equal(facts.cache[2].reported_bytes.value, 48 * MIB, 0);
    reported.level[2].bytes = 480 * MIB;
    srv_compare_caches(&reported, &facts);
    assert_float_equal(facts.cache[2].reported_bytes.value, 480 * MIB, 0);
    reported.level[2].bytes = 8 * MIB; /* in the interval, yet no capacity was measured */
    srv_compare_caches(&reported, &facts);
    assert_int_equal(facts.cache[2].verdict, SERVET_VERDICT_NOT_COMPARABLE);
}

TEST(a_guests_part_of_a_reported_cache_is_not_comparable)
{
    srv_cache_facts facts = {
        .cache = {level_of(48 * KIB, 0.02), level_of(2 * MIB, 0.05), level_of(12 * MIB, 0.1)},
        .count = 3};
    srv_reported reported = {3, {{48 * KIB, 64, ""}, {2 * MIB, 64, ""}, {480 * MIB, 64, ""}}};
    srv_compare_caches(&reported, &facts);
    assert_float_equal(facts.cache[1].reported_bytes.value, 2 * MIB, 0);
    assert_float_equal(facts.cache[2].reported_bytes.value, 480 * MIB, 0);
    assert_int_equal(facts.cache[2].verdict, SERVET_VERDICT_NOT_COMPARABLE);
    facts.count = 2; /* it was not seen */
    srv_compare_caches(&reported, &facts);
    assert_float_equal(facts.cache[1].reported_bytes.value, 2 * MIB, 0);
    assert_int_equal(facts.cache[1].verdict, SERVET_VERDICT_AGREES);
    assert_float_equal(facts.unseen_bytes, 480 * MIB, 0);
}

/* A step at the reach of a TLB is like one of a cache, unless one line per page was measured there.
 * A level that the OS reports, too, is none. */
TEST(a_level_that_may_be_translation_is_doubtful)
{
    srv_reported reported = {2, {{32 * KIB, 64, ""}, {512 * KIB, 64, ""}}};
    const double measured[] = {0, 1 * MIB, 8 * MIB, 64 * MIB};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        bool known = measured[i] == 0 || measured[i] > 8 * MIB;
        srv_cache_facts facts = {
            .cache = {level_of(32 * KIB, 0.02), level_of(512 * KIB, 0.05), level_of(8 * MIB, 0.05)},
            .count = 3,
            .translated_bytes = measured[i]};
        srv_compare_caches(&reported, &facts);
        assert_true(facts.cache[0].bytes.trusted && facts.cache[1].bytes.trusted);
        assert_int_equal(facts.cache[2].bytes.trusted, known);
        assert_float_equal(facts.doubtful_bytes, known ? 0 : 8 * MIB, 0);
    }
}

TEST(a_hidden_level_in_between_is_not_visible)
{
    srv_cache_facts facts = {
        .cache = {level_of(64 * KIB, 0.02), level_of(1 * MIB, 0.05), level_of(32 * MIB, 0.1)},
        .count = 3};
    srv_reported reported = {2, {{64 * KIB, 64, ""}, {32 * MIB, 64, ""}}};
    srv_compare_caches(&reported, &facts);
    assert_int_equal(facts.cache[0].verdict, SERVET_VERDICT_AGREES);
    assert_int_equal(facts.cache[1].verdict, SERVET_VERDICT_NOT_VISIBLE);
    assert_false(servet_value_known(&facts.cache[1].reported_bytes));
    assert_false(servet_value_known(&facts.cache[1].line));
    assert_int_equal(facts.cache[2].verdict, SERVET_VERDICT_AGREES);
    assert_float_equal(facts.unseen_bytes, 0, 0);
    assert_float_equal(facts.doubtful_bytes, 0, 0); /* it is as sure as the others */
    facts.cache[1].bytes.trusted = false;
    srv_compare_caches(&reported, &facts);
    assert_float_equal(facts.doubtful_bytes, 1 * MIB, 0);
}

TEST(without_a_report_a_level_is_not_visible)
{
    srv_cache_facts facts = levels(1, (const double[]){32 * KIB});
    srv_reported reported = {0};
    srv_compare_caches(&reported, &facts);
    assert_int_equal(facts.cache[0].verdict, SERVET_VERDICT_NOT_VISIBLE);
}

TEST(a_reported_level_that_was_not_found_changes_no_verdict)
{
    srv_cache_facts facts = levels(2, (const double[]){32 * KIB, 512 * KIB});
    srv_reported reported = {3, {{32 * KIB, 64, ""}, {512 * KIB, 64, ""}, {16 * MIB, 64, ""}}};
    srv_compare_caches(&reported, &facts);
    assert_int_equal(facts.cache[0].verdict, SERVET_VERDICT_AGREES);
    assert_int_equal(facts.cache[1].verdict, SERVET_VERDICT_AGREES);
}

/* --- groups ----------------------------------------------------------------------------------- */

static char pair[] = "0,12", six[] = "0-2,12-14", all[] = "0-23", first[] = "0", second[] = "1";
static char *dunnington[] = {pair, six, all}, *alone[] = {first, second};

TEST(groups_are_compared_with_the_os)
{
    const srv_sets sets = {dunnington, 3}, none = {NULL, 0};
    const char *both[] = {"0,12", "0-2,12-14"}, *one[] = {"0-23", "1,13"},
               *strange[] = {"1,13", "3-5"}, *single[] = {"0", "1", "0,12"};
    assert_int_equal(srv_compare_groups(&sets, both, 2), SERVET_VERDICT_AGREES);
    assert_int_equal(srv_compare_groups(&sets, one, 2), SERVET_VERDICT_DIFFERS);
    assert_int_equal(srv_compare_groups(&sets, strange, 2), SERVET_VERDICT_NOT_VISIBLE);
    assert_int_equal(srv_compare_groups(&sets, single, 3), SERVET_VERDICT_AGREES);
    assert_int_equal(srv_compare_groups(&none, both, 2), SERVET_VERDICT_NOT_VISIBLE);
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
