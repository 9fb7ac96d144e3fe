/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes that measure alike, one of other hardware, and a faulty one. */
#include "test.h"

#include "core/units.h"
#include "run/classes.h"
#include "../record.h"

static servet_value value_of(double value, servet_unit unit, servet_method method, bool trusted)
{
    return (servet_value){value, value, value, 9, unit, method, trusted};
}

/* A level of a cache; no bytes: there is none. */
typedef struct level {
    double bytes, nanoseconds;
    servet_method method;
    bool trusted;
} level;

static void set_caches(servet_profile *profile, const level levels[2])
{
    const servet_value unknown = servet_value_unknown(SERVET_UNIT_SECOND);
    servet_cache caches[2];
    for (int i = 0; i < 2; i++) {
        servet_value bytes =
            value_of(levels[i].bytes, SERVET_UNIT_BYTE, levels[i].method, levels[i].trusted);
        bool has_turnover = levels[i].method == SERVET_METHOD_TURNOVER;
        caches[i] =
            (servet_cache){.level = i + 1,
                           .confidence = 1,
                           .reachable_bytes = bytes,
                           .bytes = has_turnover ? servet_value_unknown(SERVET_UNIT_BYTE) : bytes,
                           .latency = value_of(srv_seconds(levels[i].nanoseconds),
                                               SERVET_UNIT_SECOND, SERVET_METHOD_TIMED, true),
                           .reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE),
                           .line = servet_value_unknown(SERVET_UNIT_BYTE),
                           .latency_cycles = servet_value_unknown(SERVET_UNIT_CYCLE)};
    }
    assert_ok(record_caches(profile, 0, 0, caches, levels[1].bytes > 0 ? 2 : 1, &unknown, NULL));
}

/* A node called `host` with one cache and one bandwidth. */
static servet_profile *node(const char *host, int cores, double cache_bytes, double bandwidth)
{
    const level levels[2] = {{cache_bytes, 1, SERVET_METHOD_CURVE_FIT, true}};
    servet_profile *profile;
    servet_machine machine = {.cpu = "P", .pu_count = cores, .core_count = cores};
    servet_value rates[SERVET_KERNEL_COUNT];
    int class, kind;
    snprintf(machine.hostname, sizeof machine.hostname, "%s", host);
    snprintf(machine.cores, sizeof machine.cores, "0-%d", cores - 1);
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_add_class(profile, "default", &machine, &class, NULL));
    assert_ok(servet_profile_add_kind(profile, class, "all", machine.cores, &kind, NULL));
    set_caches(profile, levels);
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        rates[i] = value_of(bandwidth, SERVET_UNIT_BYTE_PER_SECOND, SERVET_METHOD_TIMED, true);
    assert_ok(record_memory(profile, class, rates, SERVET_KERNEL_COUNT, NULL));
    return profile;
}

static servet_profile *node_with(const char *host, level last)
{
    const level levels[2] = {{32768, 1, SERVET_METHOD_CURVE_FIT, true}, last};
    servet_profile *profile = node(host, 4, 32768, 10e9);
    set_caches(profile, levels);
    return profile;
}

TEST(noise_makes_no_new_class)
{
    servet_profile *a = node("a", 4, 32768, 10e9), *b = node("b", 4, 32768, 9.2e9);
    assert_true(srv_compare_classes(a, 0, b, 0).alike);
    servet_profile_close(a);
    servet_profile_close(b);
}

