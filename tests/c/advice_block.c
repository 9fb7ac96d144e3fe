/* SPDX-License-Identifier: BSD-3-Clause */
/* Block sizes for caches whose sizes and sharing are known from their makers, computed by hand. */
#include "test.h"

#include "known_node.h"
#include "map_machine.h"
#include "servet/advice.h"
#include "../record.h"

static servet_at core(int number)
{
    return (servet_at){.core = number};
}

static servet_block block_of(const servet_profile *profile, int of_core, int level, int arrays,
                             int element_bytes, int sharers)
{
    const servet_at at = core(of_core);
    servet_block block = {.level = -1};
    assert_ok(servet_cache_block(profile, &at, level, arrays, element_bytes, sharers, &block));
    assert_true(block.trusted);
    return block;
}

static void fails(const servet_profile *profile, int of_core, int level, int arrays,
                  int element_bytes, int sharers, int expected)
{
    const servet_at at = core(of_core);
    servet_block block = {.level = -1};
    assert_int_equal(
        servet_cache_block(profile, &at, level, arrays, element_bytes, sharers, &block), expected);
    assert_int_equal(block.level, -1);
}

/* Core 16 is one of four that share 4 MiB of level 2; half of it are 2 MiB: 87,381 elements are
 * 2 MiB / 3 / 8. */
TEST(neighbours_take_their_part)
{
    known_node node = known_node_kept("hybrid-desktop");
    const servet_profile *profile = node.place.profile;
    servet_block block = block_of(profile, 16, 2, 3, 8, 1);
    assert_int_equal(block.level, 2);
    assert_int_equal(block.sharers, 1);
    assert_true(block.bytes == 2097152);
    assert_int_equal(block.elements, 87381);
    assert_int_equal(block.side, 295);
    block = block_of(profile, 16, 2, 3, 8, 0);
    assert_int_equal(block.sharers, 4);
    assert_true(block.bytes == 524288);
    assert_int_equal(block.elements, 21845);
    assert_int_equal(block.side, 147);
    assert_int_equal(block_of(profile, 16, 2, 3, 8, 2).elements, 43690);
    assert_int_equal(block_of(profile, 16, 2, 3, 8, 9).sharers, 4);
    assert_int_equal(block_of(profile, 16, 2, 1, 4, 1).elements, 524288);
}

/* The PUs of a fast core share 48 KiB, 24 of them for blocks. Of no particular core, the first core
 * type is meant. */
TEST(threads_of_a_core_share_its_caches)
{
    known_node node = known_node_kept("hybrid-desktop");
    const servet_profile *profile = node.place.profile;
    assert_int_equal(block_of(profile, 0, 1, 1, 8, 0).elements, 1536);
    assert_int_equal(block_of(profile, SERVET_ANY_CORE, 1, 1, 8, 0).elements, 1536);
    assert_int_equal(block_of(profile, 0, 1, 1, 8, 1).elements, 3072);
    assert_int_equal(block_of(profile, 0, 0, 1, 8, 1).level, 3);
}

/* 307.2 elements of 8 bytes are 38.4 lines of 64. */
TEST(blocks_are_whole_lines)
{
    const servet_value line = {64, 64, 64, 9, SERVET_UNIT_BYTE, SERVET_METHOD_TIMED, true};
    known_node node = known_node_kept("hybrid-desktop");
    servet_profile *profile = node.place.profile;
    assert_int_equal(block_of(profile, 0, 1, 5, 8, 0).elements, 307);
    assert_ok(record_cache_line(profile, 0, 0, 1, &line, NULL));
    servet_block block = block_of(profile, 0, 1, 5, 8, 0);
    assert_int_equal(block.elements, 304);
    assert_int_equal(block.side, 16);
    block = block_of(profile, 0, 1, 1000, 8, 0); /* 1.5 elements: less than a line */
    assert_int_equal(block.elements, 1);
    assert_int_equal(block.side, 1);
}

