/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication: the job, its layers, and how the network degrades. */
#include "profile/shape/shape.h"

#include <assert.h>
#include <stddef.h>

static_assert(offsetof(srv_comm, fact) == 0 && offsetof(srv_comm_layer, fact) == 0 &&
                  offsetof(srv_degradation, fact) == 0,
              "the rows of the public structs serve the stored ones");

/* --- one message ------------------------------------------------------------------------------ */

static const srv_field message_fields[] = {
    SRV_MEMBER_SIZE(servet_message, bytes, .label = {"message size of point M, bytes", SRV_NOTE}),
    SRV_MEMBER_US(servet_message, time, SRV_POSITIVE, .needed = true, .is_brief = true,
                  .label = {"measured time of a message of that size, us", SRV_NOTE},
                  .detail = "half a round trip"),
    SRV_END,
};
static const srv_shape message_shape = {
    .fields = message_fields, .size = sizeof(servet_message), .order = {"bytes"}};

static const srv_field protocol_fields[] = {
    SRV_MEMBER_VALUE(servet_protocol, from, SERVET_UNIT_BYTE, SRV_NOT_NEGATIVE, .needed = true,
                     .label = {"smallest message that uses the protocol, bytes", SRV_FACT}),
    SRV_MEMBER_US(servet_protocol, latency, SRV_NOT_NEGATIVE,
                  .label = {"latency of an empty message, us", SRV_FACT}),
    SRV_MEMBER_RATE(servet_protocol, bandwidth,
                    .label = {"asymptotic bandwidth, bytes per second", SRV_FACT},
                    .detail = "null where its messages are too small to determine it"),
    SRV_END,
};
static const srv_shape protocol_shape = {
    .fields = protocol_fields, .size = sizeof(servet_protocol), .order = {"from"}};

/* --- many pairs at once
 * ----------------------------------------------------------------------------- */

#define MESSAGES(struct_, fewest, summary_, weight_)                                               \
    SRV_MEMBER(struct_, messages, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = fewest,       \
               .most = SERVET_RANKS_MAX, .label = {summary_, weight_})

static const srv_field together_fields[] = {
    MESSAGES(servet_together, 1, "number of simultaneous messages", SRV_FACT),
    SRV_MEMBER_SIZE(servet_together, bytes, .label = {"size of each message, bytes", SRV_FACT}),
    SRV_MEMBER_US(servet_together, time, SRV_POSITIVE, .needed = true, .is_brief = true,
                  .label = {"time of one of these messages, us", SRV_NOTE}),
    SRV_MEMBER_VALUE(
        servet_together, ratio, SERVET_UNIT_NONE, SRV_NOT_NEGATIVE, .needed = true,
        .is_brief = true,
        .label = {"time of one of these messages divided by that of a message alone", SRV_FACT}),
    SRV_END,
};
static const srv_shape together_shape = {
    .fields = together_fields, .size = sizeof(servet_together), .order = {"bytes", "messages"}};

/* --- batches ---------------------------------------------------------------------------------- */

static const char *const payoff_texts[] = {SERVET_PAYOFF_LIST(SRV_TEXT_OF)};
static const srv_words payoffs = SRV_WORDS(payoff_texts);

SRV_NAMES(servet_payoff_name, servet_payoff, SERVET_PAYOFF_LIST)

#define BATCH_TIME(member, summary_)                                                               \
    SRV_MEMBER_US(servet_batch, member, SRV_POSITIVE, .needed = true, .is_brief = true,            \
                  .label = {summary_, SRV_NOTE})
#define GAIN(struct_, summary_)                                                                    \
    SRV_MEMBER_VALUE(struct_, gain, SERVET_UNIT_NONE, SRV_POSITIVE, .needed = true,                \
                     .is_brief = true, .label = {summary_, SRV_NOTE})
#define PAYOFF(struct_)                                                                            \
    SRV_MEMBER(                                                                                    \
        struct_, payoff, .type = SRV_WORD, .words = &payoffs,                                      \
        .label = {"pays: one message is faster; loses; even: no difference of 2 %", SRV_NOTE})

