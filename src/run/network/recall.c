/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bit.h"
#include "core/error.h"
#include "core/ranges.h"

/* The stored facts, and the job that continues from them. */
typedef struct recalling {
    const servet_profile *profile;
    srv_network_facts *facts;
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count;
} recalling;

/* --- the job ---------------------------------------------------------------------------------- */

static bool has_benchmark(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

static int recall_job(recalling *on, const servet_network *about, servet_error *error)
{
    servet_run run = {0};
    bool same = about->ranks == on->rank_count && about->nodes == on->node_count;
    for (int i = 0; i < on->node_count && same; i++)
        same = strcmp(servet_network_node(on->profile, i), on->nodes[i].name) == 0;
    if (!same)
        return srv_fail(
            error, SERVET_EARGUMENT,
            "what is known of the network is from a job on other nodes, or with another "
            "number of processes");
    on->facts->node_count = on->node_count;
    on->facts->rank_count = on->rank_count;
    on->facts->nodes_asked = about->nodes_asked;
    on->facts->message_bytes = about->message_bytes;
    (void)servet_profile_run(on->profile, &run);
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++) {
        const char *name = srv_network_benchmark_name((srv_network_benchmark)i);
        if (has_benchmark(about->benchmarks, name))
            on->facts->done |= SRV_BIT(i);
        if (has_benchmark(run.cut, name))
            on->facts->cut |= SRV_BIT(i);
    }
    return SERVET_OK;
}

/* Without a stored value no node is slow. */
static int recall_slowness(const recalling *on, servet_error *error)
{
    servet_value first;
    if (servet_network_slowness(on->profile, 0, &first) == SERVET_EUNMEASURED)
        return SERVET_OK;
    on->facts->slowness = calloc((size_t)on->node_count, sizeof *on->facts->slowness);
    if (!on->facts->slowness)
        return srv_fail_memory(error);
    for (int i = 0; i < on->node_count; i++)
        (void)servet_network_slowness(on->profile, i, &on->facts->slowness[i]);
    return SERVET_OK;
}

/* Reads the slow links between the nodes that the profile names, up to the room of a fact. */
static int recall_links(const recalling *on, servet_error *error)
{
    srv_network_facts *facts = on->facts;
    int count = 0;
    facts->links_known = servet_network_slow_link_count(on->profile, &count) == SERVET_OK;
    for (int i = 0; i < count && i < SRV_NETWORK_SLOW_LINKS_MAX; i++) {
        srv_network_slow_link *link = srv_network_add_slow_link(facts);
        if (!link)
            return srv_fail_memory(error);
        (void)servet_network_slow_link(on->profile, i, &link->fact);
        for (int node = 0; node < on->node_count; node++)
            link->ends[node] = (unsigned char)(srv_ranges_contain(link->fact.from, node) |
                                               srv_ranges_contain(link->fact.to, node) << 1);
    }
    return SERVET_OK;
}

/* --- layers ----------------------------------------------------------------------------------- */

/* The rank on a core; -1 for none. */
static int rank_at(const recalling *on, servet_place place)
{
    for (int i = 0; i < on->rank_count; i++)
        if (on->ranks[i].node == place.node && on->ranks[i].core == place.core)
            return i;
    return -1;
}

static int recall_groups(const recalling *on, int number, srv_sets *groups, servet_error *error)
{
    int count = 0;
    const char *places;
    (void)servet_network_group_count(on->profile, number, &count);
    groups->set = calloc((size_t)count + 1, sizeof *groups->set);
    if (!groups->set)
        return srv_fail_memory(error);
    for (; groups->count < count; groups->count++) {
        (void)servet_network_group(on->profile, number, groups->count, &places);
        if (!(groups->set[groups->count] = strdup(places)))
            return srv_fail_memory(error);
    }
    return SERVET_OK;
}

