/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <time.h>

#include "alloc.h"
#include "sample_model.h"
#include "sim/system.h"
#include "sim/routes.h"

static const double GB = 1e9;
enum { MESSAGES_MAX = 4096 };
static srv_model model;
static srv_message messages[MESSAGES_MAX];
static double rates[MESSAGES_MAX];

/* One node of one core with a message layer to its like; tests change what they are about. */
static int prepare(void **state)
{
    (void)state;
    model = (srv_model){
        .node_count = 1,
        .pu_count = 1,
        .smt = 1,
        .layer_count = 1,
        .layer = {{.pus = 0, .protocol_count = 1, .protocol = {{0, 2, 10 * GB}}}},
    };
    return 0;
}

/* Every node's PU 0 sends to the node that lies `to(node)`. */
static void shift_nodes(int (*to)(int node, int by), int by)
{
    for (int node = 0; node < model.node_count; node++)
        messages[node] = (srv_message){node, 0, to(node, by), 0, 1 << 25};
    assert_ok(srv_routes_messages(&model, messages, model.node_count, rates, NULL));
}

/* Sends these messages at once; they have these GB/s. */
static void rates_are(const srv_message *sent, int count, const double *expected)
{
    assert_ok(srv_routes_messages(&model, sent, count, rates, NULL));
    for (int i = 0; i < count; i++)
        assert_float_equal(rates[i], expected[i] * GB, 1);
}

static void expect_all(int n, double rate)
{
    for (int i = 0; i < n; i++)
        assert_float_equal(rates[i] / rate, 1, 1e-9);
}

/* --- copies ----------------------------------------------------------------------------------- */

static void copy_on(const srv_model *machine, const int *pus, int n)
{
    srv_access accesses[MESSAGES_MAX];
    for (int i = 0; i < n; i++)
        accesses[i] = (srv_access){pus[i], srv_numa_of(machine, pus[i])};
    assert_ok(srv_routes_memory(machine, accesses, n, rates, NULL));
}

static void copy(const int *pus, int n)
{
    copy_on(&model, pus, n);
}

TEST_EACH(prepare, NULL)

/* IPDPS'10: 2200 MB/s alone and across cells, 990 on one bus, 1650 in one cell. */
TEST(bus_and_cell_of_finis_terrae_limit_bandwidth)
{
    srv_model *finis_terrae = shipped_model("finis-terrae");
    copy_on(finis_terrae, (const int[]){7}, 1);
    expect_all(1, 2200e6);
    for (int other = 1; other < 16; other++) {
        copy_on(finis_terrae, (const int[]){0, other}, 2);
        expect_all(2, other < 4 ? 990e6 : other < 8 ? 1650e6 : 2200e6);
    }
    copy_on(finis_terrae, (const int[]){0, 1, 4, 8}, 4); /* the cell leaves PU 4 what two on a bus
                                                            do not take */
    assert_float_equal(rates[0] / 990e6, 1, 1e-9);
    assert_float_equal(rates[2] / 1320e6, 1, 1e-9);
    assert_float_equal(rates[3] / 2200e6, 1, 1e-9);
}

/* IPDPS'10: messages of the size of the L1, between cores that share the L2, the package, the node.
 */
TEST(messages_on_dunnington_are_as_fast_as_printed)
{
    static const struct {
        int to;
        double rate;
    } rows[] = {{1, 2130e6}, {5, 1780e6}, {23, 750e6}};
    srv_model *dunnington = shipped_model("dunnington");
    for (int i = 0; i < 3; i++) {
        const srv_message message = {0, 0, 0, rows[i].to, 32768};
        assert_ok(srv_routes_messages(dunnington, &message, 1, rates, NULL));
        double seconds = srv_routes_latency(dunnington, &message) + message.bytes / rates[0];
        assert_float_equal(message.bytes / seconds / rows[i].rate, 1, 0.01);
    }
}

TEST(threads_of_a_core_share_its_bandwidth)
{
    model.pu_count = 4;
    model.core_type_count = 1;
    model.core_type[0] = (srv_model_core_type){"all", 0, 4, 3, 2};
    model.memory_bytes_per_second_core = 8 * GB;
    copy((const int[]){0, 1, 2}, 3);
    assert_float_equal(rates[0], 4 * GB, 1);
    assert_float_equal(rates[1], 4 * GB, 1);
    assert_float_equal(rates[2], 8 * GB, 1);
}

