/* SPDX-License-Identifier: BSD-3-Clause */
/* Block sizes for caches whose sizes and sharing are known from their makers, computed by hand. */
#include "test.h"

#include "known_node.h"
#include "map_machine.h"
#include "servet/place.h"

static servet_at core(int number)
{
    return (servet_at){.core = number};
}

static servet_block block_of(const servet_profile *profile, int of_core, int level, int arrays,
                             int element_bytes, int sharers)
{
    const servet_at at = core(of_core);
    servet_block block = {.level = -1};
    assert_int_equal(
        servet_cache_block(profile, &at, level, arrays, element_bytes, sharers, &block), SERVET_OK);
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

/* Core 16 is one of four that share 4 MiB of level 2: 174,762 elements are 4 MiB / 3 / 8. */
static void neighbours_take_their_part(void **state)
{
    (void)state;
    known_node node;
    known_node_init(&node, "hybrid-desktop");
    const servet_profile *profile = node.place.profile;
    servet_block block = block_of(profile, 16, 2, 3, 8, 1);
    assert_int_equal(block.level, 2);
    assert_int_equal(block.sharers, 1);
    assert_true(block.bytes == 4194304);
    assert_int_equal(block.elements, 174762);
    assert_int_equal(block.side, 418);
    block = block_of(profile, 16, 2, 3, 8, 0);
    assert_int_equal(block.sharers, 4);
    assert_true(block.bytes == 1048576);
    assert_int_equal(block.elements, 43690);
    assert_int_equal(block.side, 209);
    assert_int_equal(block_of(profile, 16, 2, 3, 8, 2).elements, 87381);
    assert_int_equal(block_of(profile, 16, 2, 3, 8, 9).sharers, 4);
    assert_int_equal(block_of(profile, 16, 2, 1, 4, 1).elements, 1048576);
    known_node_finish(&node);
}

/* The PUs of a fast core share 48 KiB. Of no particular core, the first core type is meant. */
static void threads_of_a_core_share_its_caches(void **state)
{
    (void)state;
    known_node node;
    known_node_init(&node, "hybrid-desktop");
    const servet_profile *profile = node.place.profile;
    assert_int_equal(block_of(profile, 0, 1, 1, 8, 0).elements, 3072);
    assert_int_equal(block_of(profile, SERVET_ANY_CORE, 1, 1, 8, 0).elements, 3072);
    assert_int_equal(block_of(profile, 0, 1, 1, 8, 1).elements, 6144);
    assert_int_equal(block_of(profile, 0, 0, 1, 8, 1).level, 3);
    known_node_finish(&node);
}

/* 614.4 elements of 8 bytes are 76.8 lines of 64. */
static void blocks_are_whole_lines(void **state)
{
    (void)state;
    known_node node;
    const servet_value line = {64, 64, 64, 9, SERVET_UNIT_BYTE, SERVET_METHOD_TIMED, true};
    known_node_init(&node, "hybrid-desktop");
    servet_profile *profile = node.place.profile;
    assert_int_equal(block_of(profile, 0, 1, 5, 8, 0).elements, 614);
    assert_int_equal(servet_profile_set_cache_line(profile, 0, 0, 1, &line, NULL), SERVET_OK);
    servet_block block = block_of(profile, 0, 1, 5, 8, 0);
    assert_int_equal(block.elements, 608);
    assert_int_equal(block.side, 24);
    block = block_of(profile, 0, 1, 1000, 8, 0); /* 3.07 elements: less than a line */
    assert_int_equal(block.elements, 3);
    assert_int_equal(block.side, 1);
    known_node_finish(&node);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    known_node node;
    known_node_init(&node, "hybrid-desktop");
    const servet_profile *profile = node.place.profile;
    fails(profile, 0, 1, 6145, 8, 1, SERVET_ERANGE);
    assert_int_equal(block_of(profile, 0, 1, 6144, 8, 1).elements, 1);
    fails(profile, 0, 4, 1, 8, 1, SERVET_ERANGE);
    fails(profile, 0, -1, 1, 8, 1, SERVET_ERANGE);
    fails(profile, 99, 1, 1, 8, 1, SERVET_ERANGE);
    fails(profile, 0, 1, 0, 8, 1, SERVET_EARGUMENT);
    fails(profile, 0, 1, 1, 0, 1, SERVET_EARGUMENT);
    fails(profile, 0, 1, 1, 8, -1, SERVET_EARGUMENT);
    known_node_finish(&node);
}

/* Of an interval the low end counts; of what is measured, what can be reached. */
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
    assert_int_equal(servet_profile_set_caches(profile, 0, 0, &cache, 1, &time, NULL), SERVET_OK);
}