/* Reads the modes of the point `point` (from 1) of a layer's curve, or of its latency (0). */
static void recall_modes(const recalling *on, int number, int point, servet_modes *modes)
{
    char key[SERVET_NAME_MAX];
    snprintf(key, sizeof key, "layers.%d.latency_us", number);
    if (point > 0)
        snprintf(key, sizeof key, "layers.%d.points.%d.time_us", number, point);
    *modes = (servet_modes){0};
    (void)servet_profile_modes(on->profile, NULL, key, modes, NULL);
}

/* Why the answer of a key is not trusted; "" where it is, or there is none. */
static void recall_reason(const recalling *on, const char *key, char reason[SERVET_TEXT_MAX])
{
    const servet_at any = {.node_class = servet_profile_class_name(on->profile, 0),
                           .core = SERVET_ANY_CORE};
    servet_trust trust = {.reason = ""};
    (void)servet_profile_trust(on->profile, &any, key, &trust, NULL);
    memcpy(reason, trust.reason, SERVET_TEXT_MAX);
}

/* Reads doubts about keys that are doubtful for no other reason. */
static void recall_doubts(const recalling *on, int number, srv_network_layer *layer)
{
    static const char *const keys[SRV_NETWORK_BENCHMARK_COUNT] = {
        [SRV_NETWORK_LAYERS] = "from",
        [SRV_NETWORK_CURVES] = "protocols.count",
        [SRV_NETWORK_SCALABILITY] = "together.count",
        [SRV_NETWORK_AGGREGATION] = "aggregation.1.payoff",
    };
    char key[SERVET_NAME_MAX];
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++)
        if (keys[i]) {
            snprintf(key, sizeof key, "layers.%d.%s", number, keys[i]);
            recall_reason(on, key, layer->doubt[i]);
        }
}

static int recall_curve(const recalling *on, int number, srv_network_layer *layer,
                        servet_error *error)
{
    int count;
    servet_message point;
    servet_protocol piece;
    if (servet_network_point_count(on->profile, number, &count) != SERVET_OK)
        return SERVET_OK;
    layer->curve = calloc((size_t)count + 1, sizeof *layer->curve);
    if (!layer->curve)
        return srv_fail_memory(error);
    for (int i = 0; servet_network_point(on->profile, number, i, &point) == SERVET_OK; i++) {
        srv_message_point *made = &layer->curve[layer->curve_count++];
        *made = (srv_message_point){.bytes = point.bytes, .time = point.time};
        recall_modes(on, number, i + 1, &made->modes);
    }
    for (int i = 0; i < SRV_PROTOCOLS_MAX &&
                    servet_network_protocol(on->profile, number, i, &piece) == SERVET_OK;
         i++)
        layer->protocol[layer->protocol_count++] =
            (srv_protocol){piece.from, piece.latency, piece.bandwidth};
    return SERVET_OK;
}

static int recall_together(const recalling *on, int number, srv_network_layer *layer,
                           servet_error *error)
{
    int count;
    servet_together found;
    if (servet_network_together_count(on->profile, number, &count) != SERVET_OK)
        return SERVET_OK;
    layer->together = calloc((size_t)count + 1, sizeof *layer->together);
    if (!layer->together)
        return srv_fail_memory(error);
    for (int i = 0; servet_network_together(on->profile, number, i, &found) == SERVET_OK; i++)
        layer->together[layer->together_count++] =
            (srv_messages_together){found.messages, found.bytes, found.time, found.ratio};
    return SERVET_OK;
}

static int recall_aggregation(const recalling *on, int number, srv_network_layer *layer,
                              servet_error *error)
{
    int count, ranges;
    if (servet_network_batch_count(on->profile, number, &count) != SERVET_OK ||
        servet_network_aggregation_count(on->profile, number, &ranges) != SERVET_OK)
        return SERVET_OK;
    layer->batches = calloc((size_t)count + 1, sizeof *layer->batches);
    layer->aggregation = calloc((size_t)ranges + 1, sizeof *layer->aggregation);
    if (!layer->batches || !layer->aggregation)
        return srv_fail_memory(error);
    for (; layer->batch_count < count; layer->batch_count++)
        (void)servet_network_batch(on->profile, number, layer->batch_count,
                                   &layer->batches[layer->batch_count]);
    for (; layer->aggregation_count < ranges; layer->aggregation_count++)
        (void)servet_network_aggregation(on->profile, number, layer->aggregation_count,
                                         &layer->aggregation[layer->aggregation_count]);
    return SERVET_OK;
}

