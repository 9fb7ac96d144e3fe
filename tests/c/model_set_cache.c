/* SPDX-License-Identifier: BSD-3-Clause */
/* Replacement in few ways, computed by hand, and by probability for random policies. */
#include "test.h"

#include <ctype.h>

#include "sim/random.h"
#include "sim/set_cache.h"

static srv_set_cache *made(const srv_set_cache_shape *shape)
{
    srv_set_cache *cache;
    assert_ok(srv_set_cache_create(&cache, shape, 1, NULL));
    return cache;
}

static char outcome(srv_set_cache *cache, char use)
{
    uint32_t victim, tag = (uint32_t)toupper(use);
    if (islower(use))
        return srv_set_cache_remove(cache, 0, tag) ? 'x' : '?';
    if (srv_set_cache_access(cache, 0, tag, &victim))
        return '+';
    return victim == SRV_TAG_NONE ? '-' : (char)victim;
}

/* Lines of one set are letters; a small one is taken out. Expected is, for each: + a hit, - a miss
 * that needs no victim, the letter of the victim, or x for a line taken out. */
static void expect(srv_replacement replacement, uint32_t ways, const char *uses,
                   const char *expected)
{
    srv_set_cache *cache = made(
        &(srv_set_cache_shape){.sets = 1, .ways = ways, .slices = 1, .replacement = replacement});
    char seen[64] = "";
    for (size_t i = 0; uses[i]; i++)
        seen[i] = outcome(cache, uses[i]);
    assert_string_equal(seen, expected);
    srv_set_cache_destroy(cache);
}

TEST(lru_evicts_what_was_used_longest_ago)
{
    expect(SRV_REPLACE_LRU, 1, "ABAA", "-AB+");
    expect(SRV_REPLACE_LRU, 2, "ABACBA", "--+BAC");
    expect(SRV_REPLACE_LRU, 3, "ABCADB", "---+BC");
    expect(SRV_REPLACE_LRU, 5, "ABCDEAFB", "-----+BC");
}

/* LRU as it is defined: a list of the letters in a set, most recent first. */
static char outcome_by_list(char *list, size_t ways, char use)
{
    char result = '-', letter = (char)toupper(use), *at = strchr(list, letter);
    if (at)
        result = islower(use) ? 'x' : '+';
    else if (islower(use))
        return '?';
    else if (strlen(list) == ways)
        result = *(at = list + ways - 1);
    if (at)
        memmove(at, at + 1, strlen(at));
    if (isupper(use)) {
        memmove(list + 1, list, strlen(list) + 1);
        *list = letter;
    }
    return result;
}

/* Small sets and wide ones remember the order in different ways. Uses of 26 letters, one in eight
 * of which takes the letter out. */
TEST(lru_is_exact_with_any_number_of_ways)
{
    enum { USES = 5000, WAYS_MAX = 24 };
    uint64_t random = 1;
    for (uint32_t ways = 1; ways <= WAYS_MAX; ways++) {
        char list[WAYS_MAX + 2] = "";
        srv_set_cache *cache = made(&(srv_set_cache_shape){.sets = 1, .ways = ways, .slices = 1});
        for (int i = 0; i < USES; i++) {
            char letter = (char)('A' + srv_random_below(&random, 26));
            char use = srv_random_below(&random, 8) == 0 ? (char)tolower(letter) : letter;
            assert_int_equal(outcome(cache, use), outcome_by_list(list, ways, use));
        }
        srv_set_cache_destroy(cache);
    }
}

/* Four ways: the root parts {0,1} from {2,3}. The use of A points the root to the right, where D
 * was used after C: E takes the place of C, though B is older. */
TEST(tree_evicts_where_its_bits_point)
{
    expect(SRV_REPLACE_PLRU, 2, "ABACBA", "--+BAC");
    expect(SRV_REPLACE_PLRU, 4, "ABCDAEBC", "----+C+D");
}

/* Three ways: {0,1} and {2}. D takes A's place, which points the root to the right: C goes next. */
TEST(tree_need_not_be_balanced)
{
    expect(SRV_REPLACE_PLRU, 3, "ABCDEF", "---ACB");
    expect(SRV_REPLACE_PLRU, 1, "ABB", "-A+");
}

TEST(an_invalidated_line_leaves_room)
{
    for (srv_replacement r = 0; r < SRV_REPLACEMENT_COUNT; r++)
        expect(r, 4, "ABCDbEACDEb", "----x-++++?");
    expect(SRV_REPLACE_LRU, 4, "ABCDbEF", "----x-A");
}

TEST(a_touch_inserts_no_line)
{
    srv_set_cache *cache = made(&(srv_set_cache_shape){.sets = 1, .ways = 2, .slices = 1});
    uint32_t victim;
    assert_false(srv_set_cache_touch(cache, 0, 'A'));
    assert_false(srv_set_cache_touch(cache, 0, 'A'));
    srv_set_cache_access(cache, 0, 'A', &victim);
    srv_set_cache_access(cache, 0, 'B', &victim);
    assert_true(srv_set_cache_touch(cache, 0, 'A'));
    srv_set_cache_access(cache, 0, 'C', &victim);
    assert_int_equal(victim, 'B');
    srv_set_cache_flush(cache, 1);
    assert_false(srv_set_cache_touch(cache, 0, 'A'));
    srv_set_cache_destroy(cache);
}

TEST(too_many_ways_for_a_tree_are_refused)
{
    srv_set_cache *cache = NULL;
    srv_set_cache_shape shape = {1, SRV_PLRU_WAYS_MAX + 1, 1, SRV_REPLACE_PLRU, 0};
    assert_int_equal(srv_set_cache_create(&cache, &shape, 1, NULL), SERVET_EUNSUPPORTED);
}

