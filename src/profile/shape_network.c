/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication: the job, its layers, and how the network degrades. */
#include "profile/shape.h"

#include <assert.h>
#include <stddef.h>

#include "profile/network.h"

static_assert(offsetof(srv_comm, fact) == 0 && offsetof(srv_comm_layer, fact) == 0 &&
                  offsetof(srv_degradation, fact) == 0,
              "the rows of the public structs serve the stored ones");

/* Whether item `b` of a list may follow item `a`. */
typedef bool follows(const void *a, const void *b);

/* Judges the order of the member `name`, a list of structs of `size` bytes. */
static int check_order(const srv_list *list, size_t size, follows *in_order, const char *name,
                       srv_json_path *where)
{
    const char *items = list->items;
    for (int i = 1; i < list->count; i++)
        if (!in_order(items + (size_t)(i - 1) * size, items + (size_t)i * size)) {
            srv_json_path_enter(where, name);
            srv_json_path_enter_item(where, i);
            return srv_json_path_fail(where, "does not ascend from the one before");
        }
    return SERVET_OK;
}

/* A time, or a ratio, that is not known is no measurement at all. */
static int require(const servet_value *value, const char *name, srv_json_path *where)
{
    if (servet_value_known(value))
        return SERVET_OK;
    srv_json_path_enter(where, name);
    return srv_json_path_fail(where, "missing: it is what was measured");
}

/* --- one message ------------------------------------------------------------------------------ */

static int check_message(const void *item, srv_json_path *where)
{
    return require(&((const servet_message *)item)->time, "time", where);
}

static bool larger_message(const void *a, const void *b)
{
    return ((const servet_message *)a)->bytes < ((const servet_message *)b)->bytes;
}

static const srv_field message_fields[] = {
    SRV_MEMBER(servet_message, bytes, .type = SRV_NUMBER, .range = SRV_POSITIVE),
    SRV_MEMBER_VALUE(servet_message, time, SERVET_UNIT_SECOND, SRV_POSITIVE),
    SRV_END,
};
static const srv_shape message_shape = {
    .fields = message_fields, .size = sizeof(servet_message), .check = check_message};

static int check_protocol(const void *item, srv_json_path *where)
{
    return require(&((const servet_protocol *)item)->from, "from", where);
}

static bool larger_protocol(const void *a, const void *b)
{
    return ((const servet_protocol *)a)->from.value < ((const servet_protocol *)b)->from.value;
}

static const srv_field protocol_fields[] = {
    SRV_MEMBER_VALUE(servet_protocol, from, SERVET_UNIT_BYTE, SRV_NOT_NEGATIVE),
    SRV_MEMBER_VALUE(servet_protocol, latency, SERVET_UNIT_SECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER_VALUE(servet_protocol, bandwidth, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE),
    SRV_END,
};
static const srv_shape protocol_shape = {
    .fields = protocol_fields, .size = sizeof(servet_protocol), .check = check_protocol};

/* --- many at once ----------------------------------------------------------------------------- */

static int check_together(const void *item, srv_json_path *where)
{
    const servet_together *together = item;
    int code = require(&together->time, "time", where);
    return code == SERVET_OK ? require(&together->ratio, "ratio", where) : code;
}

static bool more_together(const void *a, const void *b)
{
    const servet_together *x = a, *y = b;
    return x->bytes < y->bytes || (x->bytes == y->bytes && x->messages < y->messages);
}

#define MESSAGES(struct_, fewest)                                                                  \
    SRV_MEMBER(struct_, messages, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = fewest,       \
               .most = SERVET_RANKS_MAX)

static const srv_field together_fields[] = {
    MESSAGES(servet_together, 1),
    SRV_MEMBER(servet_together, bytes, .type = SRV_NUMBER, .range = SRV_POSITIVE),
    SRV_MEMBER_VALUE(servet_together, time, SERVET_UNIT_SECOND, SRV_POSITIVE),
    SRV_MEMBER_VALUE(servet_together, ratio, SERVET_UNIT_NONE, SRV_NOT_NEGATIVE),
    SRV_END,
};
static const srv_shape together_shape = {
    .fields = together_fields, .size = sizeof(servet_together), .check = check_together};

static bool more_gathered(const void *a, const void *b)
{
    return ((const servet_gather *)a)->messages < ((const servet_gather *)b)->messages;
}

static const srv_field gather_fields[] = {
    MESSAGES(servet_gather, 2),
    SRV_MEMBER(servet_gather, below, .type = SRV_NUMBER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_gather, unbounded, .type = SRV_BOOL),
    SRV_END,
};
static const srv_shape gather_shape = {.fields = gather_fields, .size = sizeof(servet_gather)};

/* --- layers ----------------------------------------------------------------------------------- */

static int check_layer(const void *item, srv_json_path *where)
{
    const srv_comm_layer *layer = item;
    const struct {
        const srv_list *list;
        size_t size;
        follows *in_order;
        const char *name;
    } ordered[] = {
        {&layer->curve, sizeof(servet_message), larger_message, "curve"},
        {&layer->protocols, sizeof(servet_protocol), larger_protocol, "protocols"},
        {&layer->together, sizeof(servet_together), more_together, "together"},
        {&layer->gathers, sizeof(servet_gather), more_gathered, "gathers"},
    };
    int code = SERVET_OK;
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered && code == SERVET_OK; i++)
        code = check_order(ordered[i].list, ordered[i].size, ordered[i].in_order, ordered[i].name,
                           where);
    return code;
}

static const srv_field place_fields[] = {
    SRV_MEMBER(servet_place, node, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_place, core, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE),
    SRV_END,
};
static const srv_shape place_shape = {.fields = place_fields, .size = sizeof(servet_place)};

