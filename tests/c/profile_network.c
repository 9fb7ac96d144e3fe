/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of communication: queries of a profile that was made, and of one that was read. */
#include "test.h"
#include "profile_sample.h"
#include "profile_fixture.h"

static servet_profile *empty;
static const servet_at fat = {"fat", SERVET_ANY_CORE};

TEST_FIXTURE(setup)
{
    assert_ok(servet_profile_create(&empty, NULL));
    return profile_begin(state);
}

TEST_FIXTURE(teardown)
{
    servet_profile_close(empty);
    return profile_end(state);
}

/* --- as measured ------------------------------------------------------------------------------ */

TEST_EACH(setup, teardown)

TEST(the_job)
{
    servet_network network;
    int node = -1;
    assert_ok(servet_network_get(profile, &network));
    assert_string_equal(network.benchmarks, "layers,curves,scalability,distance,access");
    assert_int_equal(network.nodes, 2);
    assert_int_equal(network.ranks, 8);
    assert_int_equal(network.nodes_asked, 2);
    assert_true(network.message_bytes == 32768);
    assert_string_equal(servet_network_node(profile, 1), "node02");
    assert_null(servet_network_node(profile, 2));
    assert_null(servet_network_node(profile, -1));
    assert_ok(servet_network_node_of(profile, "node02.cluster.org", &node));
    assert_int_equal(node, 1);
    assert_code(servet_network_node_of(profile, "node03", &node), SERVET_ENOTFOUND);
    servet_value slowness;
    assert_ok(servet_network_slowness(profile, 1, &slowness));
    assert_true(slowness.value == 2.5 && slowness.trusted);
    assert_code(servet_network_slowness(profile, 2, &slowness), SERVET_ERANGE);
    assert_code(servet_network_slowness(profile, -1, &slowness), SERVET_ERANGE);
    assert_code(servet_network_slowness(empty, 0, &slowness), SERVET_EUNMEASURED);
    servet_bisection halves;
    assert_ok(servet_network_bisection(profile, &halves));
    assert_true(halves.nodes == 2 && halves.bandwidth.value == 2e9);
    assert_code(servet_network_bisection(empty, &halves), SERVET_EUNMEASURED);
    assert_code(servet_network_get(empty, &network), SERVET_EUNMEASURED);
    assert_code(servet_network_node_of(empty, "node02", &node), SERVET_EUNMEASURED);
    assert_null(servet_network_node(empty, 0));
}

TEST(the_layers)
{
    int count = -1;
    const char *places;
    assert_ok(servet_network_layer_count(profile, &count));
    assert_int_equal(count, 3);
    servet_network_layer layer;
    assert_ok(servet_network_layer_get(profile, 2, &layer));
    assert_true(layer.latency.value == 5e-6 && layer.between_nodes && layer.to.core == 3);
    assert_code(servet_network_layer_get(profile, 0, &layer), SERVET_ERANGE);
    assert_code(servet_network_layer_get(profile, 4, &layer), SERVET_ERANGE);
    assert_code(servet_network_layer_get(empty, 1, &layer), SERVET_EUNMEASURED);
    assert_code(servet_network_layer_count(empty, &count), SERVET_EUNMEASURED);
    assert_ok(servet_network_group_count(profile, 1, &count));
    assert_int_equal(count, 3);
    assert_ok(servet_network_group(profile, 1, 2, &places));
    assert_string_equal(places, "1:0-3");
    assert_code(servet_network_group(profile, 1, 3, &places), SERVET_ERANGE);
    assert_code(servet_network_group_count(profile, 3, &count), SERVET_EUNMEASURED);
}

