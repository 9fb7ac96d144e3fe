/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of communication: queries of a profile that was made, and of one that was read. */
#include "test.h"
#include "profile_sample.h"

#include <math.h>
#include "../record.h"

static servet_profile *profile, *empty;
static char path[TEST_PATH_MAX];

static int setup(void **state)
{
    (void)state;
    servet_profile *made;
    sample_path(path);
    if (servet_profile_create(&empty, NULL) != SERVET_OK ||
        sample_profile(&made, NULL) != SERVET_OK)
        return -1;
    int code = servet_profile_write(made, path, NULL);
    servet_profile_close(made);
    return code == SERVET_OK ? servet_profile_open(&profile, path, NULL) : code;
}

static int teardown(void **state)
{
    (void)state;
    servet_profile_close(profile);
    servet_profile_close(empty);
    return sample_remove(path);
}

/* A file keeps 15 digits of a time. */
static bool alike(double a, double b)
{
    return fabs(a - b) <= 1e-15 * fabs(a) * 5;
}

static void same(const servet_value *a, const servet_value *b)
{
    assert_int_equal(a->unit, b->unit);
    assert_int_equal(a->method, b->method);
    assert_int_equal(a->trusted, b->trusted);
    assert_int_equal(a->samples, b->samples);
    if (servet_value_known(a))
        assert_true(alike(a->value, b->value) && alike(a->low, b->low) && alike(a->high, b->high));
}

/* --- as measured ------------------------------------------------------------------------------ */

static void the_job(void **state)
{
    (void)state;
    servet_network network;
    int node = -1;
    assert_int_equal(servet_network_get(profile, &network), SERVET_OK);
    assert_string_equal(network.benchmarks, "layers,curves,scalability,distance,access");
    assert_int_equal(network.nodes, 2);
    assert_int_equal(network.ranks, 8);
    assert_int_equal(network.nodes_asked, 2);
    assert_true(network.message_bytes == 32768);
    assert_string_equal(servet_network_node(profile, 1), "node02");
    assert_null(servet_network_node(profile, 2));
    assert_null(servet_network_node(profile, -1));
    assert_int_equal(servet_network_node_of(profile, "node02.cluster.org", &node), SERVET_OK);
    assert_int_equal(node, 1);
    assert_int_equal(servet_network_node_of(profile, "node03", &node), SERVET_ENOTFOUND);
    servet_value slowness;
    assert_int_equal(servet_network_slowness(profile, 1, &slowness), SERVET_OK);
    assert_true(slowness.value == 2.5 && slowness.trusted);
    assert_int_equal(servet_network_slowness(profile, 2, &slowness), SERVET_ERANGE);
    assert_int_equal(servet_network_slowness(profile, -1, &slowness), SERVET_ERANGE);
    servet_slow_link link;
    int links;
    assert_int_equal(servet_profile_count(profile, NULL, "network.slow_links", NULL, &links),
                     SERVET_OK);
    assert_int_equal(links, 1);
    assert_int_equal(SERVET_ITEM(profile, "network.slow_links", &link, 1), SERVET_OK);
    assert_string_equal(link.from, "0");
    assert_string_equal(link.to, "1");
    assert_true(link.factor.value == 1.75 && link.confidence == 0.875 && link.trusted);
    assert_int_equal(SERVET_ITEM(profile, "network.slow_links", &link, 2), SERVET_ERANGE);
    assert_int_equal(servet_profile_count(empty, NULL, "network.slow_links", NULL, &links),
                     SERVET_EUNMEASURED);
    assert_int_equal(servet_network_slowness(empty, 0, &slowness), SERVET_EUNMEASURED);
    assert_int_equal(servet_network_get(empty, &network), SERVET_EUNMEASURED);
    assert_int_equal(servet_network_node_of(empty, "node02", &node), SERVET_EUNMEASURED);
    assert_null(servet_network_node(empty, 0));
}

