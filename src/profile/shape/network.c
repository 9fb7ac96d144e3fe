/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication: the job, its layers, and how the network degrades. */
#include "profile/shape/shape.h"

#include <assert.h>
#include <stddef.h>

static_assert(offsetof(srv_comm, fact) == 0 && offsetof(srv_comm_layer, fact) == 0 &&
                  offsetof(srv_degradation, fact) == 0,
              "the rows of the public structs serve the stored ones");

/* --- one message ------------------------------------------------------------------------------ */

static bool larger_message(const void *a, const void *b)
{
    return ((const servet_message *)a)->bytes < ((const servet_message *)b)->bytes;
}

static const srv_field message_fields[] = {
    SRV_MEMBER(servet_message, bytes, .type = SRV_NUMBER, .range = SRV_POSITIVE,
               .unit = SERVET_UNIT_BYTE,
               .label = {"layers.N.points.M.bytes", "message size of point M, bytes", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_message, time, SERVET_UNIT_SECOND, SRV_POSITIVE, .needed = true,
                     .is_brief = true,
                     .label = {"layers.N.points.M.time_us",
                               "measured time of a message of that size, us", SRV_NOTE},
                     .detail = "half a round trip"),
    SRV_END,
};
static const srv_shape message_shape = {
    .fields = message_fields, .size = sizeof(servet_message), .follows = larger_message};

static bool larger_protocol(const void *a, const void *b)
{
    return ((const servet_protocol *)a)->from.value < ((const servet_protocol *)b)->from.value;
}

static const srv_field protocol_fields[] = {
    SRV_MEMBER_VALUE(servet_protocol, from, SERVET_UNIT_BYTE, SRV_NOT_NEGATIVE, .needed = true,
                     .label = {"layers.N.protocols.M.from",
                               "smallest message that uses the protocol, bytes", SRV_FACT}),
    SRV_MEMBER_VALUE(
        servet_protocol, latency, SERVET_UNIT_SECOND, SRV_NOT_NEGATIVE,
        .label = {"layers.N.protocols.M.latency_us", "latency of an empty message, us", SRV_FACT}),
    SRV_MEMBER_VALUE(servet_protocol, bandwidth, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE,
                     .label = {"layers.N.protocols.M.bandwidth",
                               "asymptotic bandwidth, bytes per second", SRV_FACT},
                     .detail = "null where its messages are too small to determine it"),
    SRV_END,
};
static const srv_shape protocol_shape = {
    .fields = protocol_fields, .size = sizeof(servet_protocol), .follows = larger_protocol};

/* --- many pairs at once
 * ----------------------------------------------------------------------------- */

static bool more_together(const void *a, const void *b)
{
    const servet_together *x = a, *y = b;
    return x->bytes < y->bytes || (x->bytes == y->bytes && x->messages < y->messages);
}

#define MESSAGES(struct_, fewest, key_, summary_)                                                  \
    SRV_MEMBER(struct_, messages, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = fewest,       \
               .most = SERVET_RANKS_MAX, .label = {key_, summary_, SRV_FACT})

static const srv_field together_fields[] = {
    MESSAGES(servet_together, 1, "layers.N.together.M.messages", "number of simultaneous messages"),
    SRV_MEMBER(servet_together, bytes, .type = SRV_NUMBER, .range = SRV_POSITIVE,
               .unit = SERVET_UNIT_BYTE,
               .label = {"layers.N.together.M.bytes", "size of each message, bytes", SRV_FACT}),
    SRV_MEMBER_VALUE(
        servet_together, time, SERVET_UNIT_SECOND, SRV_POSITIVE, .needed = true, .is_brief = true,
        .label = {"layers.N.together.M.time_us", "time of one of these messages, us", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_together, ratio, SERVET_UNIT_NONE, SRV_NOT_NEGATIVE, .needed = true,
                     .is_brief = true,
                     .label = {"layers.N.together.M.ratio",
                               "that time divided by the time of a message alone", SRV_FACT}),
    SRV_END,
};
static const srv_shape together_shape = {
    .fields = together_fields, .size = sizeof(servet_together), .follows = more_together};

/* --- batches ---------------------------------------------------------------------------------- */

static const char *const payoff_texts[] = {SERVET_PAYOFF_LIST(SRV_TEXT_OF)};
static const srv_words payoffs = SRV_WORDS(payoff_texts);

SRV_NAMES(servet_payoff_name, servet_payoff, SERVET_PAYOFF_LIST)

static bool larger_batch(const void *a, const void *b)
{
    const servet_batch *x = a, *y = b;
    return x->messages < y->messages || (x->messages == y->messages && x->bytes < y->bytes);
}

#define BATCH_TIME(member, summary_)                                                               \
    SRV_MEMBER_VALUE(servet_batch, member, SERVET_UNIT_SECOND, SRV_POSITIVE, .needed = true,       \
                     .is_brief = true,                                                             \
                     .label = {"layers.N.batches.M." #member "_us", summary_, SRV_NOTE})
#define GAIN(struct_, key_, summary_)                                                              \
    SRV_MEMBER_VALUE(struct_, gain, SERVET_UNIT_NONE, SRV_POSITIVE, .needed = true,                \
                     .is_brief = true, .label = {key_, summary_, SRV_NOTE})
#define PAYOFF(struct_, key_)                                                                      \
    SRV_MEMBER(struct_, payoff, .type = SRV_WORD, .words = &payoffs,                               \
               .label = {key_, "pays: one message is faster; loses; even: no difference of 2 %",   \
                         SRV_NOTE})

static const srv_field batch_fields[] = {
    SRV_MEMBER(servet_batch, messages, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 2,
               .most = SERVET_RANKS_MAX,
               .label = {"layers.N.batches.M.messages",
                         "number of messages of a batch, from one process to another", SRV_NOTE}),
    SRV_MEMBER(
        servet_batch, bytes, .type = SRV_NUMBER, .range = SRV_POSITIVE, .unit = SERVET_UNIT_BYTE,
        .label = {"layers.N.batches.M.bytes", "size of each of its messages, bytes", SRV_NOTE}),
    BATCH_TIME(in_turn, "time of the batch by blocking sends, one after the other, us"),
    BATCH_TIME(at_once, "time of the batch by non-blocking sends, waited for together, us"),
    BATCH_TIME(as_one, "time of one message with all its bytes, written before and read after, us"),
    GAIN(servet_batch, "layers.N.batches.M.gain",
         "the smaller of in_turn and at_once, divided by as_one"),
    PAYOFF(servet_batch, "layers.N.batches.M.payoff"),
    SRV_END,
};
static const srv_shape batch_shape = {
    .fields = batch_fields, .size = sizeof(servet_batch), .follows = larger_batch};

static bool next_range(const void *a, const void *b)
{
    const servet_aggregation *x = a, *y = b;
    return x->messages < y->messages || (x->messages == y->messages && x->below <= y->from);
}

static int check_range(const void *item, srv_json_path *where)
{
    const servet_aggregation *range = item;
    return range->from <= range->below ? SERVET_OK
                                       : srv_json_path_fail(where, "begins behind its end");
}

static const srv_field aggregation_fields[] = {
    SRV_MEMBER(servet_aggregation, messages, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 2,
               .most = SERVET_RANKS_MAX,
               .label = {"layers.N.aggregation.M.messages",
                         "number of messages from one process to another", SRV_NOTE}),
    SRV_MEMBER(
        servet_aggregation, from, .type = SRV_NUMBER, .range = SRV_POSITIVE,
        .unit = SERVET_UNIT_BYTE,
        .label = {"layers.N.aggregation.M.from", "smallest size of each message, bytes", SRV_NOTE}),
    SRV_MEMBER(servet_aggregation, below, .type = SRV_NUMBER, .range = SRV_POSITIVE,
               .unit = SERVET_UNIT_BYTE,
               .label = {"layers.N.aggregation.M.below", "each message is smaller than this, bytes",
                         SRV_NOTE}),
    SRV_MEMBER(servet_aggregation, unbounded, .type = SRV_BOOL,
               .label = {"layers.N.aggregation.M.unbounded", "yes: up to the largest measured size",
                         SRV_NOTE}),
    PAYOFF(servet_aggregation, "layers.N.aggregation.M.payoff"),
    GAIN(servet_aggregation, "layers.N.aggregation.M.gain",
         "time of several messages divided by that of one, at these sizes"),
    SRV_END,
};
static const srv_shape aggregation_shape = {.fields = aggregation_fields,
                                            .size = sizeof(servet_aggregation),
                                            .follows = next_range,
                                            .check = check_range};

/* --- layers ----------------------------------------------------------------------------------- */

static const srv_field place_fields[] = {
    SRV_MEMBER(servet_place, node, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE,
               .detail = "number in the list of nodes, from 0"),
    SRV_MEMBER(servet_place, core, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE,
               .detail = "OS number"),
    SRV_END,
};
static const srv_shape place_shape = {
    .name = "place", .fields = place_fields, .size = sizeof(servet_place)};

static const srv_derived times[] = {
    {.label = {"layers.N.time_us.M", "time of a message of M bytes, us", SRV_FACT},
     .detail = "interpolated between measured sizes; beyond the largest with its bandwidth",
     .derivation = SRV_DERIVE_TIME},
    {.label = {NULL, NULL, SRV_FACT}},
};
static const srv_derived slowdowns[] = {
    {.label = {"layers.N.slowdown.M", "slowdown of M simultaneous messages", SRV_NOTE},
     .detail = "for messages of network.message_bytes",
     .derivation = SRV_DERIVE_SLOWDOWN},
    {.label = {NULL, NULL, SRV_FACT}},
};

static const srv_derived limits[] = {
    {.label = {"layers.N.aggregation_below.M",
               "M messages to one process that are smaller than this are better sent as one, bytes",
               SRV_FACT},
     .detail = "no size below it loses; larger ones may pay again (layers.N.aggregation)",
     .derivation = SRV_DERIVE_AGGREGATION},
    {.label = {NULL, NULL, SRV_FACT}},
};

static const srv_field layer_fields[] = {
    SRV_MEMBER(
        servet_network_layer, between_nodes, .type = SRV_BOOL,
        .label = {"layers.N.between_nodes", "yes: between nodes; no: within a node", SRV_NOTE}),
    SRV_MEMBER_VALUE(servet_network_layer, latency, SERVET_UNIT_SECOND, SRV_NOT_NEGATIVE,
                     .label = {"layers.N.latency_us",
                               "time of a message of network.message_bytes, us", SRV_FACT}),
    SRV_MEMBER_VALUE(
        servet_network_layer, bandwidth, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE,
        .label = {"layers.N.bandwidth", "bandwidth of such a message, bytes per second", SRV_FACT}),
    SRV_MEMBER_CONFIDENCE(servet_network_layer, "layers.N.confidence",
                          "probability that the layer is distinct"),
    SRV_MEMBER(
        servet_network_layer, from, .type = SRV_OBJECT, .shape = &place_shape,
        .label = {"layers.N.from", "first core of the measured pair, as node:core", SRV_NOTE}),
    SRV_MEMBER(servet_network_layer, to, .type = SRV_OBJECT, .shape = &place_shape,
               .label = {"layers.N.to", "second core of the measured pair, as node:core", SRV_NOTE},
               .detail = "the curve is of these two cores"),
    SRV_MEMBER(srv_comm_layer, groups, .type = SRV_PLACES,
               .label = {"layers.N.groups", "sets of node:core connected by this or faster layers",
                         SRV_FACT},
               .detail =
                   "separately within nodes and between nodes; no core is in two of them; 0-3:0-15 "
                   "are the cores 0 to 15 of each of the first four nodes of the job"),
    SRV_MEMBER(srv_comm_layer, curve, .type = SRV_FACTS, .shape = &message_shape,
               .max = SRV_ITEMS_MAX, .derived = times,
               .label = {"layers.N.points.count", "number of points of the curve of message sizes",
                         SRV_EXTENT},
               .noun = "points", .detail = "time of one message, sizes ascending"),
    SRV_MEMBER(srv_comm_layer, protocols, .type = SRV_FACTS, .shape = &protocol_shape,
               .max = SRV_ITEMS_MAX,
               .label = {"layers.N.protocols.count",
                         "number of detected protocols of the MPI library", SRV_FACT},
               .noun = "protocols",
               .detail = "the curve in straight pieces, ascending: seconds = latency + bytes / "
                         "bandwidth"),
    SRV_MEMBER(srv_comm_layer, together, .type = SRV_FACTS, .shape = &together_shape,
               .max = SRV_ITEMS_MAX, .derived = slowdowns,
               .label = {"layers.N.together.count",
                         "number of measurements of simultaneous messages", SRV_FACT},
               .noun = "measurements",
               .detail =
                   "each message between another pair; sorted by size, then by number of messages"),
    SRV_MEMBER(
        srv_comm_layer, batches, .type = SRV_FACTS, .shape = &batch_shape, .max = SRV_ITEMS_MAX,
        .label = {"layers.N.batches.count", "number of measured batches of messages", SRV_EXTENT},
        .noun = "batches",
        .detail = "several messages to one process, one after the other, at once, and as one; "
                  "sorted by number of messages, then by size"),
    SRV_MEMBER(
        srv_comm_layer, aggregation, .type = SRV_FACTS, .shape = &aggregation_shape,
        .max = SRV_ITEMS_MAX, .derived = limits,
        .label = {"layers.N.aggregation.count",
                  "number of ranges of sizes where several messages as one pay, or not",
                  SRV_EXTENT},
        .noun = "ranges",
        .detail =
            "sorted by number of messages; the ranges of each number cover all measured sizes"),
    SRV_END,
};
const srv_shape srv_comm_layer_shape = {
    .name = "layer", .fields = layer_fields, .size = sizeof(srv_comm_layer)};

/* --- degradation ------------------------------------------------------------------------------ */

static int nodes_of(const srv_degradation *degradation)
{
    const servet_ratio *ratios = degradation->ratios.items;
    return degradation->ratios.count ? ratios[0].nodes : 0;
}

int srv_degradation_order(const srv_degradation *a, const srv_degradation *b)
{
    int nodes = nodes_of(a) - nodes_of(b);
    return nodes ? nodes : (a->fact.bytes > b->fact.bytes) - (a->fact.bytes < b->fact.bytes);
}

static bool farther(const void *a, const void *b)
{
    return ((const servet_ratio *)a)->at < ((const servet_ratio *)b)->at;
}

/* The reference of the ratios comes first. */
static int check_degradation(const void *item, srv_json_path *where)
{
    const srv_list *ratios = &((const srv_degradation *)item)->ratios;
    if (((const servet_ratio *)ratios->items)->at == 1)
        return SERVET_OK;
    srv_json_path_enter(where, "ratios");
    return srv_json_path_fail(where, "the first ratio is not that of 1");
}

/* Ratios of one measurement, whose keys begin with `path`; `number` is the placeholder for one of
 * them. */
#define DEGRADATION(name, path, number, ratios_, at_)                                              \
    static const srv_field name##_ratio_fields[] = {                                               \
        SRV_MEMBER(servet_ratio, at, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,         \
                   .most = SERVET_RATIO_MAX, .label = {path number ".at", at_, SRV_FACT}),         \
        SRV_MEMBER(servet_ratio, nodes, .type = SRV_INTEGER, .range = SRV_POSITIVE,                \
                   .label = {path number ".nodes", "number of nodes that took part", SRV_FACT}),   \
        SRV_MEMBER_VALUE(                                                                          \
            servet_ratio, bandwidth, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE,                \
            .is_brief = true,                                                                      \
            .label = {path number ".bandwidth",                                                    \
                      "bandwidth of one message while all are sent, bytes per second", SRV_FACT}), \
        SRV_MEMBER_VALUE(servet_ratio, ratio, SERVET_UNIT_NONE, SRV_NOT_NEGATIVE, .needed = true,  \
                         .is_brief = true,                                                         \
                         .label = {path number ".ratio",                                           \
                                   "bandwidth at 1 divided by this bandwidth", SRV_FACT}),         \
        SRV_END,                                                                                   \
    };                                                                                             \
    static const srv_shape name##_ratio_shape = {                                                  \
        .fields = name##_ratio_fields, .size = sizeof(servet_ratio), .follows = farther};          \
    static const srv_field name##_fields[] = {                                                     \
        SRV_MEMBER(servet_ratios, bytes, .type = SRV_NUMBER, .range = SRV_POSITIVE,                \
                   .unit = SERVET_UNIT_BYTE,                                                       \
                   .label = {path "bytes", "size of the messages, bytes", SRV_FACT}),              \
        SRV_MEMBER(servet_ratios, constant_total, .type = SRV_BOOL,                                \
                   .label = {path "constant_total", "yes: the same number of processes for each",  \
                             SRV_FACT}),                                                           \
        SRV_MEMBER(srv_degradation, ratios, .type = SRV_LIST, .shape = &name##_ratio_shape,        \
                   .max = SERVET_RATIO_MAX, .needed = true,                                        \
                   .label = {path "count", ratios_, SRV_FACT}, .noun = "ratios",                   \
                   .detail = "ascending from 1"),                                                  \
        SRV_END,                                                                                   \
    };                                                                                             \
    static const srv_shape name##_shape = {                                                        \
        .fields = name##_fields, .size = sizeof(srv_degradation), .check = check_degradation};
DEGRADATION(distance, "network.distance.", "N", "number of measured distances", "distance")
DEGRADATION(access, "network.access.", "N", "how many numbers of processes were measured",
            "number of processes per node")
DEGRADATION(other_distance, "network.other_distance.N.", "M", "number of measured values",
            "distance")
DEGRADATION(other_access, "network.other_access.N.", "M", "number of measured values",
            "number of processes per node")

/* --- the job ---------------------------------------------------------------------------------- */

static int check_pairs(const srv_comm *comm, srv_json_path *where)
{
    const srv_comm_layer *layers = comm->layers.items;
    for (int i = 0; i < comm->layers.count; i++) {
        const servet_network_layer *layer = &layers[i].fact;
        if (layer->from.node < comm->nodes.count && layer->to.node < comm->nodes.count)
            continue;
        srv_json_path_enter(where, "layers");
        srv_json_path_enter_item(where, i);
        return srv_json_path_fail(where, "the pair is on nodes that took no part");
    }
    return SERVET_OK;
}

#define OTHERS_NAME(number, text) "other_" text,
/* The one that queries read comes first, where it is there. */
static int check_others(const srv_comm *comm, servet_degradation which, srv_json_path *where)
{
    static const char *const names[] = {SERVET_DEGRADATION_LIST(OTHERS_NAME)};
    const srv_degradation *before =
        comm->degradation[which].count ? comm->degradation[which].items : NULL;
    const srv_degradation *others = comm->others[which].items;
    for (int i = 0; i < comm->others[which].count; before = &others[i++])
        if (before && srv_degradation_order(before, &others[i]) <= 0) {
            srv_json_path_enter(where, names[which]);
            srv_json_path_enter_item(where, i);
            return srv_json_path_fail(where, "does not count less than the one before");
        }
    return SERVET_OK;
}

static int check_comm(const void *item, srv_json_path *where)
{
    const srv_comm *comm = item;
    int nodes = comm->nodes.count;
    if (nodes > comm->fact.ranks)
        return srv_json_path_fail(where, "%d processes took part on %d nodes", comm->fact.ranks,
                                  nodes);
    if (comm->fact.nodes_asked > nodes)
        return srv_json_path_fail(where, "%d of %d nodes were measured", comm->fact.nodes_asked,
                                  nodes);
    int code = check_pairs(comm, where);
    for (int i = 0; i < SERVET_DEGRADATION_COUNT && code == SERVET_OK; i++)
        code = check_others(comm, (servet_degradation)i, where);
    return code;
}

static const srv_field slow_link_fields[] = {
    SRV_CHARS(servet_slow_link, from, .needed = true, .is_set = true,
              .label = {"network.slow_links.N.from", "nodes at one end of slow link N", SRV_NOTE}),
    SRV_CHARS(servet_slow_link, to, .needed = true, .is_set = true,
              .label = {"network.slow_links.N.to", "nodes at its other end", SRV_NOTE}),
    SRV_MEMBER_VALUE(
        servet_slow_link, factor, SERVET_UNIT_NONE, SRV_POSITIVE, .needed = true,
        .label = {"network.slow_links.N.factor",
                  "time of its messages divided by that of the other messages of both ends",
                  SRV_FACT}),
    SRV_MEMBER_CONFIDENCE(servet_slow_link, "network.slow_links.N.confidence",
                          "probability that it is slow"),
    SRV_END,
};
static const srv_shape slow_link_shape = {.fields = slow_link_fields,
                                          .size = sizeof(servet_slow_link)};

static const srv_derived distance_ratios[] = {
    {.label = {"network.distance_ratio.N", "ratDist: bandwidth at distance 1 divided by that at N",
               SRV_NOTE},
     .detail = "interpolated between measured distances",
     .derivation = SRV_DERIVE_DISTANCE_RATIO},
    {.label = {"network.distance_ratio.count", "largest measured distance", SRV_NOTE},
     .derivation = SRV_DERIVE_LARGEST_DISTANCE},
    {.label = {NULL, NULL, SRV_FACT}},
};
static const srv_derived access_ratios[] = {
    {.label = {"network.access_ratio.N",
               "ratNC: bandwidth of 1 process of a node divided by that of N", SRV_NOTE},
     .derivation = SRV_DERIVE_ACCESS_RATIO},
    {.label = {"network.access_ratio.count", "largest measured number of processes of a node",
               SRV_NOTE},
     .derivation = SRV_DERIVE_MOST_PROCESSES},
    {.label = {NULL, NULL, SRV_FACT}},
};

#define RATIOS(number, name_, summary_)                                                            \
    {                                                                                              \
        .name = #name_, .type = SRV_MAYBE, .offset = offsetof(srv_comm, degradation[number]),      \
        .shape = &name_##_shape, .derived = name_##_ratios, .detail = summary_                     \
    }
#define OTHERS(number, name_, symbol)                                                              \
    {                                                                                              \
        .name = #name_, .type = SRV_FACTS, .max = SRV_ITEMS_MAX,                                   \
        .offset = offsetof(srv_comm, others[number]), .shape = &name_##_shape,                     \
        .label = {"network." #name_ ".count", "number of further measurements of " symbol,         \
                  SRV_FACT},                                                                       \
        .noun = "measurements",                                                                    \
        .detail = "on fewer nodes, or on the same number with smaller messages; sorted by nodes, " \
                  "then by message size, largest first"                                            \
    }

static const srv_field comm_fields[] = {
    SRV_CHARS(servet_network, benchmarks,
              .label = {"network.benchmarks", "benchmarks that were run, in order", SRV_NOTE}),
    SRV_MEMBER(servet_network, ranks, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,
               .most = SERVET_RANKS_MAX,
               .label = {"network.ranks", "number of MPI processes of the job", SRV_FACT}),
    SRV_MEMBER(servet_network, nodes_asked, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE,
               .label = {"network.nodes_asked", "number of nodes measured for layers between nodes",
                         SRV_FACT},
               .detail = "other nodes are in none of the groups"),
    SRV_MEMBER(servet_network, message_bytes, .type = SRV_NUMBER, .range = SRV_NOT_NEGATIVE,
               .unit = SERVET_UNIT_BYTE,
               .label = {"network.message_bytes",
                         "size of the messages that determined the layers, bytes", SRV_FACT},
               .detail = "0: no messages did"),
    SRV_MEMBER(srv_comm, nodes, .type = SRV_STRINGS, .needed = true,
               .label = {"network.nodes", "number of nodes of the job", SRV_FACT},
               .items = {"network.node.N", "host name of node N", SRV_NOTE}, .noun = "nodes",
               .detail = "host names; groups call them 0, 1, ..."),
    SRV_MEMBER_VALUES(srv_comm, slowness, SERVET_UNIT_NONE, SRV_NOT_NEGATIVE,
                      .label = {"network.slowness.count",
                                "number of nodes whose slowness was measured", SRV_EXTENT},
                      .items = {"network.slowness.N",
                                "time of messages of node N divided by that of others", SRV_FACT},
                      .noun = "nodes",
                      .detail = "from 1.5 on a node is slow, and takes no part in ratDist and "
                                "ratNC; null if no node is slow"),
    SRV_MEMBER(
        srv_comm, slow_links, .type = SRV_FACTS, .shape = &slow_link_shape, .max = SRV_COUNT_MAX,
        .label = {"network.slow_links.count", "number of slow links between nodes", SRV_FACT},
        .noun = "links",
        .detail = "between nodes, or switches, whose other links are sound; null if fewer than "
                  "four nodes were sound"),
    SRV_MEMBER(
        srv_comm, layers, .type = SRV_FACTS, .shape = &srv_comm_layer_shape, .max = SRV_ITEMS_MAX,
        .label = {"layers.count", "number of communication layers", SRV_FACT}, .noun = "layers",
        .detail = "pairs of cores with equal message cost, the fastest first"),
    SRV_MEMBER(srv_comm, modes, .type = SRV_FACTS, .shape = &srv_bimodal_shape,
               .max = SRV_ITEMS_MAX, .detail = SRV_MODES_DETAIL),
    SRV_MEMBER(srv_comm, doubts, .type = SRV_FACTS, .shape = &srv_doubt_shape, .max = SRV_ITEMS_MAX,
               .detail = SRV_DOUBTS_DETAIL),
    RATIOS(SERVET_DEGRADATION_DISTANCE, distance, "ratDist: by distance of the nodes"),
    OTHERS(SERVET_DEGRADATION_DISTANCE, other_distance, "ratDist"),
    RATIOS(SERVET_DEGRADATION_ACCESS, access, "ratNC: by processes of a node that send at once"),
    OTHERS(SERVET_DEGRADATION_ACCESS, other_access, "ratNC"),
    SRV_END,
};
const srv_shape srv_comm_shape = {
    .name = "network", .fields = comm_fields, .size = sizeof(srv_comm), .check = check_comm};
