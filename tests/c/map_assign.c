/* SPDX-License-Identifier: BSD-3-Clause */
/* Assigns ranks by traffic: the least cut is known, and a result is never worse than the
 * scheduler's order. */
#include "test.h"
#include "map_machine.h"

#include <time.h>

#include "map/traffic/graph.h"
#include "servet/map.h"

/* Nodes of four cores without anything in common. */
static const map_machine fours = {.nodes = 16, .cores = "0-3", .inside = 1e-6, .between = 5e-6};

/* Two switches of two nodes; their link is slow. */
static const map_machine leaves = {
    .nodes = 4, .cores = "0-3", .inside = 1e-6, .close_nodes = 2, .close = 4e-6, .between = 20e-6};

/* All cores are equally far from each other. */
static const map_machine even = {.nodes = 5, .cores = "0-6", .inside = 2e-6, .between = 2e-6};

/* The same messages with renumbered ranks; `factor` has no common divisor with their
 * number. */
static servet_traffic *renamed(const servet_traffic *traffic, int factor)
{
    int n = servet_traffic_processes(traffic);
    servet_traffic *other = map_no_messages(n);
    for (size_t i = 0; i < traffic->count; i++)
        map_send(other, traffic->items[i].from * factor % n, traffic->items[i].to * factor % n,
                 traffic->items[i].bytes);
    return other;
}

static servet_map *placed(const map_machine *machine, servet_map_request request)
{
    return map_placed(machine, machine->nodes, request);
}

static servet_map_request by(const servet_traffic *traffic)
{
    return (servet_map_request){.processes = servet_traffic_processes(traffic),
                                .code = SERVET_CODE_COMMUNICATION,
                                .traffic = traffic};
}

/* Messages between groups of `nodes` nodes. */
static int cut(const servet_map *map, const servet_traffic *traffic, int nodes)
{
    int count = 0;
    for (size_t i = 0; i < traffic->count; i++)
        count += map_process(map, traffic->items[i].from).node / nodes !=
                 map_process(map, traffic->items[i].to).node / nodes;
    return count;
}

/* Each core is used once, and local numbers ascend with ranks. */
static void expect_sound(const servet_map *map, int cores)
{
    int used[256] = {0}, locals[64] = {0};
    for (int rank = 0; rank < servet_map_process_count(map); rank++) {
        servet_map_process process = map_process(map, rank);
        assert_int_equal(used[process.node * cores + process.cores[0]]++, 0);
        assert_int_equal(process.local, locals[process.node]++);
    }
}

/* --- known cuts ------------------------------------------------------------------------------- */

static void expect_cut(const map_machine *machine, const servet_traffic *traffic, int nodes,
                       int least)
{
    servet_map *map = placed(machine, by(traffic));
    expect_sound(map, 4);
    assert_int_equal(cut(map, traffic, nodes), least);
}

/* A ring crosses each border twice, both ways. */
TEST(rings_are_cut_least_between_leaves)
{
    servet_traffic *ring = map_pattern(SERVET_PATTERN_RING, 16);
    for (int factor = 1; factor < 16; factor += 2) {
        servet_traffic *same = renamed(ring, factor);
        expect_cut(&leaves, same, 2, 2 * 2);
        expect_cut(&leaves, same, 1, 4 * 2);
    }
}

/* 112 edges of 8 x 8; squares of 2 x 2 keep 4 each, and no other four cells as many. */
TEST(two_dimensional_stencils_are_cut_into_squares)
{
    servet_traffic *stencil = map_pattern(SERVET_PATTERN_STENCIL_2D, 64);
    expect_cut(&fours, stencil, 1, 2 * (112 - 16 * 4));
    for (int factor = 3; factor < 64; factor += 12) {
        servet_traffic *same = renamed(stencil, factor);
        expect_cut(&fours, same, 1, 2 * (112 - 16 * 4));
    }
}

/* Pairs that exchange blocks can all be in one node. */
TEST(transposed_pairs_share_a_node)
{
    servet_traffic *transpose = map_pattern(SERVET_PATTERN_TRANSPOSE, 16);
    expect_cut(&leaves, transpose, 1, 0);
}

/* 4 x 4 x 4 processes have 144 edges; a cube of 8 contains 12 of them. */
TEST(three_dimensional_stencils_are_cut_into_cubes)
{
    static const map_machine eights = {.nodes = 8, .cores = "0-7", .inside = 1e-6, .between = 5e-6};
    servet_traffic *stencil = map_pattern(SERVET_PATTERN_STENCIL_3D, 64);
    servet_traffic *same = renamed(stencil, 27);
    servet_map *map = placed(&eights, by(same));
    assert_int_equal(cut(map, same, 1), 2 * (144 - 8 * 12));
}

/* --- which cores ------------------------------------------------------------------------------ */

