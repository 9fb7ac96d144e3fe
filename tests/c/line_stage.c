/* SPDX-License-Identifier: BSD-3-Clause */
/* Coherence blocks and lines of shipped models, as their tables of caches say. */
#include "facts/stages.h"
#include "test.h"

#include "known_node.h"
#include "servet/node.h"

/* `level` is the last one that two cores of the node do not share. */
typedef struct truth {
    const char *model;
    double block;
    int level, levels;
    double lines[3];
} truth;

/* Others fill the L3 of cloud-vm. The first three differ in all that matters: two levels shared or
 * not, lines of 16 to 256, a block of its own. */
enum { QUICK = 3 };
static const truth truths[] = {
    {"niagara-t1", 16, 1, 2, {16, 64}},     {"finis-terrae", 128, 3, 3, {64, 128, 128}},
    {"a64fx", 256, 2, 2, {256, 256}},       {"cloud-vm", 64, 2, 2, {64, 64}},
    {"dunnington", 64, 3, 3, {64, 64, 64}}, {"harpertown", 64, 2, 2, {64, 64}},
    {"kentsfield", 64, 2, 2, {64, 64}},     {"dempsey", 64, 2, 2, {64, 64}},
    {"power9", 128, 3, 3, {128, 128, 128}}, {"hector", 64, 3, 3, {64, 64, 64}},
};

static void lines_are(const known_node *node, const truth *expected)
{
    servet_at at = {"default", 0};
    for (int level = 1; level <= expected->levels; level++) {
        servet_cache cache;
        assert_ok(servet_cache_get(node->place.profile, &at, level, &cache));
        if (!(cache.line.value == expected->lines[level - 1]))
            fail_msg("%s: lines of L%d have %g bytes, not %g", expected->model, level,
                     cache.line.value, expected->lines[level - 1]);
        assert_int_equal(cache.line.method, SERVET_METHOD_TIMED);
        assert_true(cache.line.trusted);
    }
}

TEST(blocks_and_lines_of_the_models_are_found)
{
    for (size_t i = 0; i < test_cases(QUICK, sizeof truths / sizeof *truths); i++) {
        char text[16];
        servet_coherence coherence;
        known_node node = known_node_kept(truths[i].model);
        known_node_measure(&node, srv_measure_lines, 0);
        assert_ok(servet_coherence_get(node.place.profile, NULL, &coherence));
        if (!(coherence.line.value == truths[i].block) || coherence.level != truths[i].level)
            fail_msg("%s: block %g of L%d", truths[i].model, coherence.line.value, coherence.level);
        assert_int_equal(coherence.verdict, SERVET_VERDICT_AGREES);
        snprintf(text, sizeof text, "%g", truths[i].block);
        known_node_prints(&node, 0, "coherence_line", text);
        lines_are(&node, &truths[i]);
        assert_true(node.machine->ops->elapsed(node.machine) < 20);
    }
}

/* A single core has no contention; its lines are found. */
TEST(a_single_core_has_lines_but_no_block)
{
    servet_coherence coherence;
    known_node node = known_node_kept("athlon3200");
    known_node_measure(&node, srv_measure_lines, 0);
    assert_int_equal(servet_coherence_get(node.place.profile, NULL, &coherence),
                     SERVET_EUNMEASURED);
    known_node_prints(&node, 0, "caches.1.line", "64");
}

/* Cache sharing is unknown, and so is the level whose line the block is. */
TEST(without_groups_the_level_is_unknown)
{
    known_node bare = known_node_bare("harpertown");
    servet_coherence coherence;
    known_node_measure(&bare, srv_measure_lines, 0);
    assert_ok(servet_coherence_get(bare.place.profile, NULL, &coherence));
    assert_true(coherence.line.value == 64);
    assert_int_equal(coherence.level, 0);
}

/* A doubtful latency of a hit does not tell a hit from a miss for certain. The line of the L3 is
 * then measured, because that of the L2 is no certain bound. */
TEST(a_line_is_as_sure_as_what_tells_it)
{
    servet_at at = {"default", 0};
    known_node node = known_node_kept("finis-terrae");
    assert_ok(servet_profile_distrust(node.place.profile, 0, "kinds.1.caches.2.latency_ns",
                                      "other work", NULL));
    known_node_measure(&node, srv_measure_lines, 0);
    for (int level = 1; level <= 3; level++) {
        servet_cache cache;
        assert_ok(servet_cache_get(node.place.profile, &at, level, &cache));
        assert_float_equal(cache.line.value, level == 1 ? 64 : 128, 0);
        assert_int_equal(cache.line.trusted, level != 2);
    }
}

TEST(without_time_nothing_is_measured)
{
    servet_coherence coherence;
    known_node node = known_node_kept("harpertown");
    known_node_measure(&node, srv_measure_lines, 1e-6);
    assert_int_equal(servet_coherence_get(node.place.profile, NULL, &coherence),
                     SERVET_EUNMEASURED);
    known_node_prints(&node, 0, "caches.1.line", NULL);
}