/* Two cores of a node that no layer within nodes joins are in no layer between nodes either. */
TEST(the_layer_of_a_pair)
{
    static const struct {
        servet_place a, b;
        int code, layer;
    } pairs[] = {
        {{0, 0}, {0, 1}, SERVET_OK, 1},        {{0, 1}, {0, 2}, SERVET_EUNMEASURED, 0},
        {{1, 3}, {1, 0}, SERVET_OK, 1},        {{1, 3}, {0, 3}, SERVET_OK, 2},
        {{0, 0}, {0, 0}, SERVET_EARGUMENT, 0}, {{0, 0}, {0, 4}, SERVET_ERANGE, 0},
        {{2, 0}, {0, 0}, SERVET_ERANGE, 0},    {{0, -1}, {0, 0}, SERVET_ERANGE, 0},
        {{-1, 0}, {0, 0}, SERVET_ERANGE, 0},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int layer = 0;
        assert_int_equal(servet_network_layer_of(profile, pairs[i].a, pairs[i].b, &layer),
                         pairs[i].code);
        assert_int_equal(layer, pairs[i].layer);
    }
    int layer;
    assert_code(servet_network_layer_of(empty, pairs[0].a, pairs[0].b, &layer), SERVET_EUNMEASURED);
}

/* Two sockets that no layer joins: a job that was ended early. */
TEST(a_pair_in_no_layer)
{
    static const char *const groups[] = {"0:0-3", "1:0-3"};
    int layer;
    assert_ok(record_network_layers(profile, (servet_network_layer[]){network_layer(1)}, 1, NULL));
    assert_code(
        servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){1, 0}, &layer),
        SERVET_EUNMEASURED);
    assert_ok(record_network_groups(profile, 1, groups, 2, NULL));
    assert_ok(servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){0, 2}, &layer));
    assert_code(
        servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){1, 0}, &layer),
        SERVET_EUNMEASURED);
}

/* Layer 2 is a network that is faster than the way from socket to socket, layer 3. */
TEST(a_pair_is_in_a_layer_of_its_kind)
{
    servet_network_layer layers[] = {network_layer(1), network_layer(2), network_layer(3)};
    static const char *const sockets[] = {"0:0-1", "0:2-3", "1:0-1", "1:2-3"};
    static const char *const both[] = {"0-1:0-3"}, *const nodes[] = {"0:0-3", "1:0-3"};
    static const struct {
        servet_place a, b;
        int layer;
    } pairs[] = {
        {{0, 0}, {0, 1}, 1}, {{0, 1}, {1, 2}, 2}, {{0, 1}, {0, 2}, 3}, {{1, 3}, {1, 0}, 3}};
    layers[2].between_nodes = false;
    layers[2].to.node = 0;
    assert_ok(record_network_layers(profile, layers, 3, NULL));
    assert_ok(record_network_groups(profile, 1, sockets, 4, NULL));
    assert_ok(record_network_groups(profile, 2, both, 1, NULL));
    assert_ok(record_network_groups(profile, 3, nodes, 2, NULL));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int layer = 0;
        assert_ok(servet_network_layer_of(profile, pairs[i].a, pairs[i].b, &layer));
        assert_int_equal(layer, pairs[i].layer);
    }
}

/* --- in between ------------------------------------------------------------------------------- */

static void near(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-12 * expected);
}

TEST(time_of_a_message)
{
    /* The curve: 1 us at 1 B and 1 KiB, 5 us at 8 KiB, where it was disturbed. */
    static const struct {
        double bytes, microseconds;
        servet_method method;
        bool trusted;
    } times[] = {
        {1, 1, SERVET_METHOD_TIMED, true},
        {1024, 1, SERVET_METHOD_TIMED, true},
        {8192, 5, SERVET_METHOD_TIMED, false},
        {100, 1, SERVET_METHOD_INTERPOLATED, true},
        {1024 + 7168 / 4, 2, SERVET_METHOD_INTERPOLATED, false},
        {0, 1, SERVET_METHOD_INTERPOLATED, false},
        {24576, 15, SERVET_METHOD_INTERPOLATED, false},
    };
    servet_value time, bandwidth;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        assert_ok(servet_network_time(profile, 1, times[i].bytes, &time));
        near(time.value, times[i].microseconds * 1e-6);
        near(time.low, times[i].microseconds * 0.75e-6);
        near(time.high, times[i].microseconds * 1.5e-6);
        assert_int_equal(time.method, times[i].method);
        assert_int_equal(time.trusted, times[i].trusted);
        assert_int_equal(time.unit, SERVET_UNIT_SECOND);
    }
    assert_ok(servet_network_bandwidth(profile, 1, 1024, &bandwidth));
    near(bandwidth.value, 1.024e9);
    near(bandwidth.low, 1.024e9 / 1.5);
    near(bandwidth.high, 1.024e9 / 0.75);
    assert_int_equal(bandwidth.unit, SERVET_UNIT_BYTE_PER_SECOND);
    assert_code(servet_network_time(profile, 1, -1, &time), SERVET_EARGUMENT);
    assert_code(servet_network_time(profile, 1, NAN, &time), SERVET_EARGUMENT);
    assert_code(servet_network_time(profile, 1, INFINITY, &time), SERVET_EARGUMENT);
    assert_code(servet_network_bandwidth(profile, 1, 0, &time), SERVET_EARGUMENT);
    assert_code(servet_network_time(profile, 2, 8, &time), SERVET_EUNMEASURED);
    assert_code(servet_network_time(profile, 4, 8, &time), SERVET_ERANGE);
    assert_code(servet_network_time(empty, 1, 8, &time), SERVET_EUNMEASURED);
}