/* Nothing is gained, so all is as the scheduler has it. */
TEST(without_degradation_the_schedulers_order_is_kept)
{
    for (int which = 0; which < SERVET_PATTERN_COUNT; which++)
        for (int processes = 1; processes <= 35; processes += 2) {
            servet_traffic *traffic = map_pattern((servet_pattern)which, processes);
            servet_map *map = placed(&even, by(traffic));
            for (int rank = 0; rank < processes; rank++) {
                assert_int_equal(map_process(map, rank).node, rank / 7);
                assert_int_equal(map_process(map, rank).cores[0], rank % 7);
            }
        }
}

/* Two processes of a node use all of its network access; four would get half each. */
TEST(all_to_all_uses_two_processes_of_a_node)
{
    servet_traffic *all = map_pattern(SERVET_PATTERN_ALL_TO_ALL, 128);
    servet_map *map = placed(&map_hector, by(all));
    for (int rank = 0; rank < 128; rank++)
        assert_true(map_process(map, rank).local < 2);
}

/* Four processes of a node are too many for its network, which the rules do not know where ratNC
 * was not measured, and the other switch is far: two each on the four nodes of one switch are best.
 */
TEST(all_to_all_uses_the_nodes_of_one_switch)
{
    static const map_machine two_switches = {.nodes = 8,
                                             .cores = "0-3",
                                             .inside = 1e-6,
                                             .close_nodes = 4,
                                             .close = 4e-6,
                                             .between = 40e-6,
                                             .slowdown = {{1}, {1, 1, 4, 4}, {1, 1, 4, 4}}};
    servet_map_cost cost;
    servet_traffic *all = map_pattern(SERVET_PATTERN_ALL_TO_ALL, 8);
    servet_profile *profile = map_profile(&two_switches, 8);
    servet_map *map = placed(&two_switches, by(all));
    assert_ok(servet_map_predict(map, profile, all, &cost, NULL));
    assert_int_equal(cost.nodes, 4);
    assert_int_equal(cost.per_node, 2);
}

/* Processes that talk in fours only belong on four nodes, one four each, although there are more.
 */
TEST(groups_of_four_stay_together)
{
    servet_traffic *traffic = map_no_messages(16);
    for (int i = 0; i < 256; i++)
        if (i / 16 % 4 == i % 4)
            map_send(traffic, i / 16, i % 16, MAP_MESSAGE_BYTES);
    expect_cut(&fours, traffic, 1, 0);
}

/* Memory decides where, messages who: on Finis Terrae one process on each bus. */
TEST(memory_decides_cores_and_traffic_decides_ranks)
{
    servet_traffic *ring = map_pattern(SERVET_PATTERN_RING, 8), *same = renamed(ring, 3);
    servet_map_request request = by(same);
    request.code = SERVET_CODE_MEMORY;
    servet_map *map = placed(&map_finis_terrae, request);
    for (int rank = 0; rank < 8; rank++)
        assert_int_equal(map_process(map, rank).cores[0] % 4, 0);
    assert_int_equal(cut(map, same, 1), 4);
}

/* --- never worse ------------------------------------------------------------------------------ */

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16;
}

static servet_traffic *scattered(int processes, unsigned seed)
{
    servet_traffic *traffic = map_no_messages(processes);
    for (int i = 0; i < 3 * processes; i++) {
        int from = (int)(next_random(&seed) % (unsigned)processes);
        int to = (int)(next_random(&seed) % (unsigned)processes);
        map_send(traffic, from, to, 1 + next_random(&seed) % 100000);
    }
    return traffic;
}

static double seconds_of(const servet_profile *profile, servet_map_request request,
                         servet_order order)
{
    servet_map *map;
    servet_map_cost cost;
    request.order = order;
    assert_ok(servet_map_create(&map, profile, &request, NULL));
    assert_ok(servet_map_predict(map, profile, request.traffic, &cost, NULL));
    servet_map_destroy(map);
    return cost.seconds;
}

TEST(a_placement_is_never_worse_than_the_schedulers)
{
    const map_machine *machines[] = {&map_uplinks, &map_switches, &map_flat, &leaves, &even};
    for (int m = 0; m < 5; m++) {
        servet_profile *profile = map_profile(machines[m], machines[m]->nodes);
        for (int processes = 2; processes <= 16; processes++) {
            servet_traffic *traffic = scattered(processes, (unsigned)(m * 100 + processes));
            double own = seconds_of(profile, by(traffic), SERVET_ORDER_SERVET);
            assert_true(own <= 1.000001 * seconds_of(profile, by(traffic), SERVET_ORDER_BLOCK));
            assert_true(own <= 1.000001 * seconds_of(profile, by(traffic), SERVET_ORDER_CYCLIC));
        }
    }
}

/* A result does not depend on earlier calls. */
TEST(a_placement_is_reproducible)
{
    enum { PROCESSES = 160 };
    servet_traffic *traffic = scattered(PROCESSES, 9), *other = scattered(PROCESSES, 10);
    servet_map *first = placed(&map_hector, by(traffic));
    (void)placed(&map_hector, by(other));
    servet_map *again = placed(&map_hector, by(traffic));
    for (int rank = 0; rank < PROCESSES; rank++) {
        assert_int_equal(map_process(first, rank).node, map_process(again, rank).node);
        assert_int_equal(map_process(first, rank).cores[0], map_process(again, rank).cores[0]);
    }
}

