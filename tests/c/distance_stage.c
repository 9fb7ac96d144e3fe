/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances between the cores of shipped models, as their line_transfer tables and OS numbers say.
 */
#include "facts/stages.h"
#include "test.h"

#include "folder.h"
#include "known_node.h"
#include "servet/node.h"

/* Groups of the known layers, fastest first; NULL: not checked, or no such layer. */
typedef struct truth {
    const char *model;
    int layers;
    double ns[4];
    const char *groups[4];
} truth;

#define SAPPHIRE_14 "0-13\n14-27\n28-41\n42-55\n56-69\n70-83\n84-97\n98-111"

/* The machines behind the first seven are large, or similar to those. */
enum { QUICK = 7 };
static const truth truths[] = {
    {"dunnington",
     3,
     {13, 42, 120},
     {"0,12\n1,13\n2,14\n3,15\n4,16\n5,17\n6,18\n7,19\n8,20\n9,21\n10,22\n11,23",
      "0-2,12-14\n3-5,15-17\n6-8,18-20\n9-11,21-23", "0-23"}},
    {"harpertown", 3, {20, 75, 105}, {"0,2\n1,3\n4,6\n5,7", "0,2,4,6\n1,3,5,7", "0-7"}},
    {"kentsfield", 2, {17, 65}, {"0-1\n2-3", "0-3"}},
    {"niagara-t1", 1, {20}, {"0-31"}},
    {"dempsey", 1, {110}, {"0-1"}},
    {"hybrid-desktop", 3, {6, 30, 45}, {NULL, NULL, "0-31"}},
    {"finis-terrae", 3, {190, 260, 380}, {"0-3\n4-7\n8-11\n12-15", "0-7\n8-15", "0-15"}},
    {"hector", 4, {60, 90, 140, 210}, {NULL, "0-7\n8-15\n16-23\n24-31", "0-15\n16-31", "0-31"}},
    {"cloud-vm", 2, {7, 68}, {"0-1\n2-3\n4-5\n6-7", "0-7"}},
    {"graviton3", 1, {48}, {"0-63"}},
    {"a64fx", 2, {55, 120}, {"0-11\n12-23\n24-35\n36-47", "0-47"}},
    {"fat-tree-4096",
     2,
     {48, 120},
     {"0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30\n1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31",
      "0-31"}},
    {"power9", 4, {8, 25, 90, 210}, {NULL, NULL, "0-79\n80-159", "0-159"}},
    {"sapphire-rapids-snc4", 3, {52, 66, 138}, {SAPPHIRE_14, "0-55\n56-111", "0-111"}},
    {"zen4-server", 3, {7, 24, 105}, {NULL, NULL, "0-191"}},
    {"nehalem-2s", 2, {28, 102}, {"0,2,4,6\n1,3,5,7", "0-7"}},
    {"bluegene-q", 2, {8, 75}, {NULL, "0-63"}},
    {"knl-snc4", 2, {34, 115}, {NULL, "0-63"}},
    {"altra-q80", 1, {50}, {"0-79"}},
    {"grace", 1, {60}, {"0-71"}},
    {"milan-x", 2, {23, 105}, {"0-7\n8-15\n16-23\n24-31\n32-39\n40-47\n48-55\n56-63", "0-63"}},
};

/* Within a percent of the table; noisy models within five. */
static void is_near(const servet_value *value, double ns, const char *model)
{
    double share = model[0] == 'c' || model[0] == 'n' ? 0.05 : 0.01;
    double found = 1e9 * value->value;
    if (!(found > (1 - share) * ns && found < (1 + share) * ns))
        fail_msg("%s: %g ns, not %g", model, found, ns);
    assert_int_equal(value->unit, SERVET_UNIT_SECOND);
}

static void layers_are(const known_node *node, const truth *expected)
{
    int count;
    assert_ok(servet_distance_layer_count(node->place.profile, NULL, &count));
    if (count != expected->layers)
        fail_msg("%s: %d layers, not %d", expected->model, count, expected->layers);
    for (int i = 0; i < count; i++) {
        servet_distance_layer layer;
        char key[64];
        assert_ok(servet_distance_layer_get(node->place.profile, NULL, i + 1, &layer));
        is_near(&layer.latency, expected->ns[i], expected->model);
        snprintf(key, sizeof key, "distance.layers.%d.groups", i + 1);
        if (expected->groups[i])
            known_node_prints(node, 0, key, expected->groups[i]);
    }
}

TEST(layers_of_the_models_are_found)
{
    for (size_t i = 0; i < test_cases(QUICK, sizeof truths / sizeof *truths); i++) {
        known_node node = known_node_bare(truths[i].model);
        known_node_measure(&node, srv_measure_distances, 0);
        layers_are(&node, &truths[i]);
        assert_true(node.machine->ops->elapsed(node.machine) < 60);
    }
}