TEST(slowdown_of_messages)
{
    /* 2 and 4 messages: 1.5 and 2 with 64 B, 2.5 and 4 with 1 KiB. */
    static const struct {
        double bytes;
        int messages;
        double factor;
        servet_method method;
        bool trusted;
    } factors[] = {
        {64, 2, 1.5, SERVET_METHOD_TIMED, true},
        {64, 4, 2, SERVET_METHOD_TIMED, true},
        {1024, 4, 4, SERVET_METHOD_TIMED, true},
        {64, 3, 1.75, SERVET_METHOD_INTERPOLATED, true},
        {256, 2, 2, SERVET_METHOD_INTERPOLATED, true}, /* half way from 2^6 to 2^10 */
        {256, 3, 2.5, SERVET_METHOD_INTERPOLATED, true},
        {8, 2, 1.5, SERVET_METHOD_INTERPOLATED, false},
        {1e6, 4, 4, SERVET_METHOD_INTERPOLATED, false},
        {64, 1, 1, SERVET_METHOD_TIMED, true},
    };
    servet_value factor, time;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        assert_ok(
            servet_network_slowdown(profile, 1, factors[i].bytes, factors[i].messages, &factor));
        near(factor.value, factors[i].factor);
        assert_int_equal(factor.method, factors[i].method);
        assert_int_equal(factor.trusted, factors[i].trusted);
    }
    assert_ok(servet_network_cost(profile, 1, 1024, 4, &time));
    near(time.value, 4e-6);
    near(time.low, 0.75e-6 * 3);
    near(time.high, 1.5e-6 * 6);
    assert_int_equal(time.method, SERVET_METHOD_TIMED);
    assert_int_equal(time.unit, SERVET_UNIT_SECOND);
    assert_ok(servet_network_cost(profile, 1, 1024, 3, &time));
    near(time.value, 3.25e-6);
    assert_int_equal(time.method, SERVET_METHOD_INTERPOLATED);
    assert_code(servet_network_slowdown(profile, 1, 64, 5, &factor), SERVET_ERANGE);
    assert_code(servet_network_slowdown(profile, 1, 8, 5, &factor), SERVET_ERANGE);
    assert_code(servet_network_slowdown(profile, 1, 64, 0, &factor), SERVET_EARGUMENT);
    assert_code(servet_network_slowdown(profile, 1, -64, 2, &factor), SERVET_EARGUMENT);
    assert_code(servet_network_slowdown(profile, 2, 64, 2, &factor), SERVET_EUNMEASURED);
    assert_code(servet_network_cost(profile, 2, 64, 2, &factor), SERVET_EUNMEASURED);
}

/* Alone a message has no other to slow it down, whether others were measured there or not. */
TEST(one_message_is_not_slowed_down)
{
    servet_value factor;
    for (int layer = 1; layer <= 2; layer++)
        for (double bytes = 8; bytes < 1e7; bytes *= 5) {
            assert_ok(servet_network_slowdown(profile, layer, bytes, 1, &factor));
            assert_true(factor.value == 1 && factor.low == 1 && factor.high == 1 && factor.trusted);
        }
    assert_code(servet_network_slowdown(profile, 4, 64, 1, &factor), SERVET_ERANGE);
}