TEST(scheduler_orders_are_kept)
{
    servet_map *block =
        placed(&map_flat, (servet_map_request){.processes = 9, .order = SERVET_ORDER_BLOCK});
    servet_map *cyclic =
        placed(&map_flat,
               (servet_map_request){.processes = 12, .threads = 2, .order = SERVET_ORDER_CYCLIC});
    for (int rank = 0; rank < 9; rank++)
        assert_int_equal(map_process(block, rank).node * 7 + map_process(block, rank).cores[0],
                         rank);
    for (int rank = 0; rank < 12; rank++) {
        assert_int_equal(map_process(cyclic, rank).node, rank % 5);
        assert_int_equal(map_process(cyclic, rank).local, rank / 5);
        assert_int_equal(map_process(cyclic, rank).cores[0], rank / 5 * 2);
        assert_int_equal(map_process(cyclic, rank).cores[1], rank / 5 * 2 + 1);
    }
    assert_string_equal(servet_order_name(SERVET_ORDER_CYCLIC), "cyclic");
}

/* --- programs that run already ---------------------------------------------------------------- */

/* A ring on two cores of each of four nodes, assigned in turn. */
TEST(running_programs_are_reordered)
{
    static const char *const hosts[] = {"n0", "n2", "n1", "n3"};
    servet_map_seat slots[8];
    int slot_of[8], used = 0, between = 0;
    servet_profile *profile = map_profile(&leaves, 4);
    servet_traffic *ring = map_pattern(SERVET_PATTERN_RING, 8);
    for (int i = 0; i < 8; i++)
        slots[i] = (servet_map_seat){hosts[i % 4], i / 4};
    assert_ok(servet_map_reorder(profile, ring, slots, slot_of, NULL));
    for (int rank = 0; rank < 8; rank++) {
        used |= 1 << slot_of[rank];
        between += strcmp(slots[slot_of[rank]].host, slots[slot_of[(rank + 1) % 8]].host) != 0;
    }
    assert_int_equal(used, 255);
    assert_int_equal(between, 4);
    for (int i = 0; i < 8; i++)
        slots[i] = (servet_map_seat){hosts[i / 2], i % 2};
    slots[3].core = 0;
    assert_code(servet_map_reorder(profile, ring, slots, slot_of, NULL), SERVET_EARGUMENT);
}

/* A good placement stays; unknown hosts are assumed to be apart. */
TEST(a_good_order_is_kept)
{
    static const char *const hosts[] = {"n0", "x", "y"};
    servet_map_seat slots[6];
    int slot_of[6];
    servet_profile *profile = map_profile(&leaves, 4);
    servet_traffic *ring = map_pattern(SERVET_PATTERN_RING, 6);
    for (int i = 0; i < 6; i++)
        slots[i] = (servet_map_seat){hosts[i / 2], i % 2};
    assert_ok(servet_map_reorder(profile, ring, slots, slot_of, NULL));
    for (int rank = 0; rank < 6; rank++)
        assert_int_equal(slot_of[rank], rank);
}

/* --- failures and time ------------------------------------------------------------------------ */

TEST(invalid_arguments_are_refused)
{
    servet_traffic *ring = map_pattern(SERVET_PATTERN_RING, 36);
    servet_map_request request = by(ring);
    map_refuses(&map_flat, 5, request, SERVET_ERANGE,
                "36 processes of 1 thread do not fit: the cores suffice for 35 on 5 nodes");
    request.processes = 35;
    map_refuses(&map_flat, 5, request, SERVET_EARGUMENT, "messages of 36 processes, not of 35");
    request.order = SERVET_ORDER_COUNT;
    map_refuses(&map_flat, 5, request, SERVET_EARGUMENT, "unknown order 3");
    ring = map_pattern(SERVET_PATTERN_RING, 4);
    map_refuses(&map_dunnington, 1, by(ring), SERVET_EUNMEASURED,
                "the profile has no message costs: run servet-mpi measure");
}

/* 4096 processes of a 3-D stencil fill HECToR's 128 nodes. */
TEST(large_stencils_are_cut_well_in_seconds)
{
    test_leave_to_plain_build();
    servet_traffic *stencil = map_pattern(SERVET_PATTERN_STENCIL_3D, 4096);
    servet_traffic *same = renamed(stencil, 1365);
    clock_t begin = clock();
    servet_map *map = placed(&map_hector, by(same));
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 10);
    int least = cut(map, same, 1);
    /* 4 x 4 x 2 cells have 64 faces outside, but for those at the edge of all. */
    assert_true(least <= 1.05 * 2 * (3 * 15 * 256 - 128 * (3 * 4 * 2 + 4 * 3 * 2 + 4 * 4)));
}
