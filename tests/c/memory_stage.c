/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of shipped models, as their tables say: worked out by hand from core_bytes_per_second,
 * domains and remote. */
#include "facts/stages.h"
#include "test.h"

#include <unistd.h>

#include "core/ranges.h"
#include "folder.h"
#include "known_node.h"
#include "sim/model.h"

static const double GB = 1e9;

/* Least overhead first. */
typedef struct truth {
    const char *model;
    double single; /* GB/s */
    int saturation, levels;
    double bandwidth[2];
    int level_saturation[2];
    const char *groups[2];
} truth;

/* The machines behind the first seventeen are large. */
enum { QUICK = 17 };
static const truth truths[] = {
    /* One chipset: 3 GB/s for two are 1.5 each, 60 %; two saturate it. */
    {"dunnington", 2.5, 2, 1, {1.5}, {2}, {"0-23"}},
    /* Two cells of 3.3 GB/s (two cores get 1650, and two saturate), two buses of 1.98 in each (990;
       one core alone gets more than that). */
    {"finis-terrae", 2.2, 4, 2, {1.65, 0.99}, {2, 1}, {"0-7\n8-15", "0-3\n4-7\n8-11\n12-15"}},
    /* No core slows another one down. 4 controllers have 17 GB/s each: 17 cores get 65 GB/s of 68.
     */
    {"hector", 4, 17, 0, {0}, {0}, {NULL}},
    /* 5.6 GB/s of a chipset serve two cores of 2.46: three saturate. */
    {"harpertown", 2.46, 3, 0, {0}, {0}, {NULL}},
    {"kentsfield", 4.8, 2, 1, {2.7}, {2}, {"0-3"}},
    {"dempsey", 3, 2, 1, {2.1}, {2}, {"0-1"}},
    /* Four threads of a core. 20 GB/s are more than 8 cores of 0.7 can take. */
    {"niagara-t1", 0.7, 8, 1, {0.35}, {1}, {"0-3\n4-7\n8-11\n12-15\n16-19\n20-23\n24-27\n28-31"}},
    {"cloud-vm", 11, 3, 1, {5.5}, {1}, {"0-1\n2-3\n4-5\n6-7"}},
    /* 35 GB/s a core, 75 for all: threads of the eight large cores. */
    {"hybrid-desktop", 35, 3, 1, {17.5}, {1}, {"0-1\n2-3\n4-5\n6-7\n8-9\n10-11\n12-13\n14-15"}},
    /* 260 / 18 = 14.4; 95 % of it are 13.7 cores. */
    {"graviton3", 18, 14, 0, {0}, {0}, {NULL}},
    /* 4 * 210 / 35 = 24 cores; 95 % of it are 22.8. */
    {"a64fx", 35, 23, 0, {0}, {0}, {NULL}},
    /* 300 / 12 = 25; 23.75. */
    {"fat-tree-4096", 12, 24, 0, {0}, {0}, {NULL}},
    /* Links of 50 GB/s to complexes of 8 cores with two threads: two of 28 get 25. 360 for all. */
    {"zen4-server", 28, 13, 2, {25, 14}, {2, 1}, {NULL, NULL}},
    /* Threads; two sockets of 130 GB/s serve 14.4 cores of 18. */
    {"power9", 18, 14, 1, {9}, {1}, {NULL}},
    /* Four controllers of 15.6 GB/s serve 3.9 cores of 4 each: 15 get 58.8 of 62.4, 94 %. No two
       cores slow each other down, but three of a cluster do, at 10 GB/s. */
    {"sg2042", 4, 16, 0, {0}, {0}, {NULL}},
    /* Controllers of 23 GB/s for four cores of 13.9 each: two cores saturate one. */
    {"nehalem-2s", 13.9, 4, 1, {11.5}, {2}, {"0,2,4,6\n1,3,5,7"}},
    /* 95 % of 4 * 81 GB/s are 38.5 cores of 8; of 175, 10.4 of 16; of 410, 10.8 of 36. */
    {"knl-snc4", 8, 39, 0, {0}, {0}, {NULL}},
    {"altra-q80", 16, 11, 0, {0}, {0}, {NULL}},
    {"grace", 36, 11, 0, {0}, {0}, {NULL}},
    /* Two cores get 42 GB/s of a complex of eight; 95 % of 160 are 6.3 cores of 24. */
    {"milan-x", 24, 7, 1, {21}, {2}, {"0-7\n8-15\n16-23\n24-31\n32-39\n40-47\n48-55\n56-63"}},
};