TEST(a_block_that_does_not_fit_is_refused)
{
    known_node node = known_node_kept("hybrid-desktop");
    const servet_profile *profile = node.place.profile;
    fails(profile, 0, 1, 3073, 8, 1, SERVET_ERANGE);
    assert_int_equal(block_of(profile, 0, 1, 3072, 8, 1).elements, 1);
    fails(profile, 0, 4, 1, 8, 1, SERVET_ERANGE);
    fails(profile, 0, -1, 1, 8, 1, SERVET_ERANGE);
    fails(profile, 99, 1, 1, 8, 1, SERVET_ERANGE);
    fails(profile, 0, 1, 0, 8, 1, SERVET_EARGUMENT);
    fails(profile, 0, 1, 1, 0, 1, SERVET_EARGUMENT);
    fails(profile, 0, 1, 1, 8, -1, SERVET_EARGUMENT);
}

static void set_one_cache(servet_profile *profile, servet_cache_kind kind, servet_value reachable)
{
    const servet_value size = {98304, 90000, 99000, 9, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT,
                               true};
    const servet_value time = servet_value_unknown(SERVET_UNIT_SECOND);
    const servet_value latency = {1e-9, 1e-9, 1e-9, 9, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED,
                                  true};
    const servet_cache cache = {.level = 1,
                                .kind = kind,
                                .bytes = size,
                                .reachable_bytes = reachable,
                                .verdict = SERVET_VERDICT_NOT_VISIBLE,
                                .latency = latency,
                                .confidence = 1};
    assert_ok(record_caches(profile, 0, 0, &cache, 1, &time, NULL));
}

/* Half of the 64 KiB that can be reached of 96 KiB; half of 96 KiB if the reachable part is not
 * known. */
TEST(the_reachable_part_of_a_cache_limits_the_block)
{
    const servet_value reachable = {
        65536, 64000, 70000, 9, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT, true};
    servet_profile *profile = map_profile(&map_flat, 1);
    set_one_cache(profile, SERVET_CACHE_CAPACITY, reachable);
    assert_int_equal(block_of(profile, 0, 1, 2, 8, 1).elements, 2048);
    set_one_cache(profile, SERVET_CACHE_CAPACITY, servet_value_unknown(SERVET_UNIT_BYTE));
    assert_int_equal(block_of(profile, 0, 1, 2, 8, 1).elements, 3072);
}

/* The low end of the size limits a block if less than half of the size is certain. */
TEST(the_low_end_limits_a_block)
{
    const servet_value reachable = {
        65536, 16000, 70000, 9, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT, true};
    servet_profile *profile = map_profile(&map_flat, 1);
    set_one_cache(profile, SERVET_CACHE_CAPACITY, reachable);
    assert_int_equal(block_of(profile, 0, 1, 2, 8, 1).elements, 1000);
}

/* The reach may be measured as larger than the cache: four nodes reached 4056 KiB of 1 MiB. */
TEST(no_block_exceeds_the_capacity)
{
    const servet_value reachable = {
        400000, 390000, 410000, 9, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT, true};
    servet_profile *profile = map_profile(&map_flat, 1);
    set_one_cache(profile, SERVET_CACHE_CAPACITY, reachable);
    assert_int_equal(block_of(profile, 0, 1, 2, 8, 1).elements, 3072);
}

/* No core of any architecture has more than eight threads. */
TEST(unknown_sharing_is_answered_for_the_worst_case)
{
    const servet_value reachable = servet_value_unknown(SERVET_UNIT_BYTE);
    const servet_at at = core(0);
    servet_block block;
    servet_profile *profile = map_profile(&map_finis_terrae, 1);
    set_one_cache(profile, SERVET_CACHE_CAPACITY, reachable);
    assert_ok(servet_cache_block(profile, &at, 1, 1, 8, 0, &block));
    assert_int_equal(block.sharers, 8);
    assert_int_equal(block.elements, 768);
    assert_true(block.assumed);
    assert_false(block.trusted);
    assert_ok(servet_cache_block(profile, &at, 1, 1, 8, 2, &block));
    assert_int_equal(block.sharers, 2);
    assert_ok(servet_cache_block(profile, &at, 1, 1, 8, 1, &block));
    assert_false(block.assumed);
    assert_true(block.trusted);
    servet_profile_trusted_only(profile, true);
    fails(profile, 0, 1, 1, 8, 0, SERVET_EUNTRUSTED);
}

