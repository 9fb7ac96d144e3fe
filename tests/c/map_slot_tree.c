/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of slots of machines whose switches are known: in which level two slots meet, and what
 * messages cost there. */
#include "test.h"
#include "map_machine.h"

#include "map/tree/slot_tree.h"
#include "../record.h"

static srv_slot_tree tree;

static void grow(const servet_profile *profile, const srv_map_slot *slots, int count)
{
    servet_error error = SERVET_ERROR_INIT;
    if (srv_slot_tree_begin(&tree, profile, slots, count, &error) != SERVET_OK)
        fail_msg("%s", error.text);
}

static void costs_are(int levels, const int *layers)
{
    assert_int_equal(tree.levels, levels);
    for (int level = 0; level < levels; level++)
        assert_int_equal(tree.layer[level], layers[level]);
}

TEST_FIXTURE(clear)
{
    srv_slot_tree_finish(&tree);
    return 0;
}

TEST_EACH(NULL, clear)

/* Layer 1 is within nodes, layer 2 joins the two nodes of a switch, layer 3 all. */
TEST(slots_meet_where_the_machine_joins_them)
{
    const srv_map_slot slots[] = {{0, 0, 0, 0}, {0, 0, 0, 9}, {1, 1, 1, 0},
                                  {2, 2, 2, 0}, {5, 5, 5, 3}, {0, 0, 0, 1}};
    servet_profile *profile = map_profile(&map_switches, 6);
    grow(profile, slots, 6);
    costs_are(5, (const int[]){1, 1, 2, 3, 3});
    assert_int_equal(tree.node_level, 1);
    const int groups[] = {4, 4, 3, 1, 1};
    for (int level = 0; level < 5; level++)
        assert_int_equal(tree.group_count[level], groups[level]);
    assert_int_equal(srv_slot_tree_common_level(&tree, 0, 1), 0);
    assert_int_equal(srv_slot_tree_common_level(&tree, 0, 2), 2);
    assert_int_equal(srv_slot_tree_common_level(&tree, 2, 3), 3);
    const int order[] = {0, 1, 5, 2, 3, 4};
    for (int i = 0; i < 6; i++)
        assert_int_equal(tree.order[i], order[i]);
}

/* A node that took no part in the measurement meets others in no layer, a core that did not meets
 * those of its node there; both have the cost of the farthest layer that may join them. */
TEST(messages_that_no_layer_joins_have_the_farthest_cost)
{
    const srv_map_slot slots[] = {
        {0, 0, 0, 0}, {1, -1, 0, 0}, {1, -1, 0, 1}, {0, 0, 0, 77}, {2, -1, -1, 0}};
    servet_profile *profile = map_profile(&map_switches, 6);
    grow(profile, slots, 5);
    assert_int_equal(srv_slot_tree_common_level(&tree, 1, 2), 0);
    assert_int_equal(srv_slot_tree_common_level(&tree, 0, 3), 1);
    assert_int_equal(srv_slot_tree_common_level(&tree, 0, 1), 4);
    assert_int_equal(srv_slot_tree_common_level(&tree, 1, 4), 4);
    assert_int_equal(tree.layer[1], 1);
    assert_int_equal(tree.layer[4], 3);
}

/* One rank on each node measured: no layer is within a node, where the nearest one then counts. */
TEST(without_a_layer_within_nodes_the_nearest_counts)
{
    const srv_map_slot slots[] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 0}, {2, 2, 2, 0}};
    const servet_network_layer layers[] = {map_layer(2e-6, true, 1), map_layer(5e-6, true, 1)};
    servet_profile *profile = map_profile(&map_flat, 4);
    assert_ok(record_network_layers(profile, layers, 2, NULL));
    const char *const near[] = {"0-1:0", "2-3:0"}, *const all[] = {"0-3:0"};
    assert_ok(record_network_groups(profile, 1, near, 2, NULL));
    assert_ok(record_network_groups(profile, 2, all, 1, NULL));
    grow(profile, slots, 4);
    costs_are(4, (const int[]){1, 1, 2, 2});
    assert_int_equal(tree.node_level, 0);
    assert_int_equal(srv_slot_tree_common_level(&tree, 0, 1), 0);
    assert_int_equal(srv_slot_tree_common_level(&tree, 1, 2), 1);
    assert_int_equal(srv_slot_tree_common_level(&tree, 2, 3), 2);
}

/* A network that is faster than the memory of a node is the first layer, and farther in the tree.
 */
TEST(a_fast_network_is_no_layer_within_nodes)
{
    const srv_map_slot slots[] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 5}, {1, 1, 1, 0}};
    const servet_network_layer layers[] = {map_layer(2e-6, true, 1), map_layer(3e-6, false, 1)};
    servet_profile *profile = map_profile(&map_flat, 2);
    assert_ok(record_network_layers(profile, layers, 2, NULL));
    const char *const between[] = {"0-1:0"}, *const within[] = {"0:0-3", "1:0-3"};
    assert_ok(record_network_groups(profile, 1, between, 1, NULL));
    assert_ok(record_network_groups(profile, 2, within, 2, NULL));
    grow(profile, slots, 4);
    costs_are(4, (const int[]){2, 2, 1, 1});
    assert_int_equal(srv_slot_tree_common_level(&tree, 0, 1), 0);
    assert_int_equal(srv_slot_tree_common_level(&tree, 0, 2), 1);
    assert_int_equal(srv_slot_tree_common_level(&tree, 0, 3), 2);
}

/* With trusted facts only, a layer that is not trusted is none. */
TEST(a_doubtful_layer_is_left_out)
{
    const srv_map_slot slots[] = {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 2, 0}};
    servet_profile *profile = map_profile(&map_switches, 6);
    assert_ok(servet_profile_distrust(profile, 0, "network.layers.2", "noise", NULL));
    servet_profile_trusted_only(profile, true);
    grow(profile, slots, 3);
    costs_are(4, (const int[]){1, 1, 3, 3});
    assert_int_equal(srv_slot_tree_common_level(&tree, 0, 1), 2);
}

/* map_dunnington is one node, of which no message was measured. */
TEST(without_messages_there_is_no_tree)
{
    const srv_map_slot slot = {0, 0, 0, 0};
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile = map_profile(&map_dunnington, 1);
    assert_code(srv_slot_tree_begin(&tree, profile, &slot, 1, &error), SERVET_EUNMEASURED);
    assert_non_null(strstr(error.text, "servet-mpi measure"));
}