/* If the time allowed fewer messages of one size, the other size answers, not trusted. */
TEST(sizes_with_other_numbers)
{
    servet_together together[4];
    servet_value factor;
    network_together(together);
    assert_ok(record_network_together(profile, 1, together, 3, NULL));
    assert_ok(servet_network_slowdown(profile, 1, 256, 4, &factor));
    near(factor.value, 2);
    assert_false(factor.trusted);
    assert_code(servet_network_slowdown(profile, 1, 1024, 4, &factor), SERVET_ERANGE);
    assert_ok(record_network_together(profile, 1, together + 1, 3, NULL));
    assert_ok(servet_network_slowdown(profile, 1, 64, 2, &factor));
    near(factor.value, 4. / 3);
    together[0].bytes = 32;
    assert_ok(record_network_together(profile, 1, (servet_together[]){together[0], together[3]}, 2,
                                      NULL));
    assert_ok(servet_network_slowdown(profile, 1, 64, 4, &factor));
    near(factor.value, 4); /* of 1 KiB: of 32 bytes only two messages were measured */
    assert_false(factor.trusted);
}

/* --- degradation ------------------------------------------------------------------------------ */

TEST(ratios)
{
    static const struct {
        servet_degradation degradation;
        int at, nodes;
        double ratio;
        servet_method method;
    } facts[] = {
        {SERVET_DEGRADATION_DISTANCE, 1, 10, 1, SERVET_METHOD_TIMED},
        {SERVET_DEGRADATION_DISTANCE, 5, 10, 3, SERVET_METHOD_TIMED},
        {SERVET_DEGRADATION_DISTANCE, 2, 10, 1.5, SERVET_METHOD_INTERPOLATED},
        {SERVET_DEGRADATION_ACCESS, 2, 4, 1.25, SERVET_METHOD_TIMED},
        {SERVET_DEGRADATION_ACCESS, 3, 4, 1.625, SERVET_METHOD_INTERPOLATED},
        {SERVET_DEGRADATION_ACCESS, 4, 2, 2, SERVET_METHOD_TIMED},
    };
    servet_ratio ratio;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        assert_ok(servet_network_ratio(profile, facts[i].degradation, facts[i].at, &ratio));
        near(ratio.ratio.value, facts[i].ratio);
        assert_int_equal(ratio.ratio.method, facts[i].method);
        assert_true(ratio.ratio.trusted);
        assert_int_equal(ratio.at, facts[i].at);
        assert_int_equal(ratio.nodes, facts[i].nodes);
    }
    servet_ratios about;
    assert_ok(servet_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about));
    assert_true(about.bytes == 1048576 && about.largest == 4 && !about.constant_total);
    assert_ok(servet_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &about));
    assert_true(about.bytes == 33554432 && about.largest == 5 && about.constant_total);
    assert_code(servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 6, &ratio),
                SERVET_ERANGE);
    assert_code(servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 0, &ratio),
                SERVET_ERANGE);
    assert_code(servet_network_ratio(profile, SERVET_DEGRADATION_COUNT, 1, &ratio),
                SERVET_EARGUMENT);
    assert_code(servet_network_ratios(empty, SERVET_DEGRADATION_ACCESS, &about),
                SERVET_EUNMEASURED);
    int count;
    assert_code(servet_network_ratios_count(empty, SERVET_DEGRADATION_ACCESS, &count),
                SERVET_EUNMEASURED);
    assert_string_equal(servet_degradation_name(SERVET_DEGRADATION_ACCESS), "access");
}

