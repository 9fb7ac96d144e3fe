/* SPDX-License-Identifier: BSD-3-Clause */
/* Slow ways in matrices of made-up networks, and networks whose long ways are none. */
#include "test.h"

#include "alloc.h"
#include "facts/layers/detect_links.h"
#include "servet/network.h"

enum { NODES = 64, WAYS = 8 };

static double costs[NODES * NODES];
static int unit[NODES];
static servet_matrix matrix;
static srv_slow_way way[WAYS];
static int count;

/* The time of a message between two of the nodes. */
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
    assert_ok(srv_find_slow_ways(&matrix, unit, units, way, WAYS, &count, NULL));
}

/* --- slow ones -------------------------------------------------------------------------------- */

static double star_with_a_bad_way(int i, int j)
{
    return i == 2 && j == 5 ? 25e-6 : 10e-6;
}

TEST(a_slow_pair_of_nodes_is_found)
{
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

TEST(a_slow_cable_between_two_switches_is_found)
{
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
TEST(a_slow_uplink_of_a_switch_is_found)
{
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

/* --- exact costs ------------------------------------------------------------------------------ */

/* All messages take 10, but those of a pair of nodes. */
static void set_exact(int nodes, int a, int b, double slow)
{
    matrix = (servet_matrix){(size_t)nodes, costs, SERVET_UNIT_SECOND};
    for (int i = 0; i < nodes; i++)
        for (int j = 0; j < nodes; j++)
            costs[i * nodes + j] = (i == a && j == b) || (i == b && j == a) ? slow : 10;
}

static void find_exact(int units, int most)
{
    assert_ok(srv_find_slow_ways(&matrix, unit, units, way, most, &count, NULL));
}

static double cost_of(const int things[2])
{
    assert_true(things[0] != things[1]);
    return costs[things[0] * (int)matrix.n + things[1]];
}

TEST(the_factor_is_that_of_the_costs)
{
    for (int nodes = SRV_LINKS_NODES_LEAST; nodes <= 12; nodes++)
        for (int a = 0; a < nodes; a++)
            for (int b = a + 1; b < nodes; b++) {
                for (int i = 0; i < nodes; i++)
                    unit[i] = i;
                set_exact(nodes, a, b, 37);
                find_exact(nodes, WAYS);
                assert_int_equal(count, 1);
                assert_int_equal(way[0].from, a);
                assert_int_equal(way[0].to, b);
                assert_float_equal(way[0].factor, 3.7, 1e-12);
                assert_float_equal(cost_of(way[0].pair), 37, 0);
                assert_float_equal(cost_of(way[0].like), 10, 0);
                assert_true(way[0].like[0] == a || way[0].like[0] == b || way[0].like[1] == a ||
                            way[0].like[1] == b);
                set_exact(nodes, a, b, 9.9 * SERVET_SLOW_NODE);
                find_exact(nodes, WAYS);
                assert_int_equal(count, 0);
            }
}

/* Each end needs two sound ways beside the slow one. */
TEST(three_nodes_show_nothing)
{
    for (int i = 0; i < 3; i++)
        unit[i] = i;
    set_exact(3, 0, 1, 100);
    find_exact(3, WAYS);
    assert_int_equal(count, 0);
    set_exact(2, 0, 1, 100);
    find_exact(2, WAYS);
    assert_int_equal(count, 0);
}

TEST(no_more_than_there_is_room_for_are_listed)
{
    for (int i = 0; i < 12; i++)
        unit[i] = i;
    set_exact(12, 2, 5, 40);
    costs[7 * 12 + 9] = costs[9 * 12 + 7] = 30;
    find_exact(12, WAYS);
    assert_int_equal(count, 2);
    assert_true(way[0].from == 2 && way[0].to == 5 && way[1].from == 7 && way[1].to == 9);
    assert_float_equal(way[1].factor, 3, 1e-12);
    find_exact(12, 1);
    assert_int_equal(count, 1);
    assert_int_equal(way[0].from, 2);
}

/* Nodes of a unit need not be neighbours; a single pair of nodes that is disturbed is not usual of
 * its units. */
TEST(units_are_compared_by_their_usual_pairs)
{
    enum { NODES_OF = 15, UNITS = 5 };
    for (int i = 0; i < NODES_OF; i++)
        unit[i] = (i * 2) % UNITS;
    set_exact(NODES_OF, -1, -1, 0);
    for (int i = 0; i < NODES_OF; i++)
        for (int j = 0; j < NODES_OF; j++)
            if ((unit[i] == 1 && unit[j] == 4) || (unit[i] == 4 && unit[j] == 1))
                costs[i * NODES_OF + j] = 30;
    costs[3 * NODES_OF + 7] = costs[7 * NODES_OF + 3] = 90; /* of units 1 and 4 */
    costs[0 * NODES_OF + 1] = costs[1 * NODES_OF + 0] = 90;
    find_exact(UNITS, WAYS);
    assert_int_equal(count, 1);
    assert_true(way[0].from == 1 && way[0].to == 4);
    assert_float_equal(way[0].factor, 3, 1e-12);
    assert_int_equal(unit[way[0].pair[0]], 1);
    assert_int_equal(unit[way[0].pair[1]], 4);
    assert_float_equal(cost_of(way[0].pair), 30, 0);
    assert_true(unit[way[0].like[0]] == 1 || unit[way[0].like[0]] == 4);
    assert_float_equal(cost_of(way[0].like), 10, 0);
    for (int i = 0; i < NODES_OF; i++) /* a unit that is slow with all others */
        for (int j = 0; j < NODES_OF; j++)
            costs[i * NODES_OF + j] = (unit[i] == 3) != (unit[j] == 3) ? 40 : 10;
    find_exact(UNITS, WAYS);
    assert_int_equal(count, 1);
    assert_true(way[0].from == 3 && way[0].to == -1);
    assert_float_equal(way[0].factor, 4, 1e-12);
    assert_int_equal(unit[way[0].pair[0]], 3);
    assert_float_equal(cost_of(way[0].pair), 40, 0);
    assert_float_equal(cost_of(way[0].like), 10, 0);
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

TEST(long_ways_are_not_slow)
{
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

TEST(lack_of_memory_is_reported)
{
    search(20, leaves_with_a_bad_cable, 4);
    assert_true(alloc_fail_everywhere(search_again, NULL) > 5);
}
