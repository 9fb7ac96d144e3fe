/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory-level parallelism on shipped models: ten misses at a time (servet-model(5)), a load
 * issued in each cycle. */
#include "facts/stages.h"
#include "test.h"

#include "known_node.h"
#include "servet/node.h"
#include "../record.h"

static const double LINE = 64;

/* An L1 is busy with one load for each cycle of its latency, an L2 with ten. */
typedef struct truth {
    const char *model;
    double ghz;
    int l1_cycles, l2_cycles, sharers_of_l2;
    double l1_width; /* bytes that a core loads in a cycle; that of L2 is not stated */
} truth;

static const truth truths[] = {
    {"kentsfield", 2.4, 3, 14, 2, 16},
};

static servet_concurrency found_in(const known_node *node, int level)
{
    servet_at at = {"default", 0};
    servet_concurrency found;
    assert_ok(servet_concurrency_get(node->place.profile, &at, level, &found));
    return found;
}

static void caches_are_kept_busy(const known_node *node, const truth *of)
{
    servet_concurrency first = found_in(node, 1), second = found_in(node, 2);
    double cycle_s = 1e-9 / of->ghz;
    assert_int_equal(first.requests, of->l1_cycles);
    assert_float_equal(first.best.value / (LINE / cycle_s), 1, 0.02);
    assert_int_equal(second.requests, 10);
    assert_float_equal(first.bandwidth.value / (of->l1_width / cycle_s), 1, 0.02);
    assert_true(first.bandwidth.trusted && !servet_value_known(&second.bandwidth));
    double most = 10 * LINE / (of->l2_cycles * cycle_s); /* but for translation */
    assert_true(second.best.value <= most && second.best.value > 0.8 * most);
    assert_int_equal(second.threads, of->sharers_of_l2);
    assert_int_equal(first.threads, 1);
    assert_true(second.best.trusted && second.best.unit == SERVET_UNIT_BYTE_PER_SECOND);
}

/* A bus of 4.2 GB/s for all four cores: one core's loads fill it, four get a quarter each. */
static void memory_is_shared(const known_node *node)
{
    servet_at at = {"default", 0};
    servet_value one, four;
    assert_int_equal(found_in(node, 0).threads, 4);
    assert_ok(servet_concurrency_of_threads(node->place.profile, &at, 0, 1, &one));
    assert_ok(servet_concurrency_of_threads(node->place.profile, &at, 0, 4, &four));
    assert_true(4 * four.value >= 0.95 * one.value);
    assert_true(four.value < 0.5 * one.value);
}

TEST(caches_and_memory_of_the_models_are_found)
{
    const size_t all = sizeof truths / sizeof *truths;
    for (size_t i = 0; i < test_cases(all, all); i++) {
        known_node node = known_node_kept(truths[i].model);
        known_node_measure(&node, srv_measure_concurrency, 0);
        caches_are_kept_busy(&node, &truths[i]);
        memory_is_shared(&node);
    }
}

/* Without groups, no cache is known to be shared; the whole node shares memory. */
TEST(without_groups_one_thread_is_probed)
{
    known_node known = known_node_kept("kentsfield"), bare = known_node_kept("kentsfield");
    servet_value latency = servet_value_unknown(SERVET_UNIT_SECOND);
    servet_cache caches[2];
    for (int level = 1; level <= 2; level++)
        servet_cache_get(known.place.profile, NULL, level, &caches[level - 1]);
    assert_ok(record_caches(bare.place.profile, 0, 0, caches, 2, &latency,
                            NULL)); /* forgets the groups */
    known_node_measure(&bare, srv_measure_concurrency, 0);
    assert_int_equal(found_in(&bare, 2).requests, 10);
    assert_int_equal(found_in(&bare, 2).threads, 1);
    assert_int_equal(found_in(&bare, 0).threads, 4);
}

TEST(without_time_no_fact_is_stored)
{
    servet_concurrency found;
    known_node node = known_node_kept("kentsfield");
    known_node_measure(&node, srv_measure_concurrency, 0.05);
    assert_int_equal(servet_concurrency_get(node.place.profile, NULL, 2, &found),
                     SERVET_EUNMEASURED);
    assert_true(node.machine->ops->elapsed(node.machine) < 0.1);
}

/* A thread on each of eight cores, or of Dunnington's twenty-four, within what that may cost. */
TEST(large_nodes_take_seconds)
{
    static const struct {
        const char *model;
        int cores;
    } nodes[] = {{"harpertown", 8}, {"dunnington", 24}};
    for (size_t i = 0; i < test_cases(1, sizeof nodes / sizeof *nodes); i++) {
        known_node node = known_node_kept(nodes[i].model);
        known_node_measure(&node, srv_measure_concurrency, 0);
        assert_int_equal(found_in(&node, 0).threads, nodes[i].cores);
        assert_int_equal(found_in(&node, 2).requests, 10);
        assert_true(node.machine->ops->elapsed(node.machine) < 15);
    }
}
