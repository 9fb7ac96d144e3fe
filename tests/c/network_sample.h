/* SPDX-License-Identifier: BSD-3-Clause */
/** Facts of communication in which each field has a different value. */
#ifndef SRV_TESTS_NETWORK_SAMPLE_H
#define SRV_TESTS_NETWORK_SAMPLE_H

#include "servet/record.h"
#include "../record.h"

static inline servet_value network_value(double value, servet_unit unit)
{
    return (servet_value){value, value * 0.75, value * 1.5, 21, unit, SERVET_METHOD_TIMED, true};
}

/** Four cores on each of two nodes. */
static const servet_network network_job = {"layers,curves,scalability,distance,access", 2, 8, 2,
                                           32768};
static const char *const network_nodes[2] = {"node01", "node02"};

/** Three layers, the second between nodes; nothing else is known about the third. */
static inline servet_network_layer network_layer(int layer)
{
    return (servet_network_layer){
        .between_nodes = layer == 2,
        .latency = network_value(2.5e-6 * layer, SERVET_UNIT_SECOND),
        .bandwidth = network_value(4e9 / layer, SERVET_UNIT_BYTE_PER_SECOND),
        .confidence = 1 - 0.125 * layer,
        .from = {0, layer == 3 ? 1 : 2},
        .to = {layer == 2, 3},
    };
}
static const char *const network_groups[2][3] = {{"0:0-1", "0:2-3", "1:0-3"}, {"0-1:0-3"}};
static const int network_group_count[2] = {3, 1};

/** The curve of layer 1: 1 us for 1 byte, and for 1 KiB; 5 us for 8 KiB, not to be trusted. */
static inline void network_curve(servet_message points[3])
{
    static const double bytes[] = {1, 1024, 8192}, seconds[] = {1e-6, 1e-6, 5e-6};
    for (int i = 0; i < 3; i++)
        points[i] = (servet_message){bytes[i], network_value(seconds[i], SERVET_UNIT_SECOND)};
    points[2].time.trusted = false;
}

/** The second protocol had no message large enough to determine its bandwidth. */
static inline void network_protocols(servet_protocol protocols[2])
{
    protocols[0] = (servet_protocol){network_value(1, SERVET_UNIT_BYTE),
                                     network_value(0.875e-6, SERVET_UNIT_SECOND),
                                     network_value(1e9, SERVET_UNIT_BYTE_PER_SECOND)};
    protocols[1] = (servet_protocol){network_value(4096, SERVET_UNIT_BYTE),
                                     network_value(3e-6, SERVET_UNIT_SECOND),
                                     servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND)};
}

/** 2 and 4 messages of 64 bytes, then of 1 KiB: ratios 1.5, 2, then 2.5, 4. */
static inline void network_together(servet_together together[4])
{
    static const double bytes[] = {64, 1024}, ratios[] = {1.5, 2, 2.5, 4};
    for (int i = 0; i < 4; i++)
        together[i] = (servet_together){i % 2 ? 4 : 2, bytes[i / 2],
                                        network_value(ratios[i] * 1e-6, SERVET_UNIT_SECOND),
                                        network_value(ratios[i], SERVET_UNIT_NONE)};
}

/** 2 and 4 messages of 64 bytes and of 1 KiB: one pays below 256 and 512 bytes. */
static inline void network_batches(servet_batch batches[4])
{
    static const double us[][3] = {{3, 2, 1}, {6, 4, 5}, {5, 4, 1.25}, {12, 8, 10}};
    for (int i = 0; i < 4; i++)
        batches[i] = (servet_batch){.messages = i < 2 ? 2 : 4,
                                    .bytes = i % 2 ? 1024 : 64,
                                    .in_turn = network_value(1e-6 * us[i][0], SERVET_UNIT_SECOND),
                                    .at_once = network_value(1e-6 * us[i][1], SERVET_UNIT_SECOND),
                                    .as_one = network_value(1e-6 * us[i][2], SERVET_UNIT_SECOND),
                                    .gain = network_value(us[i][1] / us[i][2], SERVET_UNIT_NONE),
                                    .payoff = i % 2 ? SERVET_PAYOFF_LOSES : SERVET_PAYOFF_PAYS,
                                    .trusted = true};
}
static inline void network_ranges(servet_aggregation ranges[4])
{
    for (int i = 0; i < 4; i++) {
        int messages = i < 2 ? 2 : 4;
        ranges[i] = (servet_aggregation){.messages = messages,
                                         .from = i % 2 ? 128 * messages : 64,
                                         .below = i % 2 ? 1024 : 128 * messages,
                                         .unbounded = i % 2,
                                         .payoff = i % 2 ? SERVET_PAYOFF_LOSES : SERVET_PAYOFF_PAYS,
                                         .gain = network_value(i % 2 ? 0.8
                                                               : i   ? 3.2
                                                                     : 2,
                                                               SERVET_UNIT_NONE),
                                         .trusted = true};
    }
}

/** Two ranks: a barrier takes 0.75 us, a broadcast of 64 bytes 3 us, of 1088 bytes 5 us; three
 * groups of two at once 6 us. */
static inline void network_collectives(servet_collective made[4])
{
    static const servet_collective all[] = {
        {.op = SERVET_COLLECTIVE_BARRIER, .ranks = 2, .groups = 1, .bytes = 0},
        {.op = SERVET_COLLECTIVE_BROADCAST, .ranks = 2, .groups = 1, .bytes = 64},
        {.op = SERVET_COLLECTIVE_BROADCAST, .ranks = 2, .groups = 1, .bytes = 1088},
        {.op = SERVET_COLLECTIVE_BROADCAST, .ranks = 2, .groups = 3, .bytes = 64}};
    static const double us[] = {0.75, 3, 5, 6};
    for (int i = 0; i < 4; i++) {
        made[i] = all[i];
        made[i].time = network_value(1e-6 * us[i], SERVET_UNIT_SECOND);
    }
}

