/* SPDX-License-Identifier: BSD-3-Clause */
/* Coherence blocks and lines of shipped models, as their tables of caches say. */
#include "facts/stages.h"
#include "test.h"

#include <stdio.h>

#include "known_node.h"
#include "servet/node.h"

/* `level` is the last one that two cores of the node do not share. */
typedef struct truth {
    const char *model;
    double block;
    int level, levels;
    double lines[3];
} truth;

/* The first three differ in all that matters: two levels shared or not, lines of 16 to 256, a block
 * of its own. */
enum { QUICK = 3 };
static const truth truths[] = {
    {"niagara-t1", 16, 1, 2, {16, 64}},     {"finis-terrae", 128, 3, 3, {64, 128, 128}},
    {"a64fx", 256, 2, 2, {256, 256}},       {"cloud-vm", 64, 2, 3, {64, 64, 64}},
    {"dunnington", 64, 3, 3, {64, 64, 64}}, {"harpertown", 64, 2, 2, {64, 64}},
    {"kentsfield", 64, 2, 2, {64, 64}},     {"dempsey", 64, 2, 2, {64, 64}},
    {"power9", 128, 3, 3, {128, 128, 128}}, {"hector", 64, 3, 3, {64, 64, 64}},
};

static void lines_are(const known_node *node, const truth *expected)
{
    servet_at at = {"default", 0};
    for (int level = 1; level <= expected->levels; level++) {
        servet_cache cache;
        assert_int_equal(servet_cache_get(node->place.profile, &at, level, &cache), SERVET_OK);
        if (!(cache.line.value == expected->lines[level - 1]))
            fail_msg("%s: lines of L%d have %g bytes, not %g", expected->model, level,
                     cache.line.value, expected->lines[level - 1]);
        assert_int_equal(cache.line.method, SERVET_METHOD_TIMED);
        assert_true(cache.line.trusted);
    }
}

static void blocks_and_lines_of_the_models_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < test_cases(QUICK, sizeof truths / sizeof *truths); i++) {
        char text[16];
        known_node node;
        servet_coherence coherence;
        known_node_init(&node, truths[i].model);
        srv_stage stage = known_node_stage(&node, 0);
        assert_int_equal(srv_measure_lines(&stage, &node.place, NULL), SERVET_OK);
        assert_int_equal(servet_coherence_get(node.place.profile, NULL, &coherence), SERVET_OK);
        if (!(coherence.line.value == truths[i].block) || coherence.level != truths[i].level)
            fail_msg("%s: block %g of L%d", truths[i].model, coherence.line.value, coherence.level);
        assert_int_equal(coherence.verdict, SERVET_VERDICT_AGREES);
        snprintf(text, sizeof text, "%g", truths[i].block);
        known_node_prints(&node, 0, "coherence_line", text);
        lines_are(&node, &truths[i]);
        assert_true(node.machine->ops->elapsed(node.machine) < 20);
        known_node_finish(&node);
    }
}

/* A single core has no contention; its lines are found. */
static void a_single_core_has_lines_but_no_block(void **state)
{
    (void)state;
    known_node node;
    servet_coherence coherence;
    known_node_init(&node, "athlon3200");
    srv_stage stage = known_node_stage(&node, 0);
    assert_int_equal(srv_measure_lines(&stage, &node.place, NULL), SERVET_OK);
    assert_int_equal(servet_coherence_get(node.place.profile, NULL, &coherence),
                     SERVET_EUNMEASURED);
    known_node_prints(&node, 0, "caches.1.line", "64");
    known_node_finish(&node);
}

/* Cache sharing is unknown, and so is the level whose line the block is. */
static void without_groups_the_level_is_unknown(void **state)
{
    (void)state;
    known_node known, bare;
    servet_coherence coherence;
    known_node_init(&known, "harpertown");
    known_node_of(&bare, known.machine);
    srv_stage stage = known_node_stage(&bare, 0);
    assert_int_equal(srv_measure_lines(&stage, &bare.place, NULL), SERVET_OK);
    assert_int_equal(servet_coherence_get(bare.place.profile, NULL, &coherence), SERVET_OK);
    assert_true(coherence.line.value == 64);
    assert_int_equal(coherence.level, 0);
    servet_profile_close(bare.place.profile);
    known_node_finish(&known);
}

/* A doubtful latency of a hit does not tell a hit from a miss for certain. */
static void a_line_is_as_sure_as_the_latency_of_its_level(void **state)
{
    (void)state;
    known_node node;
    servet_at at = {"default", 0};
    known_node_init(&node, "harpertown");
    srv_stage stage = known_node_stage(&node, 0);
    assert_int_equal(servet_profile_distrust(node.place.profile, 0, "kinds.1.caches.2.latency_ns",
                                             "other work", NULL),
                     SERVET_OK);
    assert_int_equal(srv_measure_lines(&stage, &node.place, NULL), SERVET_OK);
    for (int level = 1; level <= 2; level++) {
        servet_cache cache;
        assert_int_equal(servet_cache_get(node.place.profile, &at, level, &cache), SERVET_OK);
        assert_float_equal(cache.line.value, 64, 0);
        assert_int_equal(cache.line.trusted, level == 1);
    }
    known_node_finish(&node);
}

static void without_time_nothing_is_measured(void **state)
{
    (void)state;
    known_node node;
    servet_coherence coherence;
    known_node_init(&node, "harpertown");
    srv_stage stage = known_node_stage(&node, 1e-6);
    assert_int_equal(srv_measure_lines(&stage, &node.place, NULL), SERVET_OK);
    assert_int_equal(servet_coherence_get(node.place.profile, NULL, &coherence),
                     SERVET_EUNMEASURED);
    known_node_prints(&node, 0, "caches.1.line", NULL);
    known_node_finish(&node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_and_lines_of_the_models_are_found),
        cmocka_unit_test(a_single_core_has_lines_but_no_block),
        cmocka_unit_test(without_groups_the_level_is_unknown),
        cmocka_unit_test(a_line_is_as_sure_as_the_latency_of_its_level),
        cmocka_unit_test(without_time_nothing_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