static void the_layers(void **state)
{
    (void)state;
    int count = -1;
    const char *places;
    assert_int_equal(servet_network_layer_count(profile, &count), SERVET_OK);
    assert_int_equal(count, 3);
    for (int i = 1; i <= 3; i++) {
        servet_network_layer layer, expected = network_layer(i);
        assert_int_equal(servet_network_layer_get(profile, i, &layer), SERVET_OK);
        same(&expected.latency, &layer.latency);
        same(&expected.bandwidth, &layer.bandwidth);
        assert_int_equal(layer.between_nodes, expected.between_nodes);
        assert_true(layer.confidence == expected.confidence);
        assert_memory_equal(&layer.from, &expected.from, sizeof layer.from);
        assert_memory_equal(&layer.to, &expected.to, sizeof layer.to);
    }
    servet_network_layer layer;
    assert_int_equal(servet_network_layer_get(profile, 0, &layer), SERVET_ERANGE);
    assert_int_equal(servet_network_layer_get(profile, 4, &layer), SERVET_ERANGE);
    assert_int_equal(servet_network_layer_get(empty, 1, &layer), SERVET_EUNMEASURED);
    assert_int_equal(servet_network_layer_count(empty, &count), SERVET_EUNMEASURED);
    assert_int_equal(servet_network_group_count(profile, 1, &count), SERVET_OK);
    assert_int_equal(count, 3);
    assert_int_equal(servet_network_group(profile, 1, 2, &places), SERVET_OK);
    assert_string_equal(places, "1:0-3");
    assert_int_equal(servet_network_group(profile, 1, 3, &places), SERVET_ERANGE);
    assert_int_equal(servet_network_group_count(profile, 3, &count), SERVET_EUNMEASURED);
}

/* Two cores of a node that no layer within nodes joins are in no layer between nodes either. */
static void the_layer_of_a_pair(void **state)
{
    (void)state;
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
    assert_int_equal(servet_network_layer_of(empty, pairs[0].a, pairs[0].b, &layer),
                     SERVET_EUNMEASURED);
}

/* Two sockets that no layer joins: a job that was ended early. */
static void a_pair_in_no_layer(void **state)
{
    (void)state;
    static const char *const groups[] = {"0:0-3", "1:0-3"};
    int layer;
    assert_int_equal(
        record_network_layers(profile, (servet_network_layer[]){network_layer(1)}, 1, NULL),
        SERVET_OK);
    assert_int_equal(
        servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){1, 0}, &layer),
        SERVET_EUNMEASURED);
    assert_int_equal(record_network_groups(profile, 1, groups, 2, NULL), SERVET_OK);
    assert_int_equal(
        servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){0, 2}, &layer),
        SERVET_OK);
    assert_int_equal(
        servet_network_layer_of(profile, (servet_place){0, 0}, (servet_place){1, 0}, &layer),
        SERVET_EUNMEASURED);
}

/* Layer 2 is a network that is faster than the way from socket to socket, layer 3. */
static void a_pair_is_in_a_layer_of_its_kind(void **state)
{
    (void)state;
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
    assert_int_equal(record_network_layers(profile, layers, 3, NULL), SERVET_OK);
    assert_int_equal(record_network_groups(profile, 1, sockets, 4, NULL), SERVET_OK);
    assert_int_equal(record_network_groups(profile, 2, both, 1, NULL), SERVET_OK);
    assert_int_equal(record_network_groups(profile, 3, nodes, 2, NULL), SERVET_OK);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int layer = 0;
        assert_int_equal(servet_network_layer_of(profile, pairs[i].a, pairs[i].b, &layer),
                         SERVET_OK);
        assert_int_equal(layer, pairs[i].layer);
    }
}

static void points_and_protocols(void **state)
{
    (void)state;
    servet_message points[3], point;
    servet_protocol protocols[2], protocol;
    int count;
    network_curve(points);
    network_protocols(protocols);
    assert_int_equal(
        servet_profile_count(profile, NULL, "network.layers.points", (int[]){1}, &count),
        SERVET_OK);
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(SERVET_ITEM(profile, "network.layers.points", &point, 1, i + 1),
                         SERVET_OK);
        assert_true(point.bytes == points[i].bytes);
        same(&points[i].time, &point.time);
    }
    assert_int_equal(SERVET_ITEM(profile, "network.layers.points", &point, 1, 4), SERVET_ERANGE);
    assert_int_equal(
        servet_profile_count(profile, NULL, "network.layers.points", (int[]){2}, &count),
        SERVET_EUNMEASURED);
    assert_int_equal(
        servet_profile_count(profile, NULL, "network.layers.protocols", (int[]){1}, &count),
        SERVET_OK);
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(SERVET_ITEM(profile, "network.layers.protocols", &protocol, 1, i + 1),
                         SERVET_OK);
        same(&protocols[i].from, &protocol.from);
        same(&protocols[i].latency, &protocol.latency);
        same(&protocols[i].bandwidth, &protocol.bandwidth);
    }
    assert_int_equal(SERVET_ITEM(profile, "network.layers.protocols", &protocol, 2, 1),
                     SERVET_EUNMEASURED);
}