static void the_low_end_of_what_is_reachable_counts(void **state)
{
    (void)state;
    const servet_value reachable = {
        65536, 64000, 70000, 9, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT, true};
    servet_profile *profile = map_profile(&map_flat, 1);
    set_one_cache(profile, SERVET_CACHE_CAPACITY, reachable);
    assert_int_equal(block_of(profile, 0, 1, 2, 8, 1).elements, 4000);
    set_one_cache(profile, SERVET_CACHE_CAPACITY, servet_value_unknown(SERVET_UNIT_BYTE));
    assert_int_equal(block_of(profile, 0, 1, 2, 8, 1).elements, 5625);
    fails(profile, 0, 1, 2, 8, 0, SERVET_EUNMEASURED); /* who shares it */
    set_one_cache(profile, SERVET_CACHE_TURNOVER, reachable);
    fails(profile, 0, 1, 2, 8, 1, SERVET_EUNSUPPORTED);
    fails(profile, 0, 0, 2, 8, 1, SERVET_EUNMEASURED); /* no level of any use */
    servet_profile_close(profile);
}

static void doubtful_sharing_makes_doubtful_blocks(void **state)
{
    (void)state;
    const char *const groups[] = {"0-6"};
    const servet_sharing sharing = {.confidence = 0.25, .verdict = SERVET_VERDICT_NOT_VISIBLE};
    const servet_at at = core(0);
    servet_block block;
    servet_profile *profile = map_profile(&map_flat, 1);
    assert_int_equal(servet_profile_set_cache_groups(profile, 0, 0, 1, groups, 1, &sharing, NULL),
                     SERVET_OK);
    assert_int_equal(servet_cache_block(profile, &at, 1, 1, 8, 0, &block), SERVET_OK);
    assert_int_equal(block.sharers, 7);
    assert_false(block.trusted);
    assert_int_equal(block_of(profile, 0, 1, 1, 8, 1).elements, 4096);
    servet_profile_trusted_only(profile, true);
    assert_int_equal(block_of(profile, 0, 1, 1, 8, 1).elements, 4096);
    fails(profile, 0, 1, 1, 8, 0, SERVET_EUNTRUSTED);
    servet_profile_close(profile);
}

/* Cores 0 and 12 share a level 2 cache, these and 1 a level 3 cache. */
static void threads_that_share_are_counted(void **state)
{
    (void)state;
    servet_profile *profile = map_profile(&map_dunnington, 1);
    const int threads[] = {3, 12, 0, 1};
    servet_at at = core(0);
    int sharers = -1;
    assert_int_equal(servet_cache_sharers(profile, &at, 2, threads, 4, &sharers), SERVET_OK);
    assert_int_equal(sharers, 2);
    assert_int_equal(servet_cache_sharers(profile, &at, 3, threads, 4, &sharers), SERVET_OK);
    assert_int_equal(sharers, 3);
    at.core = 3;
    assert_int_equal(servet_cache_sharers(profile, &at, 3, threads, 4, &sharers), SERVET_OK);
    assert_int_equal(sharers, 1);
    at.core = 9;
    assert_int_equal(servet_cache_sharers(profile, &at, 3, threads, 4, &sharers), SERVET_EARGUMENT);
    at.core = SERVET_ANY_CORE;
    assert_int_equal(servet_cache_sharers(profile, &at, 3, threads, 4, &sharers), SERVET_EARGUMENT);
    at.core = 0;
    assert_int_equal(servet_cache_sharers(profile, &at, 1, threads, 4, &sharers),
                     SERVET_EUNMEASURED);
    assert_int_equal(sharers, 1);
    servet_profile_close(profile);
}

/* A core shares with no other, but it has the levels that were measured. */
static void a_single_core_has_its_caches_alone(void **state)
{
    (void)state;
    const map_machine alone = {.nodes = 1, .cores = "0", .inside = 1e-6, .between = 3e-6};
    const servet_value reachable = {
        65536, 64000, 70000, 9, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT, true};
    const int threads[] = {0};
    const servet_at at = core(0);
    int sharers = -1;
    servet_profile *profile = map_profile(&alone, 1);
    set_one_cache(profile, SERVET_CACHE_CAPACITY, reachable);
    assert_int_equal(servet_cache_sharers(profile, &at, 1, threads, 1, &sharers), SERVET_OK);
    assert_int_equal(sharers, 1);
    assert_int_equal(servet_cache_sharers(profile, &at, 2, threads, 1, &sharers), SERVET_ERANGE);
    servet_profile_close(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_take_their_part),
        cmocka_unit_test(threads_of_a_core_share_its_caches),
        cmocka_unit_test(blocks_are_whole_lines),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(the_low_end_of_what_is_reachable_counts),
        cmocka_unit_test(doubtful_sharing_makes_doubtful_blocks),
        cmocka_unit_test(threads_that_share_are_counted),
        cmocka_unit_test(a_single_core_has_its_caches_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