static const srv_field batch_fields[] = {
    MESSAGES(servet_batch, 2, "number of messages of a batch, from one process to another",
             SRV_NOTE),
    SRV_MEMBER_SIZE(servet_batch, bytes,
                    .label = {"size of each of its messages, bytes", SRV_NOTE}),
    BATCH_TIME(in_turn, "time of the batch by blocking sends, one after the other, us"),
    BATCH_TIME(at_once, "time of the batch by non-blocking sends, waited for together, us"),
    BATCH_TIME(as_one, "time of one message with all its bytes, written before and read after, us"),
    GAIN(servet_batch, "the smaller of in_turn and at_once, divided by as_one"),
    PAYOFF(servet_batch),
    SRV_END,
};
static const srv_shape batch_shape = {
    .fields = batch_fields, SRV_WHOLE(servet_batch), .order = {"messages", "bytes"}};

static int check_range(const void *item, srv_json_path *where)
{
    const servet_aggregation *range = item;
    return range->from <= range->below ? SERVET_OK
                                       : srv_json_path_fail(where, "begins behind its end");
}

static const srv_field aggregation_fields[] = {
    MESSAGES(servet_aggregation, 2, "number of messages from one process to another", SRV_NOTE),
    SRV_MEMBER_SIZE(servet_aggregation, from,
                    .label = {"smallest size of each message, bytes", SRV_NOTE}),
    SRV_MEMBER_SIZE(servet_aggregation, below,
                    .label = {"each message is smaller than this, bytes", SRV_NOTE}),
    SRV_MEMBER(servet_aggregation, unbounded, .type = SRV_BOOL,
               .label = {"yes: up to the largest measured size", SRV_NOTE}),
    PAYOFF(servet_aggregation),
    GAIN(servet_aggregation, "time of several messages divided by that of one, at these sizes"),
    SRV_END,
};
static const srv_shape aggregation_shape = {.fields = aggregation_fields,
                                            SRV_WHOLE(servet_aggregation),
                                            .order = {"messages", "from"},
                                            .end = "below",
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
    {.name = "time_us.#",
     .label = {"time of a message of M bytes, us", SRV_FACT},
     .detail = "interpolated between measured sizes; beyond the largest with its bandwidth",
     .unit = SRV_UNIT_MICROSECOND,
     .derivation = SRV_DERIVE_TIME},
    {.name = NULL},
};
static const srv_derived slowdowns[] = {
    {.name = "slowdown.#",
     .label = {"slowdown of M simultaneous messages", SRV_NOTE},
     .detail = "for messages of network.message_bytes",
     .derivation = SRV_DERIVE_SLOWDOWN},
    {.name = NULL},
};

static const srv_derived limits[] = {
    {.name = "aggregation_below.#",
     .label = {"M messages to one process that are smaller than this are better sent as one, bytes",
               SRV_FACT},
     .detail = "no size below it loses; larger ones may pay again (layers.N.aggregation)",
     .derivation = SRV_DERIVE_AGGREGATION},
    {.name = NULL},
};