static void messages_together(void **state)
{
    (void)state;
    servet_together together[4], found;
    int count;
    network_together(together);
    assert_int_equal(
        servet_profile_count(profile, NULL, "network.layers.together", (int[]){1}, &count),
        SERVET_OK);
    assert_int_equal(count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(SERVET_ITEM(profile, "network.layers.together", &found, 1, i + 1),
                         SERVET_OK);
        assert_int_equal(found.messages, together[i].messages);
        assert_true(found.bytes == together[i].bytes);
        same(&together[i].time, &found.time);
        same(&together[i].ratio, &found.ratio);
    }
}

static void same_batch(const servet_batch *expected, const servet_batch *found)
{
    assert_int_equal(found->messages, expected->messages);
    assert_true(found->bytes == expected->bytes && found->trusted == expected->trusted);
    assert_int_equal(found->payoff, expected->payoff);
    same(&expected->in_turn, &found->in_turn);
    same(&expected->at_once, &found->at_once);
    same(&expected->as_one, &found->as_one);
    same(&expected->gain, &found->gain);
}

static void batches_and_ranges(void **state)
{
    (void)state;
    servet_batch batches[4], batch;
    servet_aggregation ranges[4], range;
    int count;
    network_batches(batches);
    network_ranges(ranges);
    assert_int_equal(
        servet_profile_count(profile, NULL, "network.layers.batches", (int[]){1}, &count),
        SERVET_OK);
    assert_int_equal(count, 4);
    assert_int_equal(
        servet_profile_count(profile, NULL, "network.layers.aggregation", (int[]){1}, &count),
        SERVET_OK);
    assert_int_equal(count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(SERVET_ITEM(profile, "network.layers.batches", &batch, 1, i + 1),
                         SERVET_OK);
        same_batch(&batches[i], &batch);
        assert_int_equal(SERVET_ITEM(profile, "network.layers.aggregation", &range, 1, i + 1),
                         SERVET_OK);
        assert_int_equal(range.messages, ranges[i].messages);
        assert_true(range.from == ranges[i].from && range.below == ranges[i].below);
        assert_true(range.unbounded == ranges[i].unbounded && range.trusted);
        assert_int_equal(range.payoff, ranges[i].payoff);
        same(&ranges[i].gain, &range.gain);
    }
    assert_int_equal(SERVET_ITEM(profile, "network.layers.batches", &batch, 1, 5), SERVET_ERANGE);
    assert_int_equal(SERVET_ITEM(profile, "network.layers.aggregation", &range, 1, 5),
                     SERVET_ERANGE);
    assert_int_equal(
        servet_profile_count(profile, NULL, "network.layers.batches", (int[]){2}, &count),
        SERVET_EUNMEASURED);
    assert_int_equal(
        servet_profile_count(profile, NULL, "network.layers.aggregation", (int[]){2}, &count),
        SERVET_EUNMEASURED);
    assert_string_equal(servet_payoff_name(SERVET_PAYOFF_LOSES), "loses");
    assert_string_equal(servet_payoff_name(SERVET_PAYOFF_COUNT), "?");
}

/* --- in between ------------------------------------------------------------------------------- */

static void near(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-12 * expected);
}

static void time_of_a_message(void **state)
{
    (void)state;
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
        assert_int_equal(servet_network_time(profile, 1, times[i].bytes, &time), SERVET_OK);
        near(time.value, times[i].microseconds * 1e-6);
        near(time.low, times[i].microseconds * 0.75e-6);
        near(time.high, times[i].microseconds * 1.5e-6);
        assert_int_equal(time.method, times[i].method);
        assert_int_equal(time.trusted, times[i].trusted);
        assert_int_equal(time.unit, SERVET_UNIT_SECOND);
    }
    assert_int_equal(servet_network_bandwidth(profile, 1, 1024, &bandwidth), SERVET_OK);
    near(bandwidth.value, 1.024e9);
    near(bandwidth.low, 1.024e9 / 1.5);
    near(bandwidth.high, 1.024e9 / 0.75);
    assert_int_equal(bandwidth.unit, SERVET_UNIT_BYTE_PER_SECOND);
    assert_int_equal(servet_network_time(profile, 1, -1, &time), SERVET_EARGUMENT);
    assert_int_equal(servet_network_time(profile, 1, NAN, &time), SERVET_EARGUMENT);
    assert_int_equal(servet_network_time(profile, 1, INFINITY, &time), SERVET_EARGUMENT);
    assert_int_equal(servet_network_bandwidth(profile, 1, 0, &time), SERVET_EARGUMENT);
    assert_int_equal(servet_network_time(profile, 2, 8, &time), SERVET_EUNMEASURED);
    assert_int_equal(servet_network_time(profile, 4, 8, &time), SERVET_ERANGE);
    assert_int_equal(servet_network_time(empty, 1, 8, &time), SERVET_EUNMEASURED);
}