/** Halves of two nodes with two processes each; the second node is slow and loses a quarter. */
static inline int network_halves(servet_profile *made, servet_error *error)
{
    const servet_bisection halves = {2, 2, 16777216,
                                     network_value(2e9, SERVET_UNIT_BYTE_PER_SECOND),
                                     network_value(1e9, SERVET_UNIT_BYTE_PER_SECOND)};
    const servet_node_rate rates[2] = {{network_value(2e9, SERVET_UNIT_BYTE_PER_SECOND),
                                        network_value(0.125, SERVET_UNIT_NONE), false, false},
                                       {network_value(5e8, SERVET_UNIT_BYTE_PER_SECOND),
                                        network_value(0.25, SERVET_UNIT_NONE), true, true}};
    int code = record_network_bisection(made, &halves, 1, error);
    return code ? code : record_network_node_rates(made, rates, 2, error);
}

/** ratDist 1 and 3 at distances 1 and 5, ratNC 1, 1.25 and 2 for 1, 2 and 4 processes. */
static const servet_ratios network_about[SERVET_DEGRADATION_COUNT] = {{33554432, 5, true},
                                                                      {1048576, 4, false}};
static inline servet_ratio network_ratio(int at, int nodes, double ratio)
{
    return (servet_ratio){at, nodes, network_value(1e9 / ratio, SERVET_UNIT_BYTE_PER_SECOND),
                          network_value(ratio, SERVET_UNIT_NONE), true};
}

static inline int network_sample_layers(servet_profile *made, servet_error *error)
{
    servet_network_layer layers[3] = {network_layer(1), network_layer(2), network_layer(3)};
    servet_message points[3];
    servet_protocol protocols[2];
    servet_together together[4];
    servet_batch batches[4];
    servet_aggregation ranges[4];
    network_curve(points);
    network_protocols(protocols);
    network_together(together);
    network_batches(batches);
    network_ranges(ranges);
    int code = record_network_layers(made, layers, 3, error);
    for (int i = 0; i < 2 && code == SERVET_OK; i++)
        code = record_network_groups(made, i + 1, network_groups[i], network_group_count[i], error);
    code = code ? code : record_network_curve(made, 1, points, 3, protocols, 2, error);
    code = code ? code : record_network_together(made, 1, together, 4, error);
    code = code ? code : record_network_aggregation(made, 1, batches, 4, ranges, 4, error);
    return code;
}

/** Another job: ratDist 1 on two nodes, and ratNC 1 on eight as above, with messages of 512 bytes.
 */
static inline int network_other_job(servet_profile *made, servet_error *error)
{
    static const servet_network job = {"distance,access", 2, 2, 0, 0};
    static const servet_ratios about[SERVET_DEGRADATION_COUNT] = {{33554432, 1, true},
                                                                  {512, 1, true}};
    const servet_ratio ratios[SERVET_DEGRADATION_COUNT] = {network_ratio(1, 2, 1),
                                                           network_ratio(1, 8, 1)};
    int code = servet_profile_set_network(made, &job, network_nodes, error);
    for (int i = 0; i < SERVET_DEGRADATION_COUNT && code == SERVET_OK; i++)
        code = record_network_ratios(made, (servet_degradation)i, &about[i], &ratios[i], 1, error);
    return code;
}

static inline int network_sample_others(servet_profile *made, servet_error *error)
{
    servet_profile *other;
    int code = servet_profile_create(&other, error);
    if (code != SERVET_OK)
        return code;
    code = network_other_job(other, error);
    code = code ? code : servet_profile_merge(made, other, error);
    servet_profile_close(other);
    return code;
}

/** All of it. */
static inline int network_sample(servet_profile *made, servet_error *error)
{
    servet_ratio distances[2] = {network_ratio(1, 10, 1), network_ratio(5, 10, 3)};
    servet_ratio access[3] = {network_ratio(1, 8, 1), network_ratio(2, 4, 1.25),
                              network_ratio(4, 2, 2)};
    const servet_slow_link network_link = {.from = "0",
                                           .to = "1",
                                           .factor = network_value(1.75, SERVET_UNIT_NONE),
                                           .confidence = 0.875};
    const servet_value slowness[2] = {network_value(1, SERVET_UNIT_NONE),
                                      network_value(2.5, SERVET_UNIT_NONE)};
    int code = servet_profile_set_network(made, &network_job, network_nodes, error);
    code = code ? code : record_network_slowness(made, slowness, 2, error);
    code = code ? code : record_network_slow_links(made, &network_link, 1, error);
    const servet_dimension torus[2] = {{2, network_value(3e-6, SERVET_UNIT_SECOND)},
                                       {5, network_value(3e-6, SERVET_UNIT_SECOND)}};
    code = code ? code : record_network_torus(made, torus, 2, error);
    servet_collective collectives[4];
    network_collectives(collectives);
    code = code ? code : record_network_collectives(made, collectives, 4, error);
    code = code ? code : network_halves(made, error);
    code = code ? code : network_sample_layers(made, error);
    code = code ? code
                : record_network_ratios(made, SERVET_DEGRADATION_DISTANCE, &network_about[0],
                                        distances, 2, error);
    code = code ? code
                : record_network_ratios(made, SERVET_DEGRADATION_ACCESS, &network_about[1], access,
                                        3, error);
    return code == SERVET_OK ? network_sample_others(made, error) : code;
}

#endif