/* Half of a mixture that is known makes no bandwidth in between. */
TEST(measured_more_than_once)
{
    servet_ratios about;
    servet_ratio ratio;
    for (int i = 0; i < SERVET_DEGRADATION_COUNT; i++) {
        int count = 0;
        servet_degradation which = (servet_degradation)i;
        assert_ok(servet_network_ratios_count(profile, which, &count));
        assert_int_equal(count, 2);
        assert_ok(servet_network_ratios_at(profile, which, 0, &about));
        assert_true(about.bytes == network_about[i].bytes);
        assert_code(servet_network_ratios_at(profile, which, 2, &about), SERVET_ERANGE);
        assert_code(servet_network_ratios_at(profile, which, -1, &about), SERVET_ERANGE);
        assert_code(servet_network_ratio_at(profile, which, 1, 2, &ratio), SERVET_ERANGE);
    }
    assert_ok(servet_network_ratio_at(profile, SERVET_DEGRADATION_DISTANCE, 1, 1, &ratio));
    assert_int_equal(ratio.nodes, 2);
    assert_ok(servet_network_ratios_at(profile, SERVET_DEGRADATION_ACCESS, 1, &about));
    assert_true(about.bytes == 512 && about.largest == 1 && about.constant_total);
    assert_code(servet_network_ratios_count(profile, SERVET_DEGRADATION_COUNT, NULL),
                SERVET_EARGUMENT);
}

TEST(a_ratio_without_its_bandwidth)
{
    servet_ratio made[2] = {network_ratio(1, 4, 1), network_ratio(3, 4, 2)}, ratio;
    made[1].bandwidth = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    assert_ok(record_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &network_about[0], made,
                                    2, NULL));
    assert_ok(servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 2, &ratio));
    near(ratio.ratio.value, 1.5);
    assert_false(servet_value_known(&ratio.bandwidth));
}

/* --- advice ----------------------------------------------------------------------------------- */

TEST(the_group_of_a_core)
{
    int index = -1;
    const servet_place place = {1, 2}, nowhere = {1, 4};
    assert_ok(servet_network_group_of(profile, 1, place, &index));
    assert_int_equal(index, 2);
    assert_ok(servet_network_group_of(profile, 2, place, &index));
    assert_int_equal(index, 0);
    assert_code(servet_network_group_of(profile, 3, place, &index), SERVET_EUNMEASURED);
    assert_code(servet_network_group_of(profile, 4, place, &index), SERVET_ERANGE);
    assert_code(servet_network_group_of(profile, 1, nowhere, &index), SERVET_ERANGE);
    assert_code(servet_network_group_of(empty, 1, place, &index), SERVET_EUNMEASURED);
    assert_int_equal(index, 0);
}

/* Cores 0-1 and 2-3 of node 0 and all of node 1 are near one another; between nodes all are. */
TEST(the_nearest_cores)
{
    static const servet_place expected[] = {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {1, 3}};
    const servet_place from = {0, 1}, nowhere = {2, 0};
    servet_place places[8];
    int count = -1;
    assert_ok(servet_network_nearest(profile, from, places, 8, &count));
    assert_int_equal(count, 5);
    assert_memory_equal(places, expected, sizeof expected);
    memset(places, 0xff, sizeof places);
    assert_ok(servet_network_nearest(profile, from, places, 2, &count));
    assert_int_equal(count, 2);
    assert_memory_equal(places, expected, 2 * sizeof *expected);
    assert_int_equal(places[2].node, -1);
    assert_code(servet_network_nearest(profile, nowhere, places, 8, &count), SERVET_ERANGE);
    assert_code(servet_network_nearest(empty, from, places, 8, &count), SERVET_EUNMEASURED);
    assert_int_equal(count, 2);
}

/* 1 us alone, times 2.5 for two of 1 KiB. */
TEST(the_cost_between_cores)
{
    const servet_place a = {0, 0}, b = {0, 1}, far = {1, 0}, nowhere = {1, 9};
    servet_value time;
    assert_ok(servet_network_cost_between(profile, a, b, 1024, 1, &time));
    assert_true(time.value == 1e-6);
    assert_ok(servet_network_cost_between(profile, a, b, 1024, 2, &time));
    assert_true(fabs(time.value - 2.5e-6) < 1e-18);
    assert_code(servet_network_cost_between(profile, a, far, 1024, 1, &time), SERVET_EUNMEASURED);
    assert_code(servet_network_cost_between(profile, a, nowhere, 1024, 1, &time), SERVET_ERANGE);
    assert_code(servet_network_cost_between(profile, a, a, 1024, 1, &time), SERVET_EARGUMENT);
    assert_code(servet_network_cost_between(profile, a, b, -1, 1, &time), SERVET_EARGUMENT);
}