static void slowdown_of_messages(void **state)
{
    (void)state;
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
        assert_int_equal(
            servet_network_slowdown(profile, 1, factors[i].bytes, factors[i].messages, &factor),
            SERVET_OK);
        near(factor.value, factors[i].factor);
        assert_int_equal(factor.method, factors[i].method);
        assert_int_equal(factor.trusted, factors[i].trusted);
    }
    assert_int_equal(servet_network_cost(profile, 1, 1024, 4, &time), SERVET_OK);
    near(time.value, 4e-6);
    near(time.low, 0.75e-6 * 3);
    near(time.high, 1.5e-6 * 6);
    assert_int_equal(time.method, SERVET_METHOD_TIMED);
    assert_int_equal(time.unit, SERVET_UNIT_SECOND);
    assert_int_equal(servet_network_cost(profile, 1, 1024, 3, &time), SERVET_OK);
    near(time.value, 3.25e-6);
    assert_int_equal(time.method, SERVET_METHOD_INTERPOLATED);
    assert_int_equal(servet_network_slowdown(profile, 1, 64, 5, &factor), SERVET_ERANGE);
    assert_int_equal(servet_network_slowdown(profile, 1, 8, 5, &factor), SERVET_ERANGE);
    assert_int_equal(servet_network_slowdown(profile, 1, 64, 0, &factor), SERVET_EARGUMENT);
    assert_int_equal(servet_network_slowdown(profile, 1, -64, 2, &factor), SERVET_EARGUMENT);
    assert_int_equal(servet_network_slowdown(profile, 2, 64, 2, &factor), SERVET_EUNMEASURED);
    assert_int_equal(servet_network_cost(profile, 2, 64, 2, &factor), SERVET_EUNMEASURED);
}

/* Alone a message has no other to slow it down, whether others were measured there or not. */
static void one_message_is_not_slowed_down(void **state)
{
    (void)state;
    servet_value factor;
    for (int layer = 1; layer <= 2; layer++)
        for (double bytes = 8; bytes < 1e7; bytes *= 5) {
            assert_int_equal(servet_network_slowdown(profile, layer, bytes, 1, &factor), SERVET_OK);
            assert_true(factor.value == 1 && factor.low == 1 && factor.high == 1 && factor.trusted);
        }
    assert_int_equal(servet_network_slowdown(profile, 4, 64, 1, &factor), SERVET_ERANGE);
}

/* If the time allowed fewer messages of one size, the other size answers, not trusted. */
static void sizes_with_other_numbers(void **state)
{
    (void)state;
    servet_together together[4];
    servet_value factor;
    network_together(together);
    assert_int_equal(record_network_together(profile, 1, together, 3, NULL), SERVET_OK);
    assert_int_equal(servet_network_slowdown(profile, 1, 256, 4, &factor), SERVET_OK);
    near(factor.value, 2);
    assert_false(factor.trusted);
    assert_int_equal(servet_network_slowdown(profile, 1, 1024, 4, &factor), SERVET_ERANGE);
    assert_int_equal(record_network_together(profile, 1, together + 1, 3, NULL), SERVET_OK);
    assert_int_equal(servet_network_slowdown(profile, 1, 64, 2, &factor), SERVET_OK);
    near(factor.value, 4. / 3);
    together[0].bytes = 32;
    assert_int_equal(
        record_network_together(profile, 1, (servet_together[]){together[0], together[3]}, 2, NULL),
        SERVET_OK);
    assert_int_equal(servet_network_slowdown(profile, 1, 64, 4, &factor), SERVET_OK);
    near(factor.value, 4); /* of 1 KiB: of 32 bytes only two messages were measured */
    assert_false(factor.trusted);
}

/* --- degradation ------------------------------------------------------------------------------ */

