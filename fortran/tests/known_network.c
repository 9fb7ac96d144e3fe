/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of communication: two nodes of two cores. */
#include "known.h"
#include "../../tests/record.h"

static servet_value timed(double value, servet_unit unit)
{
    return known_around(value, unit, SERVET_METHOD_TIMED);
}

static servet_value seconds(double value)
{
    return timed(value, SERVET_UNIT_SECOND);
}

static servet_value rate(double value)
{
    return timed(value, SERVET_UNIT_BYTE_PER_SECOND);
}

static servet_value factor(double value)
{
    return timed(value, SERVET_UNIT_NONE);
}

/* Layer 1 within a node, layer 2 between them: nothing but groups is known of that. */
static int add_layers(servet_profile *profile, servet_error *error)
{
    const servet_network_layer layers[] = {{.between_nodes = false,
                                            .latency = seconds(0.5),
                                            .bandwidth = rate(4096),
                                            .confidence = 0.75,
                                            .from = {.node = 1, .core = 0},
                                            .to = {.node = 1, .core = 3}},
                                           {.between_nodes = true,
                                            .latency = seconds(2),
                                            .bandwidth = rate(1024),
                                            .confidence = 0.5,
                                            .from = {.node = 0, .core = 0},
                                            .to = {.node = 1, .core = 0}}};
    const char *const near[] = {"0:0,0:3", "1:0,1:3"};
    const char *const far[] = {"0-1:0,0-1:3"};

    int code = record_network_layers(profile, layers, 2, error);
    if (!code)
        code = record_network_groups(profile, 1, near, 2, error);
    if (!code)
        code = record_network_groups(profile, 2, far, 1, error);
    return code;
}

static int add_messages(servet_profile *profile, servet_error *error)
{
    const servet_message points[] = {{.bytes = 1, .time = seconds(0.25)},
                                     {.bytes = 1024, .time = seconds(0.5)}};
    const servet_protocol protocols[] = {
        {.from = timed(64, SERVET_UNIT_BYTE), .latency = seconds(0.125), .bandwidth = rate(512)}};
    const servet_together together[] = {
        {.messages = 2, .bytes = 64, .time = seconds(0.75), .ratio = factor(1.5)},
        {.messages = 4, .bytes = 64, .time = seconds(2), .ratio = factor(4)}};
    int code = record_network_curve(profile, 1, points, 2, protocols, 1, error);
    return code ? code : record_network_together(profile, 1, together, 2, error);
}

/* 2 and 4 messages of 64 bytes; of two, one pays below 32 bytes, of four at no size. */
static int add_batches(servet_profile *profile, servet_error *error)
{
    const servet_batch batches[] = {{.messages = 2,
                                     .bytes = 64,
                                     .in_turn = seconds(1),
                                     .at_once = seconds(0.5),
                                     .as_one = seconds(0.25),
                                     .gain = factor(2),
                                     .payoff = SERVET_PAYOFF_PAYS},
                                    {.messages = 4,
                                     .bytes = 64,
                                     .in_turn = seconds(3),
                                     .at_once = seconds(1.5),
                                     .as_one = seconds(2),
                                     .gain = factor(0.75),
                                     .payoff = SERVET_PAYOFF_LOSES}};
    const servet_aggregation ranges[] = {
        {.messages = 2, .from = 8, .below = 32, .payoff = SERVET_PAYOFF_PAYS, .gain = factor(2)},
        {.messages = 4,
         .from = 8,
         .below = 64,
         .unbounded = true,
         .payoff = SERVET_PAYOFF_LOSES,
         .gain = factor(0.75)}};

    return record_network_aggregation(profile, 1, batches, 2, ranges, 2, error);
}

static int add_ratios(servet_profile *profile, servet_error *error)
{
    const servet_ratios about = {.bytes = 1048576, .largest = 0, .constant_total = true},
                        few = {.bytes = 2048, .largest = 0, .constant_total = false};
    const servet_ratio distances[] = {
        {.at = 1, .nodes = 6, .bandwidth = rate(4096), .ratio = factor(1)},
        {.at = 3, .nodes = 6, .bandwidth = rate(1024), .ratio = factor(4)}};
    const servet_ratio processes[] = {
        {.at = 1, .nodes = 2, .bandwidth = rate(4096), .ratio = factor(1)},
        {.at = 2, .nodes = 2, .bandwidth = rate(2048), .ratio = factor(2)}};

    int code =
        record_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &about, distances, 2, error);
    return code ? code
                : record_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &few, processes, 2,
                                        error);
}

/* Ratios of another job by distance: on three nodes. */
static int add_other_ratios(servet_profile *profile, servet_error *error)
{
    const servet_network network = {
        .benchmarks = "distance", .nodes = 2, .ranks = 2, .nodes_asked = 0, .message_bytes = 0};
    const char *const nodes[] = {"left", "right"};
    const servet_ratios about = {.bytes = 4096, .largest = 0, .constant_total = true};
    const servet_ratio ratio = {.at = 1, .nodes = 3, .bandwidth = rate(4096), .ratio = factor(1)};
    servet_profile *other;

    int code = servet_profile_create(&other, error);
    if (code)
        return code;
    code = servet_profile_set_network(other, &network, nodes, error);
    if (!code)
        code = record_network_ratios(other, SERVET_DEGRADATION_DISTANCE, &about, &ratio, 1, error);
    if (!code)
        code = servet_profile_merge(profile, other, error);
    servet_profile_close(other);
    return code;
}

int known_add_network(servet_profile *profile, servet_error *error)
{
    const servet_network network = {.benchmarks = "layers,distance,access",
                                    .nodes = 2,
                                    .ranks = 4,
                                    .nodes_asked = 2,
                                    .message_bytes = 2048};
    const char *const nodes[] = {"left", "right"};

    const servet_slow_link link = {.from = "0", .to = "1", .factor = factor(2), .confidence = 0.75};
    const servet_value slowness[] = {factor(1), factor(3)};

    int code = servet_profile_set_network(profile, &network, nodes, error);
    if (!code)
        code = record_network_slowness(profile, slowness, 2, error);
    if (!code)
        code = record_network_slow_links(profile, &link, 1, error);
    const servet_dimension dimension = {.nodes = 2, .step = seconds(0.5)};
    if (!code)
        code = record_network_torus(profile, &dimension, 1, error);
    const servet_collective collective = {.op = SERVET_COLLECTIVE_ALLREDUCE,
                                          .ranks = 2,
                                          .groups = 1,
                                          .bytes = 64,
                                          .time = seconds(1.5)};
    if (!code)
        code = record_network_collectives(profile, &collective, 1, error);
    const servet_bisection halves = {
        .nodes = 2, .processes = 1, .bytes = 4096, .bandwidth = rate(8.5), .usual = rate(5)};
    const servet_node_rate rates[2] = {{.bandwidth = rate(8), .lost = factor(0.25), .noisy = true},
                                       {.bandwidth = rate(2), .lost = factor(0.125), .slow = true}};
    if (!code)
        code = record_network_bisection(profile, &halves, 1, error);
    if (!code)
        code = record_network_node_rates(profile, rates, 2, error);
    if (!code)
        code = add_layers(profile, error);
    if (!code)
        code = add_messages(profile, error);
    if (!code)
        code = add_batches(profile, error);
    if (!code)
        code = add_ratios(profile, error);
    return code ? code : add_other_ratios(profile, error);
}