/* --- collective operations -------------------------------------------------------------------- */

static void collective_takes(servet_collective_op op, double bytes, int ranks, double us,
                             bool measured)
{
    servet_value time;
    assert_ok(servet_network_collective(profile, op, bytes, ranks, &time));
    near(time.value, 1e-6 * us);
    assert_true(time.trusted == measured && time.unit == SERVET_UNIT_SECOND);
}

TEST(collective_operations_as_measured)
{
    collective_takes(SERVET_COLLECTIVE_BARRIER, 0, 2, 0.75, true);
    collective_takes(SERVET_COLLECTIVE_BARRIER, 8, 2, 0.75, true);
    collective_takes(SERVET_COLLECTIVE_BROADCAST, 64, 2, 3, true);
    collective_takes(SERVET_COLLECTIVE_BROADCAST, 576, 2, 4, true); /* halfway */
    collective_takes(SERVET_COLLECTIVE_BROADCAST, 8, 2, 3, false);
    collective_takes(SERVET_COLLECTIVE_BROADCAST, 2176, 2, 10, false);
    assert_string_equal(servet_collective_name(SERVET_COLLECTIVE_ALLREDUCE), "allreduce");
}

/* Layer 1 joins up to four cores, with 1 us for up to 1 KiB; two messages of 64 bytes take 1.5
 * times as long, four twice. */
TEST(collective_operations_as_predicted)
{
    servet_value time;
    collective_takes(SERVET_COLLECTIVE_ALLREDUCE, 64, 2, 1.5, false);
    collective_takes(SERVET_COLLECTIVE_ALLREDUCE, 64, 4, 2 * 2, false);
    collective_takes(SERVET_COLLECTIVE_BROADCAST, 64, 4, 1.5 + 1,
                     false); /* one, then two at once */
    collective_takes(SERVET_COLLECTIVE_REDUCE, 64, 1, 0, false);
    assert_ok(
        servet_network_collective_predict(profile, SERVET_COLLECTIVE_BROADCAST, 64, 2, 4, &time));
    near(time.value, 2e-6);
    assert_int_equal(time.method, SERVET_METHOD_INTERPOLATED);
}

TEST(collective_operations_that_are_not_known)
{
    static const struct {
        int op;
        double bytes;
        int ranks, code;
    } wrong[] = {{SERVET_COLLECTIVE_COUNT, 8, 2, SERVET_EARGUMENT},
                 {SERVET_COLLECTIVE_REDUCE, -1, 2, SERVET_EARGUMENT},
                 {SERVET_COLLECTIVE_REDUCE, INFINITY, 2, SERVET_EARGUMENT},
                 {SERVET_COLLECTIVE_REDUCE, 8, 0, SERVET_EARGUMENT},
                 {SERVET_COLLECTIVE_REDUCE, 8, 9, SERVET_ERANGE},
                 {SERVET_COLLECTIVE_REDUCE, 8, 8, SERVET_EUNMEASURED}}; /* layer 2: no curve */
    servet_value time;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(servet_network_collective(profile, (servet_collective_op)wrong[i].op,
                                                   wrong[i].bytes, wrong[i].ranks, &time),
                         wrong[i].code);
    assert_code(
        servet_network_collective_predict(profile, SERVET_COLLECTIVE_REDUCE, 8, 2, 0, &time),
        SERVET_EARGUMENT);
}

/* --- batches ---------------------------------------------------------------------------------- */

static void query_batch(double bytes, int messages, servet_batch *batch)
{
    assert_ok(servet_network_aggregate(profile, 1, bytes, messages, batch));
    assert_int_equal(batch->messages, messages);
    assert_true(batch->bytes == bytes);
}