static const srv_field layer_fields[] = {
    SRV_MEMBER(servet_network_layer, between_nodes, .type = SRV_BOOL,
               .label = {"yes: between nodes; no: within a node", SRV_NOTE}),
    SRV_MEMBER_US(servet_network_layer, latency, SRV_NOT_NEGATIVE,
                  .label = {"time of a message of network.message_bytes, us", SRV_FACT}),
    SRV_MEMBER_RATE(servet_network_layer, bandwidth,
                    .label = {"bandwidth of such a message, bytes per second", SRV_FACT}),
    SRV_MEMBER_CONFIDENCE(servet_network_layer, "probability that the layer is distinct"),
    SRV_MEMBER(servet_network_layer, from, .type = SRV_OBJECT, .shape = &place_shape,
               .label = {"first core of the measured pair, as node:core", SRV_NOTE}),
    SRV_MEMBER(servet_network_layer, to, .type = SRV_OBJECT, .shape = &place_shape,
               .label = {"second core of the measured pair, as node:core", SRV_NOTE},
               .detail = "the curve is of these two cores"),
    SRV_MEMBER(srv_comm_layer, groups, .type = SRV_PLACES,
               .label = {"sets of node:core connected by this or faster layers", SRV_FACT},
               .detail =
                   "separately within nodes and between nodes; no core is in two of them; 0-3:0-15 "
                   "are the cores 0 to 15 of each of the first four nodes of the job"),
    SRV_NAMED_FACTS("points", srv_comm_layer, curve, &message_shape, .derived = times,
                    .label = {"number of points of the curve of message sizes", SRV_EXTENT},
                    .noun = "points", .detail = "time of one message, sizes ascending"),
    SRV_MEMBER_FACTS(
        srv_comm_layer, protocols, &protocol_shape,
        .label = {"number of detected protocols of the MPI library", SRV_FACT}, .noun = "protocols",
        .detail = "the curve in straight pieces, ascending: seconds = latency + bytes / "
                  "bandwidth"),
    SRV_MEMBER_FACTS(
        srv_comm_layer, together, &together_shape, .derived = slowdowns,
        .label = {"number of measurements of simultaneous messages", SRV_FACT},
        .noun = "measurements",
        .detail = "each message between another pair; sorted by size, then by number of messages"),
    SRV_MEMBER_FACTS(
        srv_comm_layer, batches, &batch_shape,
        .label = {"number of measured batches of messages", SRV_EXTENT}, .noun = "batches",
        .detail = "several messages to one process, one after the other, at once, and as one; "
                  "sorted by number of messages, then by size"),
    SRV_MEMBER_FACTS(
        srv_comm_layer, aggregation, &aggregation_shape, .derived = limits,
        .label = {"number of ranges of sizes where several messages as one pay, or not",
                  SRV_EXTENT},
        .noun = "ranges",
        .detail =
            "sorted by number of messages; the ranges of each number cover all measured sizes"),
    SRV_END,
};
static const srv_shape comm_layer_shape = {.name = "layer",
                                           .fields = layer_fields,
                                           .size = sizeof(srv_comm_layer),
                                           SRV_PART(servet_network_layer)};

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

/* Checks that the reference of the ratios comes first. */
static int check_degradation(const void *item, srv_json_path *where)
{
    const srv_list *ratios = &((const srv_degradation *)item)->ratios;
    if (!ratios->count || ((const servet_ratio *)ratios->items)->at == 1)
        return SERVET_OK;
    srv_json_path_enter(where, "ratios");
    return srv_json_path_fail(where, "the first ratio is not that of 1");
}

static const srv_field ratio_fields[] = {
    SRV_MEMBER(servet_ratio, at, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,
               .most = SERVET_RATIO_MAX,
               .label = {"distance, or number of processes per node", SRV_FACT}),
    SRV_MEMBER(servet_ratio, nodes, .type = SRV_INTEGER, .range = SRV_POSITIVE,
               .label = {"number of nodes that took part", SRV_FACT}),
    SRV_MEMBER_RATE(
        servet_ratio, bandwidth, .is_brief = true,
        .label = {"bandwidth of one message while all are sent, bytes per second", SRV_FACT}),
    SRV_MEMBER_VALUE(servet_ratio, ratio, SERVET_UNIT_NONE, SRV_NOT_NEGATIVE, .needed = true,
                     .is_brief = true,
                     .label = {"bandwidth at 1 divided by this bandwidth", SRV_FACT}),
    SRV_END,
};
static const srv_shape ratio_shape = {
    .name = "ratio", .fields = ratio_fields, SRV_WHOLE(servet_ratio), .order = {"at"}};