static void ratios(void **state)
{
    (void)state;
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
        assert_int_equal(servet_network_ratio(profile, facts[i].degradation, facts[i].at, &ratio),
                         SERVET_OK);
        near(ratio.ratio.value, facts[i].ratio);
        assert_int_equal(ratio.ratio.method, facts[i].method);
        assert_true(ratio.ratio.trusted);
        assert_int_equal(ratio.at, facts[i].at);
        assert_int_equal(ratio.nodes, facts[i].nodes);
    }
    servet_ratios about;
    assert_int_equal(servet_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about), SERVET_OK);
    assert_true(about.bytes == 1048576 && about.largest == 4 && !about.constant_total);
    assert_int_equal(servet_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &about),
                     SERVET_OK);
    assert_true(about.bytes == 33554432 && about.largest == 5 && about.constant_total);
    assert_int_equal(servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 6, &ratio),
                     SERVET_ERANGE);
    assert_int_equal(servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 0, &ratio),
                     SERVET_ERANGE);
    assert_int_equal(servet_network_ratio(profile, SERVET_DEGRADATION_COUNT, 1, &ratio),
                     SERVET_EARGUMENT);
    assert_int_equal(servet_network_ratios(empty, SERVET_DEGRADATION_ACCESS, &about),
                     SERVET_EUNMEASURED);
    int count;
    assert_int_equal(servet_network_ratios_count(empty, SERVET_DEGRADATION_ACCESS, &count),
                     SERVET_EUNMEASURED);
    assert_string_equal(servet_degradation_name(SERVET_DEGRADATION_ACCESS), "access");
    assert_string_equal(servet_degradation_name(SERVET_DEGRADATION_COUNT), "?");
}

/* Half of a mixture that is known makes no bandwidth in between. */
static void measured_more_than_once(void **state)
{
    (void)state;
    servet_ratios about;
    servet_ratio ratio;
    for (int i = 0; i < SERVET_DEGRADATION_COUNT; i++) {
        int count = 0;
        servet_degradation which = (servet_degradation)i;
        assert_int_equal(servet_network_ratios_count(profile, which, &count), SERVET_OK);
        assert_int_equal(count, 2);
        assert_int_equal(servet_network_ratios_at(profile, which, 0, &about), SERVET_OK);
        assert_true(about.bytes == network_about[i].bytes);
        assert_int_equal(servet_network_ratios_at(profile, which, 2, &about), SERVET_ERANGE);
        assert_int_equal(servet_network_ratios_at(profile, which, -1, &about), SERVET_ERANGE);
        assert_int_equal(servet_network_ratio_at(profile, which, 1, 2, &ratio), SERVET_ERANGE);
    }
    assert_int_equal(servet_network_ratio_at(profile, SERVET_DEGRADATION_DISTANCE, 1, 1, &ratio),
                     SERVET_OK);
    assert_int_equal(ratio.nodes, 2);
    assert_int_equal(servet_network_ratios_at(profile, SERVET_DEGRADATION_ACCESS, 1, &about),
                     SERVET_OK);
    assert_true(about.bytes == 512 && about.largest == 1 && about.constant_total);
    assert_int_equal(servet_network_ratios_count(profile, SERVET_DEGRADATION_COUNT, NULL),
                     SERVET_EARGUMENT);
}

static void a_ratio_without_its_bandwidth(void **state)
{
    (void)state;
    servet_ratio made[2] = {network_ratio(1, 4, 1), network_ratio(3, 4, 2)}, ratio;
    made[1].bandwidth = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    assert_int_equal(record_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &network_about[0],
                                           made, 2, NULL),
                     SERVET_OK);
    assert_int_equal(servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 2, &ratio),
                     SERVET_OK);
    near(ratio.ratio.value, 1.5);
    assert_false(servet_value_known(&ratio.bandwidth));
}

/* --- advice ----------------------------------------------------------------------------------- */

static void the_group_of_a_core(void **state)
{
    (void)state;
    int index = -1;
    const servet_place place = {1, 2}, nowhere = {1, 4};
    assert_int_equal(servet_network_group_of(profile, 1, place, &index), SERVET_OK);
    assert_int_equal(index, 2);
    assert_int_equal(servet_network_group_of(profile, 2, place, &index), SERVET_OK);
    assert_int_equal(index, 0);
    assert_int_equal(servet_network_group_of(profile, 3, place, &index), SERVET_EUNMEASURED);
    assert_int_equal(servet_network_group_of(profile, 4, place, &index), SERVET_ERANGE);
    assert_int_equal(servet_network_group_of(profile, 1, nowhere, &index), SERVET_ERANGE);
    assert_int_equal(servet_network_group_of(empty, 1, place, &index), SERVET_EUNMEASURED);
    assert_int_equal(index, 0);
}