TEST(a_measured_batch_is_returned_unchanged)
{
    servet_batch batches[4], batch;
    network_batches(batches);
    for (int i = 0; i < 4; i++) {
        query_batch(batches[i].bytes, batches[i].messages, &batch);
        assert_true(batch.in_turn.value == batches[i].in_turn.value &&
                    batch.at_once.high == batches[i].at_once.high &&
                    batch.as_one.low == batches[i].as_one.low && batch.trusted);
        assert_true(batch.gain.value == batches[i].gain.value);
        assert_int_equal(batch.gain.method, SERVET_METHOD_TIMED);
        assert_int_equal(batch.payoff, batches[i].payoff);
    }
    assert_string_equal(servet_payoff_name(SERVET_PAYOFF_LOSES), "loses");
}

/* Three are halfway between two and four; one message of 3 * 64 bytes is as long as one of 2 * 96:
 * 1 us and 32/960 of 4 us more. */
TEST(between_numbers_of_messages)
{
    servet_batch batch;
    query_batch(64, 3, &batch);
    near(batch.in_turn.value, 4e-6);
    near(batch.at_once.value, 3e-6);
    near(batch.as_one.value, (1 + 4 * 32 / 960.) * 1e-6);
    near(batch.gain.value, 3 / (1 + 4 * 32 / 960.));
    assert_int_equal(batch.payoff, SERVET_PAYOFF_PAYS);
    assert_true(batch.trusted && batch.gain.method == SERVET_METHOD_INTERPOLATED);
    query_batch(1000, 3, &batch); /* 3000 bytes are beyond two messages, and 4 * 750 */
    near(batch.as_one.value, (1.25 + 8.75 * 686 / 960) * 1e-6);
}

/* Halfway between 64 and 1024 bytes: both take 3 us. */
TEST(between_sizes_it_may_be_even)
{
    servet_batch batch;
    query_batch(544, 2, &batch);
    near(batch.in_turn.value, 4.5e-6);
    near(batch.at_once.value, 3e-6);
    near(batch.as_one.value, 3e-6);
    near(batch.gain.value, 1);
    assert_true(batch.gain.low < 1 && batch.gain.high > 1);
    assert_int_equal(batch.payoff, SERVET_PAYOFF_EVEN);
}

/* One pays at 64 bytes and loses at 1024: a limit of the protocol may lie anywhere between them,
 * though the interpolated gain at 65 bytes is nearly that of 64. At a measured size all is known.
 */
TEST(no_payoff_is_given_across_a_step)
{
    servet_batch batches[4], batch;
    network_batches(batches);
    assert_true(batches[0].payoff == SERVET_PAYOFF_PAYS &&
                batches[1].payoff == SERVET_PAYOFF_LOSES);
    for (int at_end = 0; at_end < 2; at_end++) {
        query_batch(at_end ? 1023 : 65, 2, &batch);
        assert_int_equal(batch.payoff, SERVET_PAYOFF_EVEN);
        assert_true(batch.gain.low <= batches[1].gain.low);
        assert_true(batch.gain.high >= batches[0].gain.high);
    }
    query_batch(64, 3, &batch);
    assert_int_equal(batch.payoff, SERVET_PAYOFF_PAYS);
}

/* Between all four measured batches; one of them in turn is less certain than the others. */
TEST(a_gain_is_as_uncertain_as_its_least_certain_neighbour)
{
    const servet_aggregation range = {.messages = 2, .from = 64, .below = 1024, .unbounded = true};
    for (int wide = 0; wide < 4; wide++) {
        servet_batch batches[4], batch;
        network_batches(batches);
        for (int i = 0; i < 4; i++) {
            servet_value *gain = &batches[i].gain;
            gain->low = gain->value * (i == wide ? 0.5 : 0.99);
            gain->high = gain->value * (i == wide ? 4 : 1.01);
            batches[i].payoff = SERVET_PAYOFF_PAYS; /* no step */
        }
        servet_aggregation ranges[2] = {range, range};
        ranges[1].messages = 4;
        ranges[0].gain = ranges[1].gain = batches[wide].gain;
        assert_ok(record_network_aggregation(profile, 1, batches, 4, ranges, 2, NULL));
        query_batch(544, 3, &batch);
        near(batch.gain.low, batch.gain.value * 0.5);
        near(batch.gain.high, batch.gain.value * 4);
    }
}