TEST(core_types_have_their_own_numbers_of_threads)
{
    model.pu_count = 6; /* two cores of two threads, then two of one */
    model.smt = 2;
    model.memory_bytes_per_second_core = 8 * GB;
    model.core_type_count = 2;
    model.core_type[0] = (srv_model_core_type){"performance", 0, 4, 3, 2};
    model.core_type[1] = (srv_model_core_type){"efficiency", 4, 2, 2, 1};
    copy((const int[]){2, 3, 4, 5}, 4);
    const double expected[] = {4, 4, 8, 8};
    for (int i = 0; i < 4; i++)
        assert_float_equal(rates[i], expected[i] * GB, 1);
}

/* --- messages inside a node ------------------------------------------------------------------- */

static const srv_model_layer pair_layer = {2, 2, {{0, 0.5, 2 * GB}, {65536, 1, 4 * GB}}, 0};
static const srv_model_layer node_layer = {8, 1, {{0, 1, GB}}, 1.5 * GB};

static void use_two_layers(void)
{
    model.pu_count = 8;
    model.layer_count = 2;
    model.layer[0] = node_layer;
    model.layer[1] = pair_layer;
}

TEST(the_nearest_common_group_is_the_layer)
{
    use_two_layers();
    const srv_message three[] = {{0, 2, 0, 3, 100}, {0, 4, 0, 5, 65536}, {0, 3, 0, 4, 65536}};
    rates_are(three, 3, (const double[]){2, 4, 1});
    assert_float_equal(srv_routes_latency(&model, &three[0]), 0.5e-6, 1e-15);
    assert_float_equal(srv_routes_latency(&model, &three[1]), 1e-6, 1e-15);
}

TEST(a_layer_is_shared_within_its_group)
{
    use_two_layers();
    model.node_count = 2;
    const srv_message three[] = {{0, 0, 0, 2, 1}, {0, 4, 0, 7, 1}, {1, 0, 1, 2, 1}};
    rates_are(three, 3, (const double[]){0.75, 0.75, 1});
}

TEST(a_pair_without_a_layer_is_refused)
{
    use_two_layers();
    model.node_count = 2;
    const srv_message across = {0, 0, 1, 0, 1};
    servet_error error = SERVET_ERROR_INIT;
    assert_int_equal(srv_routes_messages(&model, &across, 1, rates, &error), SERVET_EMACHINE);
    assert_non_null(strstr(error.text, "no layer"));
    assert_true(isnan(srv_routes_latency(&model, &across)));
}

/* --- interfaces ------------------------------------------------------------------------------- */

/* `i` processes of node 0 send to as many of node 1. */
static void star(int i)
{
    for (int k = 0; k < i; k++)
        messages[k] = (srv_message){0, k, 1, k, 1 << 25};
    assert_ok(srv_routes_messages(&model, messages, i, rates, NULL));
}

TEST(processes_of_a_node_share_its_interface)
{
    model.node_count = 2;
    model.pu_count = 32;
    for (double rate = 10 * GB; rate <= 20 * GB; rate *= 2) {
        model.network.nic_bytes_per_second = rate;
        for (int i = 1; i <= 32; i++) {
            star(i);
            expect_all(i, fmin(10 * GB, rate / i));
        }
    }
}

TEST(links_are_full_duplex_and_receivers_share_them)
{
    model.node_count = 3;
    model.pu_count = 2;
    model.network.nic_bytes_per_second = 10 * GB;
    const srv_message three[] = {{0, 0, 1, 0, 1}, {2, 0, 1, 1, 1}, {1, 0, 0, 0, 1}};
    rates_are(three, 3, (const double[]){5, 5, 10});
}

/* --- torus ------------------------------------------------------------------------------------ */

static void use_torus(int dimension_count, int x, int y, int z)
{
    const int extents[] = {x, y, z};
    model.network = (srv_model_network){.type = SRV_NETWORK_TORUS,
                                        .dimension_count = dimension_count,
                                        .link_bytes_per_second = 10 * GB,
                                        .hop_us = 0.1};
    model.node_count = 1;
    for (int d = 0; d < dimension_count; d++)
        model.node_count *= model.network.dimensions[d] = extents[d];
}

static int on_ring(int node, int by)
{
    return (node + by) % model.node_count;
}

/* Every link of one direction carries d messages; at d = 4 both ways are as long and all go up. */
TEST(a_ring_of_8_divides_bandwidth_by_the_distance)
{
    use_torus(1, 8, 0, 0);
    for (int d = 1; d <= 4; d++) {
        shift_nodes(on_ring, d);
        expect_all(8, 10 * GB / d);
    }
    shift_nodes(on_ring, 5); /* 3 downwards */
    expect_all(8, 10 * GB / 3);
}