/* Cores 0-1 and 2-3 of node 0 and all of node 1 are near one another; between nodes all are. */
static void the_nearest_cores(void **state)
{
    (void)state;
    static const servet_place expected[] = {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {1, 3}};
    const servet_place from = {0, 1}, nowhere = {2, 0};
    servet_place places[8];
    int count = -1;
    assert_int_equal(servet_network_nearest(profile, from, places, 8, &count), SERVET_OK);
    assert_int_equal(count, 5);
    assert_memory_equal(places, expected, sizeof expected);
    memset(places, 0xff, sizeof places);
    assert_int_equal(servet_network_nearest(profile, from, places, 2, &count), SERVET_OK);
    assert_int_equal(count, 2);
    assert_memory_equal(places, expected, 2 * sizeof *expected);
    assert_int_equal(places[2].node, -1);
    assert_int_equal(servet_network_nearest(profile, nowhere, places, 8, &count), SERVET_ERANGE);
    assert_int_equal(servet_network_nearest(empty, from, places, 8, &count), SERVET_EUNMEASURED);
    assert_int_equal(count, 2);
}

/* 1 us alone, times 2.5 for two of 1 KiB. */
static void the_cost_between_cores(void **state)
{
    (void)state;
    const servet_place a = {0, 0}, b = {0, 1}, far = {1, 0}, nowhere = {1, 9};
    servet_value time;
    assert_int_equal(servet_network_cost_between(profile, a, b, 1024, 1, &time), SERVET_OK);
    assert_true(time.value == 1e-6);
    assert_int_equal(servet_network_cost_between(profile, a, b, 1024, 2, &time), SERVET_OK);
    assert_true(fabs(time.value - 2.5e-6) < 1e-18);
    assert_int_equal(servet_network_cost_between(profile, a, far, 1024, 1, &time),
                     SERVET_EUNMEASURED);
    assert_int_equal(servet_network_cost_between(profile, a, nowhere, 1024, 1, &time),
                     SERVET_ERANGE);
    assert_int_equal(servet_network_cost_between(profile, a, a, 1024, 1, &time), SERVET_EARGUMENT);
    assert_int_equal(servet_network_cost_between(profile, a, b, -1, 1, &time), SERVET_EARGUMENT);
}

/* --- collective operations -------------------------------------------------------------------- */

static void collective_takes(servet_collective_op op, double bytes, int ranks, double us,
                             bool measured)
{
    servet_value time;
    assert_int_equal(servet_network_collective(profile, op, bytes, ranks, &time), SERVET_OK);
    near(time.value, 1e-6 * us);
    assert_true(time.trusted == measured && time.unit == SERVET_UNIT_SECOND);
}

static void collective_operations_as_measured(void **state)
{
    (void)state;
    collective_takes(SERVET_COLLECTIVE_BARRIER, 0, 2, 0.75, true);
    collective_takes(SERVET_COLLECTIVE_BARRIER, 8, 2, 0.75, true);
    collective_takes(SERVET_COLLECTIVE_BROADCAST, 64, 2, 3, true);
    collective_takes(SERVET_COLLECTIVE_BROADCAST, 576, 2, 4, true); /* halfway */
    collective_takes(SERVET_COLLECTIVE_BROADCAST, 8, 2, 3, false);
    collective_takes(SERVET_COLLECTIVE_BROADCAST, 2176, 2, 10, false);
    assert_string_equal(servet_collective_name(SERVET_COLLECTIVE_ALLREDUCE), "allreduce");
    assert_string_equal(servet_collective_name(SERVET_COLLECTIVE_COUNT), "?");
}

/* Layer 1 joins up to four cores, with 1 us for up to 1 KiB; two messages of 64 bytes take 1.5
 * times as long, four twice. */
static void collective_operations_as_predicted(void **state)
{
    (void)state;
    servet_value time;
    collective_takes(SERVET_COLLECTIVE_ALLREDUCE, 64, 2, 1.5, false);
    collective_takes(SERVET_COLLECTIVE_ALLREDUCE, 64, 4, 2 * 2, false);
    collective_takes(SERVET_COLLECTIVE_BROADCAST, 64, 4, 1.5 + 1,
                     false); /* one, then two at once */
    collective_takes(SERVET_COLLECTIVE_REDUCE, 64, 1, 0, false);
    assert_int_equal(
        servet_network_collective_predict(profile, SERVET_COLLECTIVE_BROADCAST, 64, 2, 4, &time),
        SERVET_OK);
    near(time.value, 2e-6);
    assert_int_equal(time.method, SERVET_METHOD_INTERPOLATED);
}