static const srv_field layer_fields[] = {
    SRV_MEMBER(servet_network_layer, between_nodes, .type = SRV_BOOL),
    SRV_MEMBER_VALUE(servet_network_layer, latency, SERVET_UNIT_SECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER_VALUE(servet_network_layer, bandwidth, SERVET_UNIT_BYTE_PER_SECOND,
                     SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_network_layer, confidence, .type = SRV_NUMBER, .range = SRV_SHARE),
    SRV_MEMBER(servet_network_layer, from, .type = SRV_OBJECT, .shape = &place_shape),
    SRV_MEMBER(servet_network_layer, to, .type = SRV_OBJECT, .shape = &place_shape),
    SRV_MEMBER(srv_comm_layer, groups, .type = SRV_PLACES),
    SRV_MEMBER(srv_comm_layer, curve, .type = SRV_FACTS, .shape = &message_shape),
    SRV_MEMBER(srv_comm_layer, protocols, .type = SRV_FACTS, .shape = &protocol_shape),
    SRV_MEMBER(srv_comm_layer, together, .type = SRV_FACTS, .shape = &together_shape),
    SRV_MEMBER(srv_comm_layer, gathers, .type = SRV_FACTS, .shape = &gather_shape),
    SRV_END,
};
const srv_shape srv_comm_layer_shape = {
    .fields = layer_fields, .size = sizeof(srv_comm_layer), .check = check_layer};

/* --- degradation ------------------------------------------------------------------------------ */

static int check_ratio(const void *item, srv_json_path *where)
{
    return require(&((const servet_ratio *)item)->ratio, "ratio", where);
}

static bool farther(const void *a, const void *b)
{
    return ((const servet_ratio *)a)->at < ((const servet_ratio *)b)->at;
}

static const srv_field ratio_fields[] = {
    SRV_MEMBER(servet_ratio, at, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,
               .most = SERVET_RATIO_MAX),
    SRV_MEMBER(servet_ratio, nodes, .type = SRV_INTEGER, .range = SRV_POSITIVE),
    SRV_MEMBER_VALUE(servet_ratio, bandwidth, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER_VALUE(servet_ratio, ratio, SERVET_UNIT_NONE, SRV_NOT_NEGATIVE),
    SRV_END,
};
static const srv_shape ratio_shape = {
    .fields = ratio_fields, .size = sizeof(servet_ratio), .check = check_ratio};

/* What the ratios compare with comes first. */
static int check_degradation(const void *item, srv_json_path *where)
{
    const srv_list *ratios = &((const srv_degradation *)item)->ratios;
    int code = check_order(ratios, sizeof(servet_ratio), farther, "ratios", where);
    if (code != SERVET_OK || (ratios->count && ((const servet_ratio *)ratios->items)->at == 1))
        return code;
    srv_json_path_enter(where, "ratios");
    return srv_json_path_fail(where, "the first ratio is not that of 1");
}

static const srv_field degradation_fields[] = {
    SRV_MEMBER(servet_ratios, bytes, .type = SRV_NUMBER, .range = SRV_POSITIVE),
    SRV_MEMBER(servet_ratios, constant_total, .type = SRV_BOOL),
    SRV_MEMBER(srv_degradation, ratios, .type = SRV_LIST, .shape = &ratio_shape),
    SRV_END,
};
static const srv_shape degradation_shape = {
    .fields = degradation_fields, .size = sizeof(srv_degradation), .check = check_degradation};

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
/* The one that questions are answered from comes first, where it is there. */
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
    if (nodes < 1 || nodes > comm->fact.ranks)
        return srv_json_path_fail(where, "%d processes took part on %d nodes", comm->fact.ranks,
                                  nodes);
    if (comm->fact.nodes_asked > nodes)
        return srv_json_path_fail(where, "%d nodes were asked of %d that took part",
                                  comm->fact.nodes_asked, nodes);
    int code = check_pairs(comm, where);
    for (int i = 0; i < SERVET_DEGRADATION_COUNT && code == SERVET_OK; i++)
        code = check_others(comm, (servet_degradation)i, where);
    return code;
}

#define DEGRADATION_FIELDS(number, text)                                                           \
    {.name = text,                                                                                 \
     .type = SRV_MAYBE,                                                                            \
     .offset = offsetof(srv_comm, degradation[number]),                                            \
     .shape = &degradation_shape},                                                                 \
        {.name = "other_" text,                                                                    \
         .type = SRV_FACTS,                                                                        \
         .offset = offsetof(srv_comm, others[number]),                                             \
         .shape = &degradation_shape},

static const srv_field comm_fields[] = {
    SRV_CHARS(servet_network, benchmarks),
    SRV_MEMBER(servet_network, ranks, .type = SRV_INTEGER, .range = SRV_WITHIN, .least = 1,
               .most = SERVET_RANKS_MAX),
    SRV_MEMBER(servet_network, nodes_asked, .type = SRV_INTEGER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(servet_network, message_bytes, .type = SRV_NUMBER, .range = SRV_NOT_NEGATIVE),
    SRV_MEMBER(srv_comm, nodes, .type = SRV_STRINGS),
    SRV_MEMBER(srv_comm, layers, .type = SRV_FACTS, .shape = &srv_comm_layer_shape),
    SRV_MEMBER(srv_comm, modes, .type = SRV_FACTS, .shape = &srv_bimodal_shape),
    SERVET_DEGRADATION_LIST(DEGRADATION_FIELDS) SRV_END,
};
const srv_shape srv_comm_shape = {
    .fields = comm_fields, .size = sizeof(srv_comm), .check = check_comm};