/* A line survives a miss in its full set of 4 with probability 3/4. 10,000 sets: the standard
 * deviation of the share is at most 0.005. */
TEST(random_victims_are_uniform)
{
    enum { SETS = 10000, WAYS = 4, MISSES = 3 };
    srv_set_cache *cache = made(&(srv_set_cache_shape){SETS, WAYS, 1, SRV_REPLACE_RANDOM, 0});
    uint32_t victim;
    int survivors = 0;
    for (uint32_t set = 0; set < SETS; set++) {
        for (uint32_t i = 0; i < WAYS + MISSES; i++)
            srv_set_cache_access(cache, set, i * SETS + set + 1, &victim);
        survivors += srv_set_cache_touch(cache, set, set + 1);
    }
    assert_float_equal((double)survivors / SETS, pow(0.75, MISSES), 0.02);
    srv_set_cache_destroy(cache);
}

/* Hits of round `rounds` of a cyclic traversal over `lines` lines. */
static double cyclic_hits(const srv_set_cache_shape *shape, uint32_t lines, int rounds)
{
    srv_set_cache *cache = made(shape);
    uint32_t victim, hits = 0;
    for (int round = 0; round < rounds; round++) {
        hits = 0;
        for (uint32_t line = 0; line < lines; line++)
            hits += srv_set_cache_access(cache, line, line + 1, &victim);
    }
    srv_set_cache_destroy(cache);
    return (double)hits / lines;
}

/* A traversal twice as long as the cache: LRU never hits; bimodal insertion keeps most of what
 * fits, half of the traversal (Qureshi et al.: about (K-1)/T, here 15/32). */
TEST(adaptive_caches_resist_traversals_that_do_not_fit)
{
    srv_set_cache_shape shape = {512, 16, 1, SRV_REPLACE_ADAPTIVE, 0};
    assert_float_equal(cyclic_hits(&shape, 2 * 512 * 16, 40), 15.0 / 32, 0.06);
    assert_float_equal(cyclic_hits(&shape, 512 * 16, 3), 1, 1e-12);
    shape.replacement = SRV_REPLACE_LRU;
    assert_float_equal(cyclic_hits(&shape, 2 * 512 * 16, 40), 0, 1e-12);
}

/* Neighbouring lines of the cache's capacity fit without a conflict, whatever the counts. */
TEST(slices_and_odd_set_counts_fill_evenly)
{
    static const uint32_t counts[][2] = {{64, 1}, {96, 1},  {64, 2}, {64, 8},
                                         {64, 3}, {96, 28}, {1, 5}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint32_t sets = counts[i][0] * counts[i][1];
        srv_set_cache_shape shape = {sets, 4, counts[i][1], SRV_REPLACE_LRU, 0};
        assert_float_equal(cyclic_hits(&shape, sets * 4, 2), 1, 1e-12);
        assert_true(cyclic_hits(&shape, sets * 4 + 1, 2) < 1);
    }
}

/* Lines one slice apart meet in one set without slices; the hash spreads them over all. */
TEST(slices_spread_lines_far_apart)
{
    enum { SETS = 64, SLICES = 8, WAYS = 4 };
    for (uint32_t slices = 1; slices <= SLICES; slices += SLICES - 1) {
        srv_set_cache *cache =
            made(&(srv_set_cache_shape){SETS * SLICES, WAYS, slices, SRV_REPLACE_LRU, 0});
        uint32_t victim, victims = 0;
        for (uint32_t i = 0; i < WAYS * SLICES; i++) {
            srv_set_cache_access(cache, i * SETS * SLICES / slices, i + 1, &victim);
            victims += victim != SRV_TAG_NONE;
        }
        assert_int_equal(victims, slices == 1 ? WAYS * SLICES - WAYS : 0);
        srv_set_cache_destroy(cache);
    }
}

/* Share of lines still there `ns` after they came in, one in each of many sets. */
static double kept(srv_replacement replacement, double turnover_ns, double ns)
{
    enum { SETS = 10000, WAYS = 8 };
    srv_set_cache *cache = made(&(srv_set_cache_shape){SETS, WAYS, 1, replacement, turnover_ns});
    uint32_t victim, victims[WAYS];
    int there = 0;
    for (uint32_t set = 0; set < SETS; set++) {
        assert_int_equal(srv_set_cache_turn_over(cache, set, 1, victims), 0);
        srv_set_cache_access(cache, set, set + 1, &victim);
        assert_int_equal(victim, SRV_TAG_NONE);
        uint32_t gone = srv_set_cache_turn_over(cache, set, 1 + ns, victims);
        bool hit = srv_set_cache_touch(cache, set, set + 1);
        assert_int_equal(gone, hit ? 0 : 1);
        there += hit;
    }
    srv_set_cache_destroy(cache);
    return (double)there / SETS;
}

/* P(X < 8) for X ~ Poisson(mean). */
static double fewer_than_8(double mean)
{
    double term = exp(-mean), sum = term;
    for (int k = 1; k < 8; k++)
        sum += term *= mean / k;
    return sum;
}

/* Others bring in 8 lines a set in each turnover time. LRU loses a line to the 8th of them, random
 * replacement to each with probability 1/8. */
TEST(other_work_replaces_unused_lines)
{
    static const double times[] = {0.25, 1, 1.5, 3};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        assert_float_equal(kept(SRV_REPLACE_LRU, 1e6, times[i] * 1e6), fewer_than_8(8 * times[i]),
                           0.02);
        assert_float_equal(kept(SRV_REPLACE_RANDOM, 1e6, times[i] * 1e6), exp(-times[i]), 0.02);
    }
    assert_float_equal(kept(SRV_REPLACE_LRU, 1e6, 1e9), 0, 1e-12);
}