static void collective_operations_that_are_not_known(void **state)
{
    (void)state;
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
    assert_int_equal(
        servet_network_collective_predict(profile, SERVET_COLLECTIVE_REDUCE, 8, 2, 0, &time),
        SERVET_EARGUMENT);
}

/* --- batches ---------------------------------------------------------------------------------- */

static void query_batch(double bytes, int messages, servet_batch *batch)
{
    assert_int_equal(servet_network_aggregate(profile, 1, bytes, messages, batch), SERVET_OK);
    assert_int_equal(batch->messages, messages);
    assert_true(batch->bytes == bytes);
}

static void a_measured_batch_is_returned_unchanged(void **state)
{
    (void)state;
    servet_batch batches[4], batch;
    network_batches(batches);
    for (int i = 0; i < 4; i++) {
        query_batch(batches[i].bytes, batches[i].messages, &batch);
        same_batch(&batches[i], &batch);
    }
}

/* Three are halfway between two and four; one message of 3 * 64 bytes is as long as one of 2 * 96:
 * 1 us and 32/960 of 4 us more. */
static void between_numbers_of_messages(void **state)
{
    (void)state;
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
static void between_sizes_it_may_be_even(void **state)
{
    (void)state;
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
static void no_payoff_is_given_across_a_step(void **state)
{
    (void)state;
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
static void a_gain_is_as_uncertain_as_its_least_certain_neighbour(void **state)
{
    (void)state;
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
        assert_int_equal(record_network_aggregation(profile, 1, batches, 4, ranges, 2, NULL),
                         SERVET_OK);
        query_batch(544, 3, &batch);
        near(batch.gain.low, batch.gain.value * 0.5);
        near(batch.gain.high, batch.gain.value * 4);
    }
}

static void below_the_smallest_size_its_times_are_returned(void **state)
{
    (void)state;
    servet_batch batch;
    query_batch(0, 2, &batch);
    near(batch.at_once.value, 2e-6);
    near(batch.as_one.value, 1e-6);
    assert_false(batch.trusted);
}

/* Even between two sizes that pay is no limit, losing is; the limit is between measured sizes. */
static void below_a_limit_one_never_loses(void **state)
{
    (void)state;
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
    const servet_at anywhere = {.node_class = servet_profile_class_name(profile, 0),
                                .core = SERVET_ANY_CORE};
    char text[64];
    network_batches(batches);
    for (int i = 0; i < 6; i++)
        ranges[i] = (servet_aggregation){.messages = i < 5 ? 2 : 4,
                                         .from = rows[i % 5].from,
                                         .below = rows[i % 5].below,
                                         .payoff = i < 5 ? rows[i].payoff : SERVET_PAYOFF_LOSES,
                                         .gain = batches[0].gain};
    assert_int_equal(record_network_aggregation(profile, 1, batches, 4, ranges, 6, NULL),
                     SERVET_OK);
    const struct {
        const char *key, *expected;
    } answers[] = {{"layers.1.aggregation_below.2", "700"},
                   {"layers.1.aggregation_below.2.low", "64"},
                   {"layers.1.aggregation_below.2.high", "1024"},
                   {"layers.1.aggregation_below.4", "0"}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(
            servet_profile_get(profile, &anywhere, answers[i].key, text, sizeof text, NULL),
            SERVET_OK);
        assert_string_equal(text, answers[i].expected);
    }
    assert_int_equal(servet_profile_get(profile, &anywhere, "layers.1.aggregation_below.3", text,
                                        sizeof text, NULL),
                     SERVET_ERANGE);
    assert_int_equal(servet_profile_get(profile, &anywhere, "layers.2.aggregation_below.2", text,
                                        sizeof text, NULL),
                     SERVET_EUNMEASURED);
}

static void batches_beyond_are_out_of_range(void **state)
{
    (void)state;
    servet_batch batch;
    assert_int_equal(servet_network_aggregate(profile, 1, 1025, 2, &batch), SERVET_ERANGE);
    assert_int_equal(servet_network_aggregate(profile, 1, 64, 5, &batch), SERVET_ERANGE);
    assert_int_equal(servet_network_aggregate(profile, 4, 64, 2, &batch), SERVET_ERANGE);
    assert_int_equal(servet_network_aggregate(profile, 1, 64, 1, &batch), SERVET_EARGUMENT);
    assert_int_equal(servet_network_aggregate(profile, 1, -1, 2, &batch), SERVET_EARGUMENT);
    assert_int_equal(servet_network_aggregate(profile, 1, INFINITY, 2, &batch), SERVET_EARGUMENT);
    assert_int_equal(servet_network_aggregate(profile, 2, 64, 2, &batch), SERVET_EUNMEASURED);
}

/* Names of hosts come from the kernel, in any encoding; a profile has '?' for what is no UTF-8. */
static void a_job_stored_again_keeps_its_facts(void **state)
{
    (void)state;
    servet_network job = {.nodes = 2, .ranks = 2};
    const char *const nodes[] = {"n\xff", "m"}, *const others[] = {"n", "m"};
    servet_value slowness[2], value;
    slowness[0] = slowness[1] = (servet_value){.value = 1,
                                               .low = 1,
                                               .high = 1,
                                               .unit = SERVET_UNIT_NONE,
                                               .method = SERVET_METHOD_TIMED,
                                               .trusted = true};
    assert_int_equal(servet_profile_set_network(empty, &job, nodes, NULL), SERVET_OK);
    assert_int_equal(record_network_slowness(empty, slowness, 2, NULL), SERVET_OK);
    assert_int_equal(servet_profile_set_network(empty, &job, nodes, NULL), SERVET_OK);
    assert_string_equal(servet_network_node(empty, 0), "n?");
    assert_int_equal(servet_network_slowness(empty, 0, &value), SERVET_OK);
    assert_int_equal(servet_profile_set_network(empty, &job, others, NULL), SERVET_OK);
    assert_int_equal(servet_network_slowness(empty, 0, &value), SERVET_EUNMEASURED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_job, setup, teardown),
        cmocka_unit_test_setup_teardown(the_layers, setup, teardown),
        cmocka_unit_test_setup_teardown(the_layer_of_a_pair, setup, teardown),
        cmocka_unit_test_setup_teardown(a_pair_in_no_layer, setup, teardown),
        cmocka_unit_test_setup_teardown(a_pair_is_in_a_layer_of_its_kind, setup, teardown),
        cmocka_unit_test_setup_teardown(points_and_protocols, setup, teardown),
        cmocka_unit_test_setup_teardown(messages_together, setup, teardown),
        cmocka_unit_test_setup_teardown(time_of_a_message, setup, teardown),
        cmocka_unit_test_setup_teardown(slowdown_of_messages, setup, teardown),
        cmocka_unit_test_setup_teardown(one_message_is_not_slowed_down, setup, teardown),
        cmocka_unit_test_setup_teardown(sizes_with_other_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(the_group_of_a_core, setup, teardown),
        cmocka_unit_test_setup_teardown(the_nearest_cores, setup, teardown),
        cmocka_unit_test_setup_teardown(the_cost_between_cores, setup, teardown),
        cmocka_unit_test_setup_teardown(batches_and_ranges, setup, teardown),
        cmocka_unit_test_setup_teardown(a_measured_batch_is_returned_unchanged, setup, teardown),
        cmocka_unit_test_setup_teardown(between_numbers_of_messages, setup, teardown),
        cmocka_unit_test_setup_teardown(between_sizes_it_may_be_even, setup, teardown),
        cmocka_unit_test_setup_teardown(no_payoff_is_given_across_a_step, setup, teardown),
        cmocka_unit_test_setup_teardown(a_gain_is_as_uncertain_as_its_least_certain_neighbour,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(below_the_smallest_size_its_times_are_returned, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(below_a_limit_one_never_loses, setup, teardown),
        cmocka_unit_test_setup_teardown(batches_beyond_are_out_of_range, setup, teardown),
        cmocka_unit_test_setup_teardown(collective_operations_as_measured, setup, teardown),
        cmocka_unit_test_setup_teardown(collective_operations_as_predicted, setup, teardown),
        cmocka_unit_test_setup_teardown(collective_operations_that_are_not_known, setup, teardown),
        cmocka_unit_test_setup_teardown(ratios, setup, teardown),
        cmocka_unit_test_setup_teardown(measured_more_than_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_ratio_without_its_bandwidth, setup, teardown),
        cmocka_unit_test_setup_teardown(a_job_stored_again_keeps_its_facts, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