static void is_near(const char *model, const char *what, double value, double expected)
{
    double tolerance = model[0] == 'c' ? 0.02 : 1e-9; /* the cloud is noisy */
    if (!(fabs(value / expected - 1) <= tolerance))
        fail_msg("%s: %s is %g, not %g", model, what, value, expected);
}

static void levels_are(const known_node *node, const truth *expected)
{
    int count;
    assert_ok(servet_memory_level_count(node->place.profile, NULL, &count));
    if (count != expected->levels)
        fail_msg("%s: %d levels, not %d", expected->model, count, expected->levels);
    for (int i = 0; i < count; i++) {
        servet_memory_level level;
        char key[64];
        assert_ok(servet_memory_level_get(node->place.profile, NULL, i + 1, &level));
        is_near(expected->model, "a level", level.bandwidth.value, expected->bandwidth[i] * GB);
        assert_int_equal(level.saturation, expected->level_saturation[i]);
        assert_true(level.bandwidth.trusted);
        snprintf(key, sizeof key, "memory.levels.%d.groups", i + 1);
        if (expected->groups[i])
            known_node_prints(node, 0, key, expected->groups[i]);
    }
}

static known_node memory_of(const char *model)
{
    known_node node = known_node_bare(model);
    known_node_measure(&node, srv_measure_memory, 0);
    return node;
}

TEST(memory_of_the_models_is_found)
{
    const size_t count = sizeof truths / sizeof *truths;
    for (size_t i = 0; i < test_cases(QUICK, count); i++) {
        servet_value single;
        int saturation;
        known_node node = memory_of(truths[i].model);
        levels_are(&node, &truths[i]);
        assert_ok(servet_memory_single(node.place.profile, NULL, &single));
        is_near(truths[i].model, "one core", single.value, truths[i].single * GB);
        assert_ok(servet_memory_saturation(node.place.profile, NULL, &saturation));
        if (saturation != truths[i].saturation)
            fail_msg("%s: %d cores saturate, not %d", truths[i].model, saturation,
                     truths[i].saturation);
        assert_true(node.machine->ops->elapsed(node.machine) < 150); /* 192 PUs at most */
    }
}

/* Memory of a model of which the first domain carries `share` times as much. */
static known_node noisy_memory_of(const char *name, double share, double jitter)
{
    srv_model *model;
    assert_ok(srv_model_read(&model, name, NULL));
    model->domain[0].bytes_per_second *= share;
    model->noise.jitter = jitter;
    known_node node = known_node_of_model(model);
    known_node_measure(&node, srv_measure_memory, 0);
    return node;
}

/* Is true if the levels of four cores are trusted whose bus serves two of them with `share` of the
 * bandwidth that each gets alone: 5.4 GB/s are 0.5625 of two times 4.8. */
static bool are_levels_trusted(double share, double jitter)
{
    static const char *const keys[] = {"memory.levels.count", "memory.levels.1.groups",
                                       "memory.levels.1.bandwidth"};
    servet_trust trust[3];
    known_node node = noisy_memory_of("kentsfield", share / 0.5625, jitter);
    known_node_prints(&node, 0, "memory.levels.count", "1");
    for (int i = 0; i < 3; i++)
        assert_ok(servet_profile_trust(node.place.profile, NULL, keys[i], &trust[i], NULL));
    assert_int_equal(trust[0].trusted, trust[1].trusted);
    assert_int_equal(trust[0].trusted, trust[2].trusted);
    return trust[0].trusted;
}