static const srv_field degradation_fields[] = {
    SRV_MEMBER_SIZE(servet_ratios, bytes, .label = {"size of the messages, bytes", SRV_FACT}),
    SRV_MEMBER(servet_ratios, constant_total, .type = SRV_BOOL,
               .label = {"yes: the same number of processes for each", SRV_FACT}),
    SRV_MEMBER(srv_degradation, ratios, .type = SRV_FACTS, .shape = &ratio_shape,
               .max = SERVET_RATIO_MAX, .is_inner = true,
               .label = {"number of measured distances, or numbers of processes", SRV_FACT},
               .noun = "ratios", .detail = "ascending from 1"),
    SRV_END,
};
static const srv_shape degradation_shape = {.name = "degradation",
                                            .fields = degradation_fields,
                                            .size = sizeof(srv_degradation),
                                            .part = sizeof(servet_ratios),
                                            .check = check_degradation};

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
/* Checks the order of measurements: the one that queries read comes before the others. */
static int check_others(const srv_comm *comm, servet_degradation which, srv_json_path *where)
{
    static const char *const names[] = {SERVET_DEGRADATION_LIST(OTHERS_NAME)};
    const srv_degradation *before =
        comm->degradation[which].count ? comm->degradation[which].items : NULL;
    const srv_degradation *others = comm->others[which].items;
    for (int i = 0; i < comm->others[which].count; before = &others[i++])
        if (before && before->ratios.count && srv_degradation_order(before, &others[i]) <= 0) {
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
              .label = {"nodes at one end of slow link N", SRV_NOTE}),
    SRV_CHARS(servet_slow_link, to, .needed = true, .is_set = true,
              .label = {"nodes at the other end of slow link N", SRV_NOTE}),
    SRV_MEMBER_VALUE(
        servet_slow_link, factor, SERVET_UNIT_NONE, SRV_POSITIVE, .needed = true,
        .label = {"time of messages over the link divided by that of other messages of both ends",
                  SRV_FACT}),
    SRV_MEMBER_CONFIDENCE(servet_slow_link, "probability that it is slow"),
    SRV_END,
};
static const srv_shape slow_link_shape = {.fields = slow_link_fields, SRV_WHOLE(servet_slow_link)};

static const srv_field dimension_fields[] = {
    SRV_MEMBER(servet_dimension, nodes, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 2,
               .most = SERVET_RANKS_MAX,
               .label = {"number of nodes along dimension N of the torus", SRV_FACT}),
    SRV_MEMBER_US(servet_dimension, step, SRV_NOT_NEGATIVE, .needed = true,
                  .label = {"time that each link adds to a short message, us", SRV_FACT},
                  .detail = "the same for all dimensions"),
    SRV_END,
};
static const srv_shape dimension_shape = {.fields = dimension_fields,
                                          .size = sizeof(servet_dimension)};

static const char *const collective_texts[] = {SERVET_COLLECTIVE_LIST(SRV_TEXT_OF)};
static const srv_words collectives = SRV_WORDS(collective_texts);

SRV_NAMES(servet_collective_name, servet_collective_op, SERVET_COLLECTIVE_LIST)

#define COLLECTIVE_COUNT(member_, summary_)                                                        \
    SRV_MEMBER(servet_collective, member_, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,   \
               .most = SERVET_RANKS_MAX, .label = {summary_, SRV_FACT})

static const srv_field collective_fields[] = {
    SRV_MEMBER(servet_collective, op, .type = SRV_WORD, .words = &collectives,
               .label = {"collective operation", SRV_FACT}),
    COLLECTIVE_COUNT(ranks, "number of ranks of the operation"),
    COLLECTIVE_COUNT(groups, "number of groups with this number of ranks, all at once"),
    SRV_MEMBER(servet_collective, bytes, .type = SRV_NUMBER, .range = SRV_NOT_NEGATIVE,
               .unit = SERVET_UNIT_BYTE,
               .label = {"size that the root sends, or each rank contributes, bytes", SRV_FACT},
               .detail = "of an alltoall for each other rank; 0 for a barrier"),
    SRV_MEMBER_US(servet_collective, time, SRV_POSITIVE, .needed = true, .is_brief = true,
                  .label = {"time until the last rank has finished, us", SRV_FACT}),
    SRV_END,
};
static const srv_shape collective_shape = {.fields = collective_fields,
                                           .size = sizeof(servet_collective),
                                           .order = {"op", "ranks", "groups", "bytes"}};