/* A query for such a level by its number gives a block, which is doubtful. */
TEST(a_level_that_others_empty_is_doubtful)
{
    const servet_value reachable = {
        65536, 64000, 70000, 9, SERVET_UNIT_BYTE, SERVET_METHOD_TURNOVER, false};
    const servet_at at = core(0);
    servet_block block;
    servet_profile *profile = map_profile(&map_flat, 1);
    set_one_cache(profile, SERVET_CACHE_TURNOVER, reachable);
    assert_ok(servet_cache_block(profile, &at, 1, 2, 8, 1, &block));
    assert_int_equal(block.elements, 2048);
    assert_true(block.emptied);
    assert_false(block.trusted);
    fails(profile, 0, 0, 2, 8, 1, SERVET_EUNMEASURED); /* no level of any use */
}

TEST(doubtful_sharing_makes_doubtful_blocks)
{
    const char *const groups[] = {"0-6"};
    const servet_sharing sharing = {.confidence = 0.25, .verdict = SERVET_VERDICT_NOT_VISIBLE};
    const servet_at at = core(0);
    servet_block block;
    servet_profile *profile = map_profile(&map_flat, 1);
    assert_ok(record_cache_groups(profile, 0, 0, 1, groups, 1, &sharing, NULL));
    assert_ok(servet_cache_block(profile, &at, 1, 1, 8, 0, &block));
    assert_int_equal(block.sharers, 7);
    assert_false(block.trusted);
    assert_int_equal(block_of(profile, 0, 1, 1, 8, 1).elements, 2048);
    servet_profile_trusted_only(profile, true);
    assert_int_equal(block_of(profile, 0, 1, 1, 8, 1).elements, 2048);
    fails(profile, 0, 1, 1, 8, 0, SERVET_EUNTRUSTED);
}

/* Cores 0 and 12 share a level 2 cache, these and 1 a level 3 cache. */
TEST(threads_that_share_are_counted)
{
    servet_profile *profile = map_profile(&map_dunnington, 1);
    const int threads[] = {3, 12, 0, 1};
    servet_at at = core(0);
    int sharers = -1;
    assert_ok(servet_cache_sharers(profile, &at, 2, threads, 4, &sharers));
    assert_int_equal(sharers, 2);
    assert_ok(servet_cache_sharers(profile, &at, 3, threads, 4, &sharers));
    assert_int_equal(sharers, 3);
    at.core = 3;
    assert_ok(servet_cache_sharers(profile, &at, 3, threads, 4, &sharers));
    assert_int_equal(sharers, 1);
    at.core = 9;
    assert_int_equal(servet_cache_sharers(profile, &at, 3, threads, 4, &sharers), SERVET_EARGUMENT);
    at.core = SERVET_ANY_CORE;
    assert_int_equal(servet_cache_sharers(profile, &at, 3, threads, 4, &sharers), SERVET_EARGUMENT);
    at.core = 0;
    sharers = -1;
    assert_ok(servet_cache_sharers(profile, &at, 1, threads, 4, &sharers));
    assert_int_equal(sharers, 2); /* sharing of level 1 is not known, but level 2 has two cores */
}

/* A core shares with no other, but it has the levels that were measured. */
TEST(a_single_core_has_its_caches_alone)
{
    const map_machine alone = {.nodes = 1, .cores = "0", .inside = 1e-6, .between = 3e-6};
    const servet_value reachable = {
        65536, 64000, 70000, 9, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT, true};
    const int threads[] = {0};
    const servet_at at = core(0);
    int sharers = -1;
    servet_profile *profile = map_profile(&alone, 1);
    set_one_cache(profile, SERVET_CACHE_CAPACITY, reachable);
    assert_ok(servet_cache_sharers(profile, &at, 1, threads, 1, &sharers));
    assert_int_equal(sharers, 1);
    assert_int_equal(servet_cache_sharers(profile, &at, 2, threads, 1, &sharers), SERVET_ERANGE);
}