TEST(the_differing_fact_is_reported)
{
    servet_profile *usual = node("a", 4, 32768, 10e9);
    static const struct {
        int cores;
        double cache, bandwidth;
        bool slower;
        const char *text;
    } cases[] = {
        {4, 32768, 5e9, true, "memory.single is 5000000000 instead of 10000000000"},
        {4, 32768, 20e9, false, "memory.single is 20000000000 instead of 10000000000"},
        {4, 65536, 5e9, false, "caches.1.bytes is 65536 instead of 32768"},
        {8, 32768, 10e9, false, "machine.pu_count is 8 instead of 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        servet_profile *other = node("b", cases[i].cores, cases[i].cache, cases[i].bandwidth);
        srv_difference difference = srv_compare_classes(usual, 0, other, 0);
        assert_false(difference.alike);
        assert_int_equal(difference.slower, cases[i].slower);
        assert_string_equal(difference.text, cases[i].text);
        servet_profile_close(other);
    }
    servet_profile_close(usual);
}

/* One machine, measured twice beside others that use its last cache; and two machines. */
TEST(only_trusted_levels_of_the_node_alone_divide_nodes)
{
    const servet_method FIT = SERVET_METHOD_CURVE_FIT, TURNOVER = SERVET_METHOD_TURNOVER;
    const struct {
        level a, b;
        bool alike;
    } pairs[] = {
        {{32e6, 20, FIT, true}, {8e6, 20, FIT, true}, false},
        {{32e6, 20, FIT, true}, {32e6, 40, FIT, true}, false},
        {{32e6, 20, FIT, true}, {0, 0, FIT, false}, false},
        {{32e6, 20, FIT, true}, {8e6, 40, FIT, false}, true},
        {{32e6, 20, FIT, false}, {8e6, 40, FIT, false}, true},
        {{32e6, 20, FIT, false}, {0, 0, FIT, false}, true},
        {{32e6, 20, TURNOVER, false}, {8e6, 40, TURNOVER, false}, true},
        {{32e6, 20, TURNOVER, false}, {8e6, 40, FIT, true}, true},
        {{32e6, 20, TURNOVER, false}, {0, 0, FIT, false}, true},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int turned = 0; turned < 2; turned++) {
            servet_profile *a = node_with("a", turned ? pairs[i].b : pairs[i].a);
            servet_profile *b = node_with("b", turned ? pairs[i].a : pairs[i].b);
            srv_difference difference = srv_compare_classes(a, 0, b, 0);
            if (difference.alike != pairs[i].alike)
                fail_msg("pair %zu: %s", i, difference.alike ? "alike" : difference.text);
            servet_profile_close(a);
            servet_profile_close(b);
        }
}

/* The noisy node is like both of the others, which are not alike. */
TEST(a_noisy_node_joins_no_different_nodes)
{
    enum { COUNT = 3 };
    static const struct {
        const char *host;
        level last;
    } nodes[COUNT] = {
        {"large", {32e6, 20, SERVET_METHOD_CURVE_FIT, true}},
        {"small", {8e6, 20, SERVET_METHOD_CURVE_FIT, true}},
        {"noisy", {16e6, 70, SERVET_METHOD_CURVE_FIT, false}},
    };
    for (int first = 0; first < COUNT; first++)
        for (int step = 1; step < COUNT; step++) {
            servet_profile *profiles[COUNT], *cluster;
            int large, small;
            for (int i = 0; i < COUNT; i++) {
                int n = (first + i * step) % COUNT;
                profiles[i] = node_with(nodes[n].host, nodes[n].last);
            }
            assert_ok(srv_merge_nodes(profiles, COUNT, &cluster, NULL));
            assert_int_equal(servet_profile_class_count(cluster), 2);
            assert_ok(servet_profile_class_of(cluster, "large", &large));
            assert_ok(servet_profile_class_of(cluster, "small", &small));
            assert_int_not_equal(large, small);
            servet_profile_close(cluster);
        }
}

static servet_profile *numbered(const char *order)
{
    servet_profile *profile;
    servet_machine machine = {.hostname = "a", .cores = "0-3", .pu_count = 4, .core_count = 2};
    int class;
    snprintf(machine.logical_order, sizeof machine.logical_order, "%s", order);
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_add_class(profile, "default", &machine, &class, NULL));
    return profile;
}

/* A placement is the same on all nodes of a class. */
TEST(nodes_whose_numbers_mean_other_cores_differ)
{
    servet_profile *pairs = numbered("0-3"), *apart = numbered("0,2,1,3"), *old = numbered("");
    srv_difference difference = srv_compare_classes(pairs, 0, apart, 0);
    assert_false(difference.alike);
    assert_false(difference.slower);
    assert_string_equal(difference.text, "machine.logical_order is 0,2,1,3 instead of 0-3");
    assert_true(srv_compare_classes(pairs, 0, old, 0).alike);
    assert_true(srv_compare_classes(old, 0, apart, 0).alike);
    servet_profile_close(pairs);
    servet_profile_close(apart);
    servet_profile_close(old);
}