/* A Kentsfield, 17 ns within its two pairs of cores and 65 ns beyond, whose answers scatter for
 * pairs of which one core is restless. */
static srv_machine_ops calm_ops;
static int restless_from; /* this core and those behind it */

static int transfer_restlessly(srv_machine *machine, const srv_line_transfer *transfers, int count,
                               srv_timing *timings, servet_error *error)
{
    int code = calm_ops.transfer_lines(machine, transfers, count, timings, error);
    for (int i = 0; i < count; i++)
        if (transfers[i].owner >= restless_from || transfers[i].reader >= restless_from)
            timings[i].spread.high = 2 * timings[i].spread.median;
    return code;
}

static void layers_of_restless_cores(int from, servet_distance_layer layers[2])
{
    known_node node = known_node_bare("kentsfield");
    calm_ops = *node.machine->ops;
    srv_machine_ops ops = calm_ops;
    ops.transfer_lines = transfer_restlessly;
    node.machine->ops = &ops;
    restless_from = from;
    known_node_measure(&node, srv_measure_distances, 0);
    node.machine->ops = &calm_ops;
    for (int i = 0; i < 2; i++)
        assert_ok(servet_distance_layer_get(node.place.profile, NULL, i + 1, &layers[i]));
}

/* With core 3, one pair of two and two pairs of four are doubtful; with core 4, none is. */
TEST(pairs_that_scatter_lower_the_trust_of_their_layer)
{
    servet_distance_layer calm[2], restless[2];
    layers_of_restless_cores(4, calm);
    layers_of_restless_cores(3, restless);
    for (int i = 0; i < 2; i++) {
        assert_true(calm[i].latency.trusted);
        assert_false(restless[i].latency.trusted);
        assert_float_equal(restless[i].confidence, 0.75 * calm[i].confidence, 1e-6);
    }
}

/* The OS of a Harpertown reports the pairs that share an L2 and the packages, and so all layers; a
 * guest sees fewer things than there are distances. */
TEST(layers_are_compared_with_the_sets_of_the_os)
{
    known_node node = known_node_kept("harpertown");
    known_node_measure(&node, srv_measure_distances, 0);
    known_node_prints(&node, 0, "distance.layers.1.verdict", "agrees");
    known_node_prints(&node, 0, "distance.layers.3.verdict", "agrees");
}

/* The job may have been given one core of many: nothing was seen of the way to others. */
TEST(a_single_core_has_no_layers)
{
    known_node node = known_node_kept("athlon3200");
    int count;
    known_node_measure(&node, srv_measure_distances, 0);
    assert_int_equal(servet_distance_layer_count(node.place.profile, NULL, &count),
                     SERVET_EUNMEASURED);
}

/* 0.15 s are too short for 23 rounds of 8 ms: of each pair that shares an L2 one core is measured
 * first, so that the processors are found all the same. */
TEST(with_little_time_one_core_of_each_cache_is_probed)
{
    known_node node = known_node_kept("dunnington");
    int layer;
    servet_at at = {"default", 0};
    known_node_measure(&node, srv_measure_distances, 0.15);
    assert_true(node.machine->ops->elapsed(node.machine) < 0.165);
    assert_ok(servet_distance_layer_of(node.place.profile, &at, 1, &layer));
    int within = layer;
    assert_ok(servet_distance_layer_of(node.place.profile, &at, 4, &layer));
    assert_true(within < layer);
    assert_int_equal(servet_distance_layer_of(node.place.profile, &at, 23, &layer),
                     SERVET_EUNMEASURED);
}

TEST(without_time_nothing_is_measured)
{
    int count;
    known_node node = known_node_kept("dunnington");
    known_node_measure(&node, srv_measure_distances, 1e-6);
    assert_int_equal(servet_distance_layer_count(node.place.profile, NULL, &count),
                     SERVET_EUNMEASURED);
}

/* `servet analyze layers` reads the stored matrix. */
TEST(the_raw_matrix_can_be_analysed)
{
    char path[TEST_PATH_MAX];
    servet_matrix matrix;
    servet_layers layers;
    assert_int_equal(make_folder(NULL), 0);
    known_node node = known_node_kept("dunnington");
    node.options.raw_dir = folder;
    known_node_measure(&node, srv_measure_distances, 0);
    snprintf(path, sizeof path, "%s/distance.csv", folder);
    assert_ok(servet_matrix_read(path, &matrix, NULL));
    assert_int_equal(matrix.n, 24);
    assert_true(matrix.cost[0 * 24 + 12] > 12.9 && matrix.cost[0 * 24 + 12] < 13.1);
    assert_true(matrix.cost[23 * 24 + 0] > 119 && matrix.cost[23 * 24 + 0] < 121);
    assert_ok(servet_analyze_layers(&matrix, &layers, NULL));
    assert_int_equal(layers.layer_count, 3);
    servet_layers_free(&layers);
    servet_matrix_free(&matrix);
    assert_int_equal(remove_folder(NULL), 0);
}