static int recall_layer(const recalling *on, int number, srv_network_layer *layer,
                        servet_error *error)
{
    servet_network_layer known;
    (void)servet_network_layer_get(on->profile, number, &known);
    layer->between_nodes = known.between_nodes;
    layer->latency = known.latency;
    layer->bandwidth = known.bandwidth;
    layer->confidence = known.confidence;
    recall_modes(on, number, 0, &layer->modes);
    recall_doubts(on, number, layer);
    layer->pair = (srv_rank_pair){rank_at(on, known.from), rank_at(on, known.to)};
    if (layer->pair.from < 0 || layer->pair.to < 0)
        return srv_fail(error, SERVET_EARGUMENT,
                        "layer %d was measured on cores where this job has no process", number);
    int code = recall_groups(on, number, &layer->groups, error);
    if (code == SERVET_OK)
        code = recall_curve(on, number, layer, error);
    if (code == SERVET_OK)
        code = recall_together(on, number, layer, error);
    return code == SERVET_OK ? recall_aggregation(on, number, layer, error) : code;
}

static int recall_layers(const recalling *on, servet_error *error)
{
    int count = 0, code = SERVET_OK;
    (void)servet_network_layer_count(on->profile, &count);
    if (count > SRV_NETWORK_LAYERS_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "%d layers of communication", count);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = recall_layer(on, i + 1, &on->facts->layer[on->facts->layer_count++], error);
    return code;
}

/* --- ratios ----------------------------------------------------------------------------------- */

/* Those that were measured, without interpolated ones. */
static int recall_ratios(const recalling *on, servet_degradation degradation,
                         srv_network_ratios *ratios, servet_error *error)
{
    servet_ratios about;
    servet_ratio found;
    char key[SERVET_NAME_MAX];
    if (servet_network_ratios(on->profile, degradation, &about) != SERVET_OK)
        return SERVET_OK;
    *ratios = (srv_network_ratios){.bytes = about.bytes, .constant_total = about.constant_total};
    ratios->ratio = calloc((size_t)about.largest, sizeof *ratios->ratio);
    if (!ratios->ratio)
        return srv_fail_memory(error);
    snprintf(key, sizeof key, "network.%s.count", servet_degradation_name(degradation));
    recall_reason(on, key, ratios->doubt);
    for (int at = 1; at <= about.largest; at++)
        if (servet_network_ratio(on->profile, degradation, at, &found) == SERVET_OK &&
            found.ratio.method != SERVET_METHOD_INTERPOLATED)
            ratios->ratio[ratios->count++] =
                (srv_network_ratio){found.at, found.nodes, found.bandwidth, found.ratio};
    return SERVET_OK;
}

int srv_network_recall(const servet_profile *profile, srv_network *network,
                       srv_network_facts *facts, servet_error *error)
{
    recalling on = {.profile = profile, .facts = facts};
    servet_network about;
    if (servet_network_get(profile, &about) != SERVET_OK)
        return SERVET_OK;
    int code = network->ops->describe(network, &on.ranks, &on.rank_count, &on.nodes, &on.node_count,
                                      error);
    if (code == SERVET_OK)
        code = recall_job(&on, &about, error);
    if (code == SERVET_OK)
        code = recall_slowness(&on, error);
    if (code == SERVET_OK)
        code = recall_links(&on, error);
    if (code == SERVET_OK)
        code = recall_layers(&on, error);
    if (code == SERVET_OK)
        code = recall_ratios(&on, SERVET_DEGRADATION_DISTANCE, &facts->distance, error);
    return code == SERVET_OK ? recall_ratios(&on, SERVET_DEGRADATION_ACCESS, &facts->access, error)
                             : code;
}
