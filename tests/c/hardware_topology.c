/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "core/ranges.h"
#include "machine/hardware/topology.h"

static hwloc_topology_t os_view;
static hwloc_bitmap_t original;

static int load(void **state)
{
    (void)state;
    original = hwloc_bitmap_alloc();
    return hwloc_topology_init(&os_view) || hwloc_topology_load(os_view) ||
           hwloc_get_cpubind(os_view, original, HWLOC_CPUBIND_THREAD);
}

static int unload(void **state)
{
    (void)state;
    hwloc_bitmap_free(original);
    hwloc_topology_destroy(os_view);
    return 0;
}

static void assert_bound_to(hwloc_const_bitmap_t expected)
{
    hwloc_bitmap_t now = hwloc_bitmap_alloc();
    assert_int_equal(hwloc_get_cpubind(os_view, now, HWLOC_CPUBIND_THREAD), 0);
    assert_true(hwloc_bitmap_isequal(now, expected));
    hwloc_bitmap_free(now);
}

TEST(the_binding_is_restored)
{
    srv_topology topology;
    assert_ok(srv_topology_init(&topology, NULL));
    int core = hwloc_bitmap_last(topology.usable);
    hwloc_bitmap_t one = hwloc_bitmap_alloc();
    hwloc_bitmap_only(one, (unsigned)core);
    assert_ok(srv_topology_bind(&topology, core, NULL));
    assert_bound_to(one);
    hwloc_bitmap_free(one);
    srv_topology_finish(&topology);
    assert_bound_to(original);
}

TEST(a_narrow_cpuset_is_respected)
{
    hwloc_bitmap_t one = hwloc_bitmap_alloc();
    unsigned last = (unsigned)hwloc_bitmap_last(original);
    hwloc_bitmap_only(one, last);
    assert_int_equal(hwloc_set_cpubind(os_view, one, HWLOC_CPUBIND_THREAD), 0);
    srv_topology topology;
    assert_ok(srv_topology_init(&topology, NULL));
    servet_machine machine;
    assert_ok(srv_topology_describe(&topology, &machine, NULL));
    assert_int_equal(machine.pu_count, 1);
    assert_int_equal(machine.core_count, 1);
    char expected[16];
    snprintf(expected, sizeof expected, "%u", last);
    assert_string_equal(machine.cores, expected);
    srv_core_type kinds[SRV_CORE_TYPES_MAX];
    int count;
    assert_ok(srv_topology_core_types(&topology, kinds, &count, NULL));
    assert_int_equal(count, 1);
    assert_string_equal(kinds[0].cores, expected);
    srv_sets sets;
    assert_ok(srv_topology_objects(&topology, &sets, NULL));
    assert_int_equal(sets.count, 0); /* one core shares nothing */
    srv_reported reported;
    assert_ok(srv_topology_reported(&topology, (int)last, &reported, NULL));
    for (int i = 0; i < reported.count; i++)
        assert_string_equal(reported.level[i].cores, expected);
    srv_topology_finish(&topology);
    hwloc_set_cpubind(os_view, original, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(one);
}

TEST(this_node_is_described)
{
    srv_topology topology;
    servet_machine machine;
    assert_ok(srv_topology_init(&topology, NULL));
    assert_ok(srv_topology_describe(&topology, &machine, NULL));
    assert_int_equal(machine.pu_count, hwloc_bitmap_weight(original));
    assert_int_equal(machine.pu_count, srv_ranges_count(machine.cores));
    assert_true(srv_ranges_valid(machine.cores));
    assert_true(machine.hostname[0] && machine.os[0] && machine.architecture[0]);
    assert_true(machine.page_bytes >= 4096 && machine.memory_bytes > machine.page_bytes);
    srv_topology_finish(&topology);
}

TEST(a_core_that_does_not_exist_is_refused)
{
    srv_topology topology;
    srv_reported reported;
    servet_error error = SERVET_ERROR_INIT;
    assert_ok(srv_topology_init(&topology, NULL));
    assert_int_equal(srv_topology_reported(&topology, 123456, &reported, &error), SERVET_EMACHINE);
    assert_non_null(strstr(error.text, "123456"));
    assert_int_equal(srv_topology_bind(&topology, 123456, NULL), SERVET_EMACHINE);
    srv_topology_finish(&topology);
}

/* Each of its ranges within `outer`. */
static bool is_within(const char *set, const char *outer)
{
    int first, last;
    while (srv_ranges_next(&set, &first, &last))
        for (int core = first; core <= last; core++)
            if (!srv_ranges_contain(outer, core))
                return false;
    return true;
}

TEST(objects_are_sets_of_usable_cores)
{
    srv_topology topology;
    srv_sets sets;
    servet_machine machine;
    assert_ok(srv_topology_init(&topology, NULL));
    assert_ok(srv_topology_describe(&topology, &machine, NULL));
    assert_ok(srv_topology_objects(&topology, &sets, NULL));
    bool whole = machine.pu_count < 2;
    for (int i = 0; i < sets.count; i++) {
        assert_true(srv_ranges_count(sets.set[i]) > 1);
        assert_true(is_within(sets.set[i], machine.cores));
        whole = whole || strcmp(sets.set[i], machine.cores) == 0;
        for (int j = 0; j < i; j++)
            assert_string_not_equal(sets.set[i], sets.set[j]);
    }
    assert_true(whole); /* the machine itself */
    srv_sets_finish(&sets);
    srv_topology_finish(&topology);
}

TEST(a_reported_cache_names_its_cores)
{
    srv_topology topology;
    srv_reported reported;
    assert_ok(srv_topology_init(&topology, NULL));
    int core = hwloc_bitmap_last(topology.usable);
    assert_ok(srv_topology_reported(&topology, core, &reported, NULL));
    for (int i = 0; i < reported.count; i++) {
        assert_true(srv_ranges_contain(reported.level[i].cores, core));
        assert_true(i == 0 || is_within(reported.level[i - 1].cores, reported.level[i].cores));
    }
    srv_topology_finish(&topology);
}

/* Siblings are half of the numbers away, as on most machines of two packages. */
TEST(pus_are_listed_in_logical_order)
{
    static const char order[] = "0,4,1,5,2,6,3,7";
    char synthetic[64];
    srv_topology topology;
    servet_machine machine;
    snprintf(synthetic, sizeof synthetic, "pack:2 [numa] core:2 pu:2(indexes=%s)", order);
    setenv("HWLOC_SYNTHETIC", synthetic, 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    int code = srv_topology_init(&topology, NULL);
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("HWLOC_THISSYSTEM");
    assert_ok(code);
    assert_ok(srv_topology_describe(&topology, &machine, NULL));
    assert_string_equal(machine.logical_order, order);
    srv_topology_finish(&topology);
}

TEST_GROUP(load, unload)