static const srv_field bisection_fields[] = {
    SRV_MEMBER(servet_bisection, nodes, .type = SRV_INTEGER, .range = SRV_POSITIVE,
               .label = {"number of nodes of random halves", SRV_FACT}),
    SRV_MEMBER(servet_bisection, processes, .type = SRV_INTEGER, .range = SRV_POSITIVE,
               .label = {"number of processes of each node that send", SRV_FACT}),
    SRV_MEMBER_SIZE(servet_bisection, bytes, .label = {"size of their messages, bytes", SRV_FACT}),
    SRV_MEMBER_RATE(servet_bisection, bandwidth, .needed = true, .is_brief = true,
                    .label = {"bandwidth of one half to the other, bytes per second", SRV_FACT},
                    .detail = "while as much comes back; the median of several divisions"),
    SRV_MEMBER_RATE(
        servet_bisection, usual, .is_brief = true,
        .label = {"bandwidth of a node, the median of all, bytes per second", SRV_FACT}),
    SRV_END,
};
static const srv_shape bisection_shape = {.fields = bisection_fields,
                                          .size = sizeof(servet_bisection)};

static const srv_field node_rate_fields[] = {
    SRV_MEMBER_RATE(
        servet_node_rate, bandwidth, .is_brief = true,
        .label = {"bandwidth of node N in random halves, in each direction, bytes per second",
                  SRV_FACT}),
    SRV_MEMBER_VALUE(
        servet_node_rate, lost, SERVET_UNIT_NONE, SRV_SHARE, .is_brief = true,
        .label = {"share of time that other work took from the cores of node N", SRV_NOTE},
        .detail = "the interval is that of the samples"),
    SRV_MEMBER(
        servet_node_rate, slow, .type = SRV_BOOL,
        .label = {"yes: an outlier, whose bandwidth is less than that of other nodes", SRV_FACT}),
    SRV_MEMBER(servet_node_rate, noisy, .type = SRV_BOOL,
               .label = {"yes: an outlier, whose cores lose more time than those of other nodes",
                         SRV_FACT}),
    SRV_END,
};
static const srv_shape node_rate_shape = {.fields = node_rate_fields,
                                          .size = sizeof(servet_node_rate)};

static const srv_derived distance_ratios[] = {
    {.name = "distance_ratio.#",
     .label = {"ratDist: bandwidth at distance 1 divided by that at N", SRV_NOTE},
     .detail = "interpolated between measured distances",
     .derivation = SRV_DERIVE_DISTANCE_RATIO},
    {.name = "distance_ratio.count",
     .label = {"largest measured distance", SRV_NOTE},
     .derivation = SRV_DERIVE_LARGEST_DISTANCE},
    {.name = NULL},
};
static const srv_derived access_ratios[] = {
    {.name = "access_ratio.#",
     .label = {"ratNC: bandwidth of 1 process of a node divided by that of N", SRV_NOTE},
     .derivation = SRV_DERIVE_ACCESS_RATIO},
    {.name = "access_ratio.count",
     .label = {"largest measured number of processes of a node", SRV_NOTE},
     .derivation = SRV_DERIVE_MOST_PROCESSES},
    {.name = NULL},
};