TEST(below_the_smallest_size_its_times_are_returned)
{
    servet_batch batch;
    query_batch(0, 2, &batch);
    near(batch.at_once.value, 2e-6);
    near(batch.as_one.value, 1e-6);
    assert_false(batch.trusted);
}

/* Even between two sizes that pay is no limit, losing is; the limit is between measured sizes. */
TEST(below_a_limit_one_never_loses)
{
    static const struct {
        double from, below;
        servet_payoff payoff;
    } rows[] = {{8, 16, SERVET_PAYOFF_PAYS},
                {16, 64, SERVET_PAYOFF_EVEN},
                {64, 700, SERVET_PAYOFF_PAYS},
                {700, 900, SERVET_PAYOFF_LOSES},
                {900, 1024, SERVET_PAYOFF_PAYS}};
    servet_batch batches[4];
    servet_aggregation ranges[6] = {{0}};
    char text[64];
    network_batches(batches);
    for (int i = 0; i < 6; i++)
        ranges[i] = (servet_aggregation){.messages = i < 5 ? 2 : 4,
                                         .from = rows[i % 5].from,
                                         .below = rows[i % 5].below,
                                         .payoff = i < 5 ? rows[i].payoff : SERVET_PAYOFF_LOSES,
                                         .gain = batches[0].gain};
    assert_ok(record_network_aggregation(profile, 1, batches, 4, ranges, 6, NULL));
    profile_prints(profile, &fat, "layers.1.aggregation_below.2", "700");
    profile_prints(profile, &fat, "layers.1.aggregation_below.2.low", "64");
    profile_prints(profile, &fat, "layers.1.aggregation_below.2.high", "1024");
    profile_prints(profile, &fat, "layers.1.aggregation_below.4", "0");
    profile_prints(profile, &fat, "layers.2.aggregation_below.2", NULL);
    assert_code(
        servet_profile_get(profile, &fat, "layers.1.aggregation_below.3", text, sizeof text, NULL),
        SERVET_ERANGE);
}

TEST(batches_beyond_are_out_of_range)
{
    servet_batch batch;
    assert_code(servet_network_aggregate(profile, 1, 1025, 2, &batch), SERVET_ERANGE);
    assert_code(servet_network_aggregate(profile, 1, 64, 5, &batch), SERVET_ERANGE);
    assert_code(servet_network_aggregate(profile, 4, 64, 2, &batch), SERVET_ERANGE);
    assert_code(servet_network_aggregate(profile, 1, 64, 1, &batch), SERVET_EARGUMENT);
    assert_code(servet_network_aggregate(profile, 1, -1, 2, &batch), SERVET_EARGUMENT);
    assert_code(servet_network_aggregate(profile, 1, INFINITY, 2, &batch), SERVET_EARGUMENT);
    assert_code(servet_network_aggregate(profile, 2, 64, 2, &batch), SERVET_EUNMEASURED);
}

/* Names of hosts come from the kernel, in any encoding; a profile has '?' for what is no UTF-8. */
TEST(a_job_stored_again_keeps_its_facts)
{
    servet_network job = {.nodes = 2, .ranks = 2};
    const char *const nodes[] = {"n\xff", "m"}, *const others[] = {"n", "m"};
    servet_value slowness[2], value;
    slowness[0] = slowness[1] = network_value(1, SERVET_UNIT_NONE);
    assert_ok(servet_profile_set_network(empty, &job, nodes, NULL));
    assert_ok(record_network_slowness(empty, slowness, 2, NULL));
    assert_ok(servet_profile_set_network(empty, &job, nodes, NULL));
    assert_string_equal(servet_network_node(empty, 0), "n?");
    assert_ok(servet_network_slowness(empty, 0, &value));
    assert_ok(servet_profile_set_network(empty, &job, others, NULL));
    assert_code(servet_network_slowness(empty, 0, &value), SERVET_EUNMEASURED);
}
