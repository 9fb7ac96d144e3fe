/* SPDX-License-Identifier: BSD-3-Clause */
/* The family from the probes to the profile, on models whose TLBs are known. */
#include "test.h"

#include <unistd.h>

#include "facts/stages.h"
#include "known_node.h"
#include "sim/model.h"
#include "run/measure.h"

/* An L2 of 2048 lines, half of which a prefetcher fills with the neighbours of lines that lie in a
 * page each. `tlbs` and `prefetchers` are rows of the model. */
static void write_model(char path[TEST_PATH_MAX], const char *tlbs, const char *prefetchers)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"model\": 1, \"name\": \"outgrown\", \"packages\": 1, \"cores\": 1, \"clock_ghz\": 2.5,"
        "\"caches\": ["
        "{\"level\": 1, \"bytes\": 8192, \"ways\": 4, \"latency_cycles\": 3, \"shared_by\": 1},"
        "{\"level\": 2, \"bytes\": 131072, \"ways\": 8, \"latency_cycles\": 11, \"shared_by\": 1},"
        "{\"level\": 3, \"bytes\": 4194304, \"ways\": 16, \"latency_cycles\": 50, \"shared_by\": "
        "1}],"
        "\"tlbs\": [%s], \"prefetchers\": [%s],"
        "\"memory\": {\"bytes\": 4294967296, \"latency_ns\": 95, \"core_bytes_per_second\": 9e9},"
        "\"pages\": {\"bytes\": 4096, \"huge_bytes\": 2097152}}",
        tlbs, prefetchers);
    test_temporary_file(path, ".json", text);
}

static void levels_of(const char *tlbs, const char *prefetchers, known_node *node)
{
    char path[TEST_PATH_MAX];
    write_model(path, tlbs, prefetchers);
    known_node_init(node, path);
    unlink(path);
    srv_stage stage = known_node_stage(node, 0);
    assert_ok(srv_measure_translation(&stage, &node->place, NULL));
}

static bool trusts(const known_node *node, const char *key)
{
    servet_trust trust;
    assert_ok(servet_profile_trust(node->place.profile, NULL, key, &trust, NULL));
    return trust.trusted;
}

static int tlb_count(const known_node *node)
{
    int count;
    assert_ok(servet_tlb_count(node->place.profile, NULL, SERVET_PAGES_BASE, &count));
    return count;
}

/* The one TLB is exact; what begins where the pages' lines outgrow the L2 is none. */
TEST(an_outgrown_cache_is_no_level)
{
    known_node node;
    levels_of("{\"entries\": 64, \"ways\": 8, \"penalty_cycles\": 7}",
              "{\"kind\": \"next-line\", \"level\": 2}", &node);
    known_node_prints(&node, 0, "translation.1.entries", "64");
    assert_true(trusts(&node, "translation.1.entries"));
    assert_int_equal(tlb_count(&node), 1);
    assert_true(trusts(&node, "translation.count"));
    /* 512 huge pages would not show a second level of 1024 entries. */
    assert_false(trusts(&node, "translation_huge.count"));
    /* The same cache makes 512 base pages in huge ones seem to share 64 entries. */
    assert_true(trusts(&node, "translation_huge.1.entries"));
    assert_false(trusts(&node, "translation_huge.granule_bytes"));
    assert_false(trusts(&node, "translation_huge.1.reach_bytes"));
    known_node_finish(&node);
}

/* The lines of 1024 pages fill half of the L2, and so do as many that are packed, which do not
 * miss. */
TEST(a_level_that_fills_a_cache_is_distinguished_from_it)
{
    known_node node;
    levels_of("{\"entries\": 64, \"ways\": 8, \"penalty_cycles\": 7},"
              "{\"entries\": 1024, \"ways\": 8, \"penalty_cycles\": 30}",
              "", &node);
    assert_int_equal(tlb_count(&node), 2);
    known_node_prints(&node, 0, "translation.2.entries", "1024");
    assert_true(trusts(&node, "translation.2.entries"));
    assert_true(trusts(&node, "translation.2.latency_ns"));
    known_node_finish(&node);
}

/* No distance shows the ways of a level that is fully associative. The lines of its pages fill a
 * quarter of the L2, and packed lines, which fill it alike, do not miss. */
TEST(packed_lines_distinguish_a_level_without_sets)
{
    known_node node;
    servet_tlb tlb;
    levels_of("{\"entries\": 64, \"ways\": 8, \"penalty_cycles\": 7},"
              "{\"entries\": 512, \"ways\": 512, \"penalty_cycles\": 30}",
              "", &node);
    assert_ok(servet_tlb_get(node.place.profile, NULL, SERVET_PAGES_BASE, 2, &tlb));
    assert_true(tlb.entries.low <= 512 && tlb.entries.high >= 512);
    assert_true(tlb.entries.trusted && tlb.latency.trusted && tlb.confidence > 0.8);
    known_node_finish(&node);
}

/* The lines of 256 pages fill an eighth of the L2, and twice the L1: that is a TLB. */
TEST(a_level_far_from_any_capacity_is_trusted)
{
    test_leave_to_night();
    known_node node;
    levels_of("{\"entries\": 64, \"ways\": 8, \"penalty_cycles\": 7},"
              "{\"entries\": 256, \"ways\": 4, \"penalty_cycles\": 30}",
              "{\"kind\": \"next-line\", \"level\": 2}", &node);
    known_node_prints(&node, 0, "translation.2.entries", "256");
    assert_true(trusts(&node, "translation.2.entries"));
    known_node_finish(&node);
}

/* Without time nothing is reported, rather than something wrong. */
TEST(without_time_nothing_is_measured)
{
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    servet_profile *profile = NULL;
    int count;
    options.only = 1u << SERVET_BENCHMARK_TRANSLATION;
    options.machine = "dunnington";
    options.budget_seconds = 1e-3;
    assert_ok(servet_measure(&options, &profile, NULL));
    assert_code(servet_tlb_count(profile, NULL, SERVET_PAGES_BASE, &count), SERVET_EUNMEASURED);
    servet_profile_close(profile);
}