static int in_box(int node, int by)
{
    const int *extent = model.network.dimensions;
    int x = node % extent[0], y = node / extent[0] % extent[1], z = node / extent[0] / extent[1];
    x = (x + by % 10) % extent[0];
    y = (y + by / 10 % 10) % extent[1];
    z = (z + by / 100) % extent[2];
    return x + extent[0] * (y + extent[1] * z);
}

/* A shift by (a, b, c) in a 5 x 4 x 3 box puts min(a, 5 - a) messages on each link used in x, and
 * so on; the fullest dimension decides. `by` holds cba as digits. */
TEST(shifts_in_three_dimensions_share_links)
{
    const struct {
        int by, fullest, hops;
    } rows[] = {
        {1, 1, 1},  {2, 2, 2},   {3, 2, 2},   {4, 1, 1},   {10, 1, 1},  {20, 2, 2},
        {30, 1, 1}, {100, 1, 1}, {200, 1, 1}, {111, 1, 3}, {122, 2, 5}, {214, 1, 3},
    };
    use_torus(3, 5, 4, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        shift_nodes(in_box, rows[i].by);
        expect_all(60, 10 * GB / rows[i].fullest);
        assert_float_equal(srv_routes_latency(&model, &messages[17]), 2e-6 + 1e-7 * rows[i].hops,
                           1e-15);
    }
}

/* Messages from (0,0) to (1,1) pass (1,0), never (0,1): only the first and the last flow share
 * links. */
TEST(messages_follow_the_first_dimension_first)
{
    use_torus(2, 3, 3, 0);
    const srv_message three[] = {{0, 0, 4, 0, 1}, {0, 0, 3, 0, 1}, {1, 0, 4, 0, 1}};
    rates_are(three, 3, (const double[]){5, 10, 5});
}

TEST(links_of_a_torus_are_full_duplex)
{
    use_torus(1, 4, 0, 0);
    const srv_message three[] = {{1, 0, 2, 0, 1}, {2, 0, 1, 0, 1}, {3, 0, 1, 0, 1}};
    rates_are(three, 3, (const double[]){10, 10, 10}); /* 3 to 1 goes up, over 0 */
}

TEST(a_torus_of_4096_nodes_is_computed_fast)
{
    use_torus(3, 16, 16, 16);
    unsigned random = 1;
    for (int i = 0; i < MESSAGES_MAX; i++) {
        random = random * 1664525 + 1013904223;
        messages[i] = (srv_message){i, 0, (i + 1 + (int)(random >> 20) % 4095) % 4096, 0, 1};
    }
    clock_t start = clock();
    assert_ok(srv_routes_messages(&model, messages, MESSAGES_MAX, rates, NULL));
    assert_true(clock() - start < CLOCKS_PER_SEC);
    for (int i = 0; i < MESSAGES_MAX; i++)
        assert_true(rates[i] > 0 && rates[i] <= 10 * GB);
}

/* --- tree ------------------------------------------------------------------------------------- */

/* Two leaf switches of 4 nodes each with links of 10 and an uplink of 4 * 10 / 2. */
static void use_tree(void)
{
    model.network = (srv_model_network){.type = SRV_NETWORK_TREE,
                                        .dimension_count = 2,
                                        .dimensions = {4, 2},
                                        .link_bytes_per_second = 10 * GB,
                                        .oversubscription = {2, 1},
                                        .hop_us = 0.1};
    model.node_count = 8;
}

static int within_leaf(int node, int by)
{
    return node / 4 * 4 + (node + by) % 4;
}

TEST(a_leaf_switch_serves_its_nodes_at_full_rate)
{
    use_tree();
    shift_nodes(within_leaf, 1);
    expect_all(8, 10 * GB);
    assert_float_equal(srv_routes_latency(&model, &messages[0]), 2e-6, 1e-15);
}

TEST(oversubscription_halves_the_bandwidth_out_of_a_switch)
{
    use_tree();
    shift_nodes(on_ring, 4);
    expect_all(8, 5 * GB);
    assert_float_equal(srv_routes_latency(&model, &messages[0]), 2.2e-6, 1e-15);
    const srv_message two[] = {{0, 0, 4, 0, 1}, {1, 0, 5, 0, 1}};
    assert_ok(srv_routes_messages(&model, two, 2, rates, NULL));
    expect_all(2, 10 * GB);
}

TEST(the_highest_level_is_a_crossbar)
{
    use_tree();
    model.network.dimension_count = 1;
    shift_nodes(on_ring, 4);
    expect_all(8, 5 * GB);
}

/* --- dragonfly -------------------------------------------------------------------------------- */