/* 93 % would be no contention. */
TEST(contention_that_noise_may_feign_is_not_trusted)
{
    assert_true(are_levels_trusted(0.92, 0));
    assert_false(are_levels_trusted(0.92, 0.05));
    assert_true(are_levels_trusted(0.8, 0.05));
}

/* A single core is not probed for contention or saturation. */
TEST(a_single_core_has_only_its_own_bandwidth)
{
    servet_value single;
    known_node node = memory_of("athlon3200");
    assert_ok(servet_memory_single(node.place.profile, NULL, &single));
    is_near("athlon3200", "one core", single.value, 3.2 * GB);
    known_node_prints(&node, 0, "memory.levels.count", NULL);
    known_node_prints(&node, 0, "memory.saturation", NULL);
}

/* The number of the core's group in a level; fails where it is in none. */
static const char *group_of(const known_node *node, int level, int core)
{
    const char *cores;
    for (int i = 0; servet_memory_group(node->place.profile, NULL, level, i, &cores) == SERVET_OK;
         i++)
        if (srv_ranges_contain(cores, core))
            return cores;
    fail_msg("core %d is in no group of level %d", core, level);
    return NULL;
}

/* Eight cores n and their second threads n + 96 share a link; both threads a core. */
TEST(complexes_and_threads_of_zen_are_found)
{
    known_node node = memory_of("zen4-server");
    for (int core = 0; core < 96; core++) {
        char complex[32], threads[16];
        int first = core / 8 * 8;
        snprintf(complex, sizeof complex, "%d-%d,%d-%d", first, first + 7, first + 96, first + 103);
        snprintf(threads, sizeof threads, "%d,%d", core, core + 96);
        assert_string_equal(group_of(&node, 1, core), complex);
        assert_string_equal(group_of(&node, 2, core), threads);
    }
}