/* The first node is the odd one: the others are the usual ones all the same. */
TEST(a_node_that_differs_gets_its_own_class)
{
    enum { COUNT = 5 };
    servet_profile *profiles[COUNT] = {node("sick", 4, 32768, 4e9), node("n1", 4, 32768, 10e9),
                                       NULL, node("n3", 4, 32768, 9.5e9),
                                       node("n4", 4, 32768, 10.5e9)};
    servet_profile *cluster;
    int class;
    assert_ok(srv_merge_nodes(profiles, COUNT, &cluster, NULL));
    assert_int_equal(servet_profile_class_count(cluster), 2);
    srv_difference difference = srv_compare_classes(cluster, 0, cluster, 1);
    assert_true(difference.slower);
    assert_string_equal(difference.text, "memory.single is 4000000000 instead of 10000000000");
    assert_true(srv_compare_classes(cluster, 1, cluster, 1).alike);
    static const struct {
        const char *host;
        int class;
    } places[] = {{"sick", 1}, {"n1", 0}, {"n3", 0}, {"n4", 0}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_ok(servet_profile_class_of(cluster, places[i].host, &class));
        assert_int_equal(class, places[i].class);
    }
    servet_value value;
    servet_at other = {servet_profile_class_name(cluster, 1), SERVET_ANY_CORE};
    assert_ok(servet_memory_single(cluster, &other, &value));
    assert_true(value.value == 4e9);
    servet_profile_close(cluster);
}

static servet_profile *noisy_node(const char *host, double bandwidth, double noise)
{
    servet_profile *profile = node(host, 4, 32768, bandwidth);
    servet_value unknown = servet_value_unknown(SERVET_UNIT_NONE);
    servet_run run = {.version = "1", .started = "2026-11-20T12:00:00Z", .clock = "tsc"};
    run.clock_overhead = run.clock_resolution = servet_value_unknown(SERVET_UNIT_SECOND);
    run.frequency = servet_value_unknown(SERVET_UNIT_HERTZ);
    run.duration = servet_value_unknown(SERVET_UNIT_SECOND);
    run.huge_pages = run.steal = run.others = run.drift = unknown;
    run.noise = (servet_value){noise, noise, noise, 1, SERVET_UNIT_NONE, SERVET_METHOD_TIMED, true};
    assert_ok(servet_profile_set_run(profile, &run, NULL));
    return profile;
}

TEST(the_least_disturbed_node_represents_its_class)
{
    servet_profile *profiles[] = {noisy_node("n1", 9e9, 0.4), noisy_node("n2", 10e9, 0.01),
                                  noisy_node("n3", 9.5e9, 0.02)};
    servet_profile *cluster;
    servet_value value;
    int class;
    assert_ok(srv_merge_nodes(profiles, 3, &cluster, NULL));
    assert_int_equal(servet_profile_class_count(cluster), 1);
    assert_ok(servet_memory_single(cluster, NULL, &value));
    assert_true(value.value == 10e9);
    for (int i = 1; i <= 3; i++) {
        char host[8];
        snprintf(host, sizeof host, "n%d", i);
        assert_ok(servet_profile_class_of(cluster, host, &class));
    }
    servet_profile_close(cluster);
}

TEST(without_measurements_there_is_no_cluster)
{
    servet_profile *profiles[2] = {NULL, NULL}, *cluster;
    assert_ok(srv_merge_nodes(profiles, 2, &cluster, NULL));
    assert_null(cluster);
}

TEST(a_class_is_copied_completely_or_not_at_all)
{
    servet_profile *a = node("a", 4, 32768, 10e9), *b = node("b", 8, 32768, 10e9);
    servet_machine machine;
    assert_code(servet_profile_adopt_class(a, b, "default", NULL), SERVET_EARGUMENT);
    assert_int_equal(servet_profile_class_count(a), 1);
    assert_int_equal(servet_profile_class_count(b), 1);
    assert_ok(servet_profile_adopt_class(a, b, "large", NULL));
    assert_int_equal(servet_profile_class_count(b), 0);
    assert_code(servet_profile_adopt_class(a, b, "again", NULL), SERVET_EARGUMENT);
    servet_profile_close(b);
    assert_ok(servet_profile_machine(a, &(servet_at){"large", SERVET_ANY_CORE}, &machine));
    assert_int_equal(machine.pu_count, 8);
    servet_profile_close(a);
}

TEST(a_node_is_listed_once)
{
    servet_profile *profile = node("a", 4, 32768, 10e9);
    assert_ok(servet_profile_add_node(profile, 0, "b", NULL));
    assert_ok(servet_profile_add_node(profile, 0, "b", NULL));
    assert_code(servet_profile_add_node(profile, 1, "c", NULL), SERVET_EARGUMENT);
    assert_string_equal(servet_profile_node(profile, NULL, 1), "b");
    assert_null(servet_profile_node(profile, NULL, 2));
    servet_profile_close(profile);
}