#define RATIOS(number, name_, summary_)                                                            \
    SRV_NAMED(#name_, srv_comm, degradation[number], .type = SRV_MAYBE,                            \
              .shape = &degradation_shape, .derived = name_##_ratios, .detail = summary_)
#define OTHERS(number, name_, symbol)                                                              \
    SRV_NAMED_FACTS(                                                                               \
        name_, srv_comm, others[number], &degradation_shape,                                       \
        .label = {"number of further measurements of " symbol, SRV_FACT}, .noun = "measurements",  \
        .detail = "on fewer nodes, or on the same number with smaller messages; sorted by nodes, " \
                  "then by message size, largest first")

static const srv_field comm_fields[] = {
    SRV_CHARS(servet_network, benchmarks,
              .label = {"benchmarks that were run, in order", SRV_NOTE}),
    SRV_MEMBER(servet_network, ranks, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,
               .most = SERVET_RANKS_MAX, .label = {"number of MPI processes of the job", SRV_FACT}),
    SRV_MEMBER(servet_network, nodes_asked, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE,
               .label = {"number of nodes measured for layers between nodes", SRV_FACT},
               .detail = "other nodes are in none of the groups"),
    SRV_MEMBER(servet_network, message_bytes, .type = SRV_NUMBER, .range = SRV_NOT_NEGATIVE,
               .unit = SERVET_UNIT_BYTE,
               .label = {"size of the messages that determined the layers, bytes", SRV_FACT},
               .detail = "0: no messages did"),
    SRV_MEMBER(srv_comm, nodes, .type = SRV_STRINGS, .needed = true,
               .label = {"number of nodes of the job", SRV_FACT},
               .items = {"host name of node N", SRV_NOTE, "network.node.N"}, .noun = "nodes",
               .detail = "host names; groups call them 0, 1, ..."),
    SRV_NAMED_VALUES("slowness", srv_comm, slowness, SERVET_UNIT_NONE, SRV_NOT_NEGATIVE,
                     .label = {"number of nodes whose slowness was measured", SRV_EXTENT},
                     .items = {"time of messages of node N divided by that of others", SRV_FACT},
                     .noun = "nodes",
                     .detail = "a node is slow from 1.5 on, and takes no part in ratDist and "
                               "ratNC; null if no node is slow"),
    SRV_MEMBER(
        srv_comm, slow_links, .type = SRV_FACTS, .shape = &slow_link_shape, .max = SRV_COUNT_MAX,
        .label = {"number of slow links between nodes", SRV_FACT}, .noun = "links",
        .detail = "between nodes, or switches, whose other links are sound; null if fewer than "
                  "four nodes were sound"),
    SRV_MEMBER(
        srv_comm, torus, .type = SRV_FACTS, .shape = &dimension_shape, .max = SRV_COUNT_MAX,
        .label = {"number of dimensions of a torus of the nodes; 0: none was found", SRV_FACT},
        .noun = "dimensions",
        .detail = "if nodes in the order of the job are numbered along the first dimension, "
                  "then along the next ones"),
    SRV_MEMBER_FACTS(srv_comm, layers, &comm_layer_shape,
                     .label = {"number of communication layers", SRV_FACT, "layers"},
                     .noun = "layers",
                     .detail = "pairs of cores with equal message cost, the fastest first"),
    SRV_MEMBER_FACTS(srv_comm, collectives, &collective_shape,
                     .label = {"number of measured collective operations", SRV_EXTENT},
                     .noun = "measurements",
                     .detail = "sorted by operation, ranks, groups and size"),
    SRV_MEMBER(srv_comm, bisection, .type = SRV_MAYBE, .shape = &bisection_shape,
               .detail = "random halves of the nodes"),
    SRV_MEMBER(srv_comm, node_rates, .type = SRV_FACTS, .shape = &node_rate_shape,
               .max = SRV_COUNT_MAX, .label = {"number of nodes of the random halves", SRV_EXTENT},
               .noun = "nodes", .detail = "each with another partner in each division"),
    SRV_MEMBER_FACTS(srv_comm, modes, &srv_bimodal_shape, .detail = SRV_MODES_DETAIL),
    SRV_MEMBER_FACTS(srv_comm, doubts, &srv_doubt_shape, .detail = SRV_DOUBTS_DETAIL),
    RATIOS(SERVET_DEGRADATION_DISTANCE, distance, "ratDist: by distance of the nodes"),
    OTHERS(SERVET_DEGRADATION_DISTANCE, "other_distance", "ratDist"),
    RATIOS(SERVET_DEGRADATION_ACCESS, access, "ratNC: by processes of a node that send at once"),
    OTHERS(SERVET_DEGRADATION_ACCESS, "other_access", "ratNC"),
    SRV_END,
};
const srv_shape srv_comm_shape = {
    .name = "network", .fields = comm_fields, .size = sizeof(srv_comm), .check = check_comm};