/* Two nodes a router, two routers a group, three groups. */
static void use_dragonfly(void)
{
    model.network = (srv_model_network){.type = SRV_NETWORK_DRAGONFLY,
                                        .dimension_count = 3,
                                        .dimensions = {2, 2, 3},
                                        .link_bytes_per_second = 10 * GB,
                                        .hop_us = 0.1};
    model.node_count = 12;
}

/* Router 0 of group 0 has the link to group 1, router 1 that to group 2; router 0 of group 1 has
 * the link to group 0. */
TEST(a_dragonfly_takes_up_to_three_hops)
{
    static const struct {
        int to, hops;
    } rows[] = {{1, 0}, {2, 1}, {4, 1}, {6, 2}, {8, 2}, {10, 3}};
    use_dragonfly();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const srv_message message = {0, 0, rows[i].to, 0, 1};
        double us = 2 + 0.1 * rows[i].hops;
        assert_float_equal(srv_routes_latency(&model, &message), us * 1e-6, 1e-15);
    }
}

/* All four of group 0 to group 1 share one link; with group 2 they have another. */
TEST(groups_of_a_dragonfly_share_a_link)
{
    use_dragonfly();
    const srv_message four[] = {{0, 0, 4, 0, 1}, {1, 0, 5, 0, 1}, {2, 0, 6, 0, 1}, {3, 0, 8, 0, 1}};
    assert_ok(srv_routes_messages(&model, four, 4, rates, NULL));
    expect_all(3, 10 * GB / 3);
    assert_float_equal(rates[3], 10 * GB, 1);
}

/* --- slow ones -------------------------------------------------------------------------------- */

/* The processes of the slow node share a quarter of the bandwidth of other nodes, which are not
 * slower. */
TEST(a_slow_node_is_slow_in_all)
{
    model.node_count = 4;
    model.pu_count = 2;
    model.network.nic_bytes_per_second = 10 * GB;
    model.network.slow_node_count = 1;
    model.network.slow_node[0] = (srv_model_slow_node){1, 3, 4};
    const srv_message three[] = {{0, 0, 1, 0, 1}, {2, 0, 1, 1, 1}, {3, 0, 2, 0, 1}};
    assert_ok(srv_routes_messages(&model, three, 3, rates, NULL));
    expect_all(2, 10 * GB / 4 / 2);
    assert_float_equal(rates[2], 10 * GB, 1);
    assert_float_equal(srv_routes_latency(&model, &three[0]), 6e-6, 1e-15);
    assert_float_equal(srv_routes_latency(&model, &three[2]), 2e-6, 1e-15);
    const srv_message alone[] = {{1, 0, 0, 0, 1}};
    assert_ok(srv_routes_messages(&model, alone, 1, rates, NULL));
    expect_all(1, 10 * GB / 4);
}

TEST(a_slow_uplink_is_slow_both_ways)
{
    use_tree();
    model.network.slow_link_count = 1;
    model.network.slow_link[0] = (srv_model_slow_link){5, 1, 8};
    const srv_message three[] = {{0, 0, 4, 0, 1}, {6, 0, 1, 0, 1}, {5, 0, 7, 0, 1}};
    assert_ok(srv_routes_messages(&model, three, 3, rates, NULL));
    expect_all(2, 2.5 * GB);
    assert_float_equal(rates[2], 10 * GB, 1);
}

TEST(a_slow_link_of_a_torus_is_slow_both_ways)
{
    use_torus(2, 3, 4, 1);
    model.network.slow_link_count = 1;
    model.network.slow_link[0] = (srv_model_slow_link){10, 1, 2}; /* from (1, 3) to (1, 0) */
    const srv_message three[] = {{10, 0, 1, 0, 1}, {1, 0, 10, 0, 1}, {7, 0, 10, 0, 1}};
    assert_ok(srv_routes_messages(&model, three, 3, rates, NULL));
    expect_all(2, 5 * GB);
    assert_float_equal(rates[2], 10 * GB, 1);
}

/* --- memory ----------------------------------------------------------------------------------- */

static int route_one(void *context)
{
    servet_error error = SERVET_ERROR_INIT;
    int code = srv_routes_messages(&model, context, 1, rates, &error);
    assert_int_equal(code, error.code);
    return code;
}

TEST(each_failed_allocation_is_reported)
{
    use_tree();
    model.network.nic_bytes_per_second = 3 * GB;
    srv_message message = {0, 0, 7, 0, 1};
    assert_true(alloc_fail_everywhere(route_one, &message) >= 7);
    assert_float_equal(rates[0], 3 * GB, 1);
}
