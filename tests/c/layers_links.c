/* SPDX-License-Identifier: BSD-3-Clause */
/* Slow ways in matrices of made-up networks, and networks whose long ways are none. */
#include "test.h"

#include <stdlib.h>

#include "alloc.h"
#include "facts/layers/detect_links.h"

enum { NODES = 64, WAYS = 8 };

static double costs[NODES * NODES];
static int unit[NODES];
static servet_matrix matrix;
static srv_slow_way way[WAYS];
static int count;

/* What a message takes between two of the nodes. */
typedef double formula(int i, int j);

static uint64_t random_state;

/* 1 +- about 5 %. */
static double noise(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        random_state = random_state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(random_state >> 11) * 0x1p-53;
    }
    return 1 + 0.05 * sum;
}

/* Units are runs of `size` nodes; 1: the nodes. */
static void search(int nodes, formula *of, int size)
{
    matrix = (servet_matrix){(size_t)nodes, costs, SERVET_UNIT_SECOND};
    random_state = 1;
    for (int i = 0; i < nodes; i++) {
        unit[i] = i / size;
        for (int j = 0; j < nodes; j++)
            costs[i * nodes + j] = i == j ? 0 : noise() * of(i < j ? i : j, i < j ? j : i);
    }
    int units = (nodes + size - 1) / size;
    assert_int_equal(srv_find_slow_ways(&matrix, unit, units, way, WAYS, &count, NULL), SERVET_OK);
}

/* --- slow ones -------------------------------------------------------------------------------- */

static double star_with_a_bad_way(int i, int j)
{
    return i == 2 && j == 5 ? 25e-6 : 10e-6;
}

static void a_slow_pair_of_nodes_is_found(void **state)
{
    (void)state;
    for (int nodes = 6; nodes <= 32; nodes++) {
        search(nodes, star_with_a_bad_way, 1);
        assert_int_equal(count, 1);
        assert_true(way[0].from == 2 && way[0].to == 5);
        assert_true(way[0].pair[0] + way[0].pair[1] == 7);
        assert_true(way[0].factor > 1.8 && way[0].factor < 2.8);
        assert_true(way[0].like[0] != 2 || way[0].like[1] != 5);
    }
}

/* Leaf switches of four nodes. */
static double leaves(int i, int j)
{
    return i / 4 == j / 4 ? 5e-6 : 10e-6;
}

static double leaves_with_a_bad_cable(int i, int j)
{
    return (i / 4 == 1 && j / 4 == 3 ? 2 : 1) * leaves(i, j);
}

static void a_slow_cable_between_two_switches_is_found(void **state)
{
    (void)state;
    search(20, leaves_with_a_bad_cable, 4);
    assert_int_equal(count, 1);
    assert_true(way[0].from == 1 && way[0].to == 3);
    assert_true(way[0].pair[0] / 4 + way[0].pair[1] / 4 == 4);
    assert_float_equal(way[0].factor, 2, 0.2);
}

static double leaves_with_a_bad_uplink(int i, int j)
{
    bool slow = i / 4 != j / 4 && (i / 4 == 2 || j / 4 == 2);
    return (slow ? 3 : 1) * leaves(i, j);
}

/* Also of three switches; of two it is not known which one has it. */
static void a_slow_uplink_of_a_switch_is_found(void **state)
{
    (void)state;
    for (int nodes = 12; nodes <= 32; nodes += 4) {
        search(nodes, leaves_with_a_bad_uplink, 4);
        assert_int_equal(count, 1);
        assert_true(way[0].from == 2 && way[0].to == -1);
        assert_float_equal(way[0].factor, 3, 0.3);
        assert_true(way[0].like[0] / 4 != 2 && way[0].like[1] / 4 != 2);
    }
    search(8, leaves_with_a_bad_uplink, 4);
    assert_int_equal(count, 0);
}

/* --- long ones -------------------------------------------------------------------------------- */

/* Leaf switches of which the job has many nodes and few. */
static double unlike_leaves(int i, int j)
{
    bool own = (i < 11) == (j < 11) && (i < 14) == (j < 14);
    return own ? 4e-6 : 12e-6;
}

static int apart(int a, int b, int extent)
{
    int way_round = abs(a - b);
    return way_round < extent - way_round ? way_round : extent - way_round;
}

/* A hop takes as long as half of all else. */
static double torus(int i, int j)
{
    return 2e-6 + 1e-6 * (apart(i % 4, j % 4, 4) + apart(i / 4 % 4, j / 4 % 4, 4));
}

static double ring(int i, int j)
{
    return 1e-6 + 1e-6 * apart(i, j, 32);
}

/* Groups of eight nodes, two a router; one router has the way to a group. */
static double dragonfly(int i, int j)
{
    int a = i / 2, b = j / 2, own = a / 4, other = b / 4;
    if (own == other)
        return 2e-6 + 1.5e-6 * (a != b);
    int leave = own * 4 + (other - (other > own)) % 4,
        enter = other * 4 + (own - (own > other)) % 4;
    return 2e-6 + 1.5e-6 * (1 + (a != leave) + (b != enter));
}

static double flat(int i, int j)
{
    (void)i;
    (void)j;
    return 10e-6;
}

static void long_ways_are_not_slow(void **state)
{
    (void)state;
    static const struct {
        formula *of;
        int size; /* of a unit */
    } networks[] = {{unlike_leaves, 1}, {torus, 1}, {torus, 4}, {ring, 1},   {dragonfly, 1},
                    {dragonfly, 8},     {flat, 1},  {flat, 4},  {leaves, 1}, {leaves, 4}};
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++)
        for (int nodes = 1; nodes <= 32; nodes++) {
            search(nodes, networks[k].of, networks[k].size);
            if (count > 0)
                fail_msg("%d nodes of network %zu: %d-%d", nodes, k, way[0].from, way[0].to);
        }
}

static int search_again(void *context)
{
    (void)context;
    return srv_find_slow_ways(&matrix, unit, 5, way, WAYS, &count, NULL);
}

static void lack_of_memory_is_told(void **state)
{
    (void)state;
    search(20, leaves_with_a_bad_cable, 4);
    assert_true(alloc_fail_everywhere(search_again, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_pair_of_nodes_is_found),
        cmocka_unit_test(a_slow_cable_between_two_switches_is_found),
        cmocka_unit_test(a_slow_uplink_of_a_switch_is_found),
        cmocka_unit_test(long_ways_are_not_slow),
        cmocka_unit_test(lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