/* Makes a file of the model; `path` ends in XXXXXX.json, and is its name then. */
static void write_model(char *path, const char *model)
{
    int file = mkstemps(path, 5);
    assert_true(file >= 0);
    assert_int_equal(write(file, model, strlen(model)), strlen(model));
    assert_int_equal(close(file), 0);
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

static void remote_is(const known_node *node, int from, int to, double bandwidth, double ns)
{
    servet_value rate, latency;
    assert_ok(servet_numa_bandwidth(node->place.profile, NULL, from, to, &rate));
    assert_ok(servet_numa_latency(node->place.profile, NULL, from, to, &latency));
    assert_float_equal(rate.value / GB, bandwidth, 1e-6);
    /* Translation comes on top; caches that replace at random keep a little. */
    double found = 1e9 * latency.value;
    if (!(found > 0.95 * ns && found < 1.15 * ns))
        fail_msg("%d to %d: %g ns, not %g", from, to, found, ns);
}

/* Two dies in each of two packages. */
TEST(nodes_of_hector_are_found)
{
    servet_numa numa;
    int count;
    known_node node = memory_of("hector");
    assert_ok(servet_numa_count(node.place.profile, NULL, &count));
    assert_int_equal(count, 4);
    assert_ok(servet_numa_get(node.place.profile, NULL, 2, &numa));
    assert_string_equal(numa.cores, "16-23");
    for (int from = 0; from < 4; from++)
        for (int to = 0; to < 4; to++)
            remote_is(&node, from, to,
                      from == to           ? 4
                      : from / 2 == to / 2 ? 3.2
                                           : 2.4,
                      from == to           ? 95
                      : from / 2 == to / 2 ? 135
                                           : 190);
}

/* Base pages need walks, which are no latency of memory: where the curves have told the two apart,
 * nodes are read as their curves are. */
TEST(translation_is_no_latency_of_a_node)
{
    const double expected[] = {95, 135, 190}; /* of the die, the package, the other package */
    servet_value latency;
    known_node node = known_node_kept("hector");
    node.options.pages = SERVET_PAGES_BASE;
    known_node_measure(&node, srv_measure_memory, 0);
    for (int to = 0; to < 3; to++) {
        assert_ok(servet_numa_latency(node.place.profile, NULL, 0, to, &latency));
        assert_float_equal(1e9 * latency.value, expected[to], 0.04 * expected[to]);
    }
}

TEST(cells_of_finis_terrae_are_found)
{
    known_node node = memory_of("finis-terrae");
    remote_is(&node, 0, 0, 2.2, 200);
    remote_is(&node, 0, 1, 1.7, 300);
    remote_is(&node, 1, 0, 1.7, 300);
    remote_is(&node, 1, 1, 2.2, 200);
}

/* Another thread of each core is busy for a third of the time, in bursts of 5 ms, and loads
 * take 1.4 times as long: a sample that is as short may tell of nothing else. */
static const char busy_nodes[] =
    "{\"model\": 1, \"cores\": 2, \"clock_ghz\": 3, \"packages\": 2, \"numa_nodes\": 2,\n"
    " \"caches\": [{\"level\": 1, \"bytes\": \"32K\", \"ways\": 8, \"latency_cycles\": 4}],\n"
    " \"memory\": {\"bytes\": \"32G\", \"latency_ns\": 80, \"core_bytes_per_second\": 20e9,\n"
    "   \"domains\": [{\"shared_by\": 1, \"bytes_per_second\": 28e9}],\n"
    "   \"remote\": [{\"within\": 2, \"latency_ns\": 120, \"core_bytes_per_second\": 15e9}]},\n"
    " \"noise\": {\"sibling\": {\"busy\": 0.33, \"burst_ms\": 5}}}\n";

TEST(latencies_of_nodes_hold_beside_bursts)
{
    char path[TEST_PATH_MAX];
    test_path(path, "servet-test-XXXXXX.json");
    servet_value latency;
    write_model(path, busy_nodes);
    known_node node = known_node_kept(path);
    for (size_t again = 0; again < test_cases(3, 6); again++) { /* beside other bursts */
        known_node_measure(&node, srv_measure_memory, 0);
        for (int i = 0; i < 4; i++) {
            assert_ok(servet_numa_latency(node.place.profile, NULL, i / 2, i % 2, &latency));
            double ns = i / 2 == i % 2 ? 80 : 120;
            assert_float_equal(1e9 * latency.value, ns, 0.15 * ns);
        }
    }
    unlink(path);
}

/* --- curves ----------------------------------------------------------------------------------- */

static void scaling_is(const known_node *node, int level, int cores, double each)
{
    servet_value value;
    int code = servet_memory_scaling(node->place.profile, NULL, level, cores, &value);
    if (each == 0) {
        assert_int_equal(code, SERVET_EUNMEASURED);
        return;
    }
    assert_ok(code);
    assert_float_equal(value.value / GB, each, 1e-6);
}

/* One core of each cell, then of each bus: cells give 3.3 GB/s, buses 1.98. */
TEST(scaling_of_finis_terrae_is_found)
{
    known_node node = memory_of("finis-terrae");
    scaling_is(&node, 0, 1, 2.2);
    scaling_is(&node, 0, 2, 2.2);
    scaling_is(&node, 0, 4, 1.65);
    scaling_is(&node, 0, 16, 6.6 / 16);
    scaling_is(&node, 0, 5, 0);
    scaling_is(&node, 1, 1, 2.2);
    scaling_is(&node, 1, 2, 1.65);
    scaling_is(&node, 1, 8, 3.3 / 8);
    scaling_is(&node, 2, 2, 0.99);
    scaling_is(&node, 2, 4, 1.98 / 4);
}

/* Two NUMA nodes of two pairs each: pairs get 28 GB/s, nodes 48. Three cores of each node fill it,
 * four of one and two of the other do not. */
static const char pairs_of_two_nodes[] =
    "{\"model\": 1, \"cores\": 8, \"clock_ghz\": 3, \"packages\": 2, \"numa_nodes\": 2,\n"
    " \"caches\": [{\"level\": 1, \"bytes\": \"32K\", \"ways\": 8, \"latency_cycles\": 4}],\n"
    " \"memory\": {\"bytes\": \"32G\", \"latency_ns\": 80, \"core_bytes_per_second\": 20e9,\n"
    "   \"domains\": [{\"shared_by\": 2, \"bytes_per_second\": 28e9},\n"
    "     {\"shared_by\": 4, \"bytes_per_second\": 48e9}]}}\n";

TEST(chance_in_pairs_fills_no_node_before_the_other)
{
    char path[TEST_PATH_MAX];
    test_path(path, "servet-test-XXXXXX.json");
    servet_value six;
    write_model(path, pairs_of_two_nodes);
    known_node node = noisy_memory_of(path, 1, 0.05);
    for (int again = 0; again < 6; again++) { /* with other noise */
        known_node_measure(&node, srv_measure_memory, 0);
        assert_ok(servet_memory_scaling(node.place.profile, NULL, 0, 6, &six));
        assert_float_equal(six.value / GB, 16, 0.5);
    }
    unlink(path);
}

/* --- ends ------------------------------------------------------------------------------------- */

TEST(without_time_facts_stay_unmeasured)
{
    servet_value value;
    int count;
    known_node node = known_node_bare("dunnington");
    known_node_measure(&node, srv_measure_memory, 4);
    assert_ok(servet_memory_single(node.place.profile, NULL, &value));
    assert_int_equal(servet_memory_level_count(node.place.profile, NULL, &count),
                     SERVET_EUNMEASURED);
    assert_true(node.machine->ops->elapsed(node.machine) < 4.4);
}

/* --- short memory ----------------------------------------------------------------------------- */

static double memory_left;

static int little_memory(srv_machine *machine, double *bytes, servet_error *error)
{
    (void)machine, (void)error;
    *bytes = memory_left;
    return SERVET_OK;
}

static known_node kentsfield_with(double bytes)
{
    static srv_machine_ops ops;
    known_node node = known_node_kept("kentsfield");
    ops = *node.machine->ops;
    ops.memory = little_memory;
    node.machine->ops = &ops;
    memory_left = bytes;
    known_node_measure(&node, srv_measure_memory, 0);
    return node;
}

static bool trusts_scaling(const known_node *node, int cores)
{
    servet_value value;
    assert_ok(servet_memory_scaling(node->place.profile, NULL, 0, cores, &value));
    return value.trusted;
}

/* Half of it may be used, and 64 MiB are eight times each of the two L2 of 4 MiB and more: four
 * cores at once need 32 MiB each, two of them 64 MiB, wherever they are. */
TEST(arrays_that_fit_in_a_cache_are_not_trusted)
{
    static const struct {
        double mib;
        bool one, two, four;
    } cases[] = {{100, false, false, false}, {200, true, false, false}, {300, true, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        servet_value single;
        servet_memory_level level;
        int saturation;
        known_node node = kentsfield_with(cases[i].mib * (1 << 20));
        assert_ok(servet_memory_single(node.place.profile, NULL, &single));
        assert_int_equal(single.trusted, cases[i].one);
        assert_ok(servet_memory_level_get(node.place.profile, NULL, 1, &level));
        assert_int_equal(level.bandwidth.trusted, cases[i].two);
        assert_int_equal(level.saturation > 0, cases[i].four);
        assert_int_equal(trusts_scaling(&node, 1), cases[i].one);
        assert_int_equal(trusts_scaling(&node, 2), cases[i].two);
        assert_int_equal(trusts_scaling(&node, 4), cases[i].four);
        assert_int_equal(servet_memory_saturation(node.place.profile, NULL, &saturation),
                         cases[i].four ? SERVET_OK : SERVET_EUNMEASURED);
    }
}
