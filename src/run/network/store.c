/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "run/network/repeat.h"

/* The facts to store, and the job that they are about. */
typedef struct storing {
    const srv_network_facts *facts;
    servet_profile *profile;
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count;
} storing;

/* A list of structs for a setter; NULL without memory. */
static void *list_of(int count, size_t size)
{
    return calloc((size_t)count + 1, size);
}

/* --- digits ----------------------------------------------------------------------------------- */

/*
 * Intervals are a percent wide at best, clocks tick in nanoseconds: of a time of 17 digits 12 are
 * noise, which of a large cluster would be a good part of the file.
 */
enum { DIGITS = 5 };

static double rounded(double number)
{
    if (number == 0 || !isfinite(number))
        return number;
    double unit = pow(10, fabs(DIGITS - 1 - floor(log10(fabs(number)))));
    return fabs(number) < pow(10, DIGITS) ? round(number * unit) / unit
                                          : round(number / unit) * unit;
}

static servet_value rounded_value(servet_value value)
{
    value.value = rounded(value.value);
    value.low = rounded(value.low);
    value.high = rounded(value.high);
    return value;
}

/* --- the job ---------------------------------------------------------------------------------- */

/* A list of unfinished ones begins with "node,". */
_Static_assert(sizeof("node," SRV_NETWORK_BENCHMARK_LIST(SRV_JOINED)) <= SERVET_NAME_MAX,
               "the names of all benchmarks fit into run.unfinished");

void srv_network_list(unsigned set, char text[SERVET_NAME_MAX])
{
    *text = '\0';
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++) {
        if (!(set & 1u << i))
            continue;
        if (*text)
            strncat(text, ",", SERVET_NAME_MAX - 1 - strlen(text));
        strncat(text, srv_network_benchmark_name((srv_network_benchmark)i),
                SERVET_NAME_MAX - 1 - strlen(text));
    }
}

static int store_job(const storing *on, servet_error *error)
{
    servet_network about = {.nodes = on->node_count,
                            .ranks = on->rank_count,
                            .nodes_asked = on->facts->nodes_asked,
                            .message_bytes = on->facts->message_bytes};
    const char **names = list_of(on->node_count, sizeof *names);
    if (!names)
        return srv_fail_memory(error);
    for (int i = 0; i < on->node_count; i++)
        names[i] = on->nodes[i].name;
    srv_network_list(on->facts->done, about.benchmarks);
    int code = servet_profile_set_network(on->profile, &about, names, error);
    free(names);
    return code;
}

/* Stores nothing if all are alike. */
static int store_slowness(const storing *on, servet_error *error)
{
    int slow = 0;
    for (int i = 0; i < on->node_count; i++)
        slow += srv_network_is_slow(on->facts, i);
    if (slow == 0)
        return SERVET_OK;
    servet_value *values = list_of(on->node_count, sizeof *values);
    if (!values)
        return srv_fail_memory(error);
    for (int i = 0; i < on->node_count; i++)
        values[i] = rounded_value(on->facts->slowness[i]);
    int code = servet_profile_set_network_slowness(on->profile, values, on->node_count, error);
    free(values);
    return code;
}

static int store_links(const storing *on, servet_error *error)
{
    servet_slow_link links[SRV_NETWORK_SLOW_LINKS_MAX];
    int count = on->facts->slow_link_count;
    for (int i = 0; i < count; i++) {
        links[i] = on->facts->slow_link[i].fact;
        links[i].factor = rounded_value(links[i].factor);
    }
    return on->facts->links_known
               ? servet_profile_set_network_slow_links(on->profile, links, count, error)
               : SERVET_OK;
}

/* --- layers ----------------------------------------------------------------------------------- */

static servet_place place_of(const storing *on, int rank)
{
    return (servet_place){on->ranks[rank].node, on->ranks[rank].core};
}

static int store_layers(const storing *on, servet_error *error)
{
    servet_network_layer layers[SRV_NETWORK_LAYERS_MAX] = {0};
    int count = on->facts->layer_count, code;
    for (int i = 0; i < count; i++) {
        const srv_network_layer *layer = &on->facts->layer[i];
        layers[i] = (servet_network_layer){.between_nodes = layer->between_nodes,
                                           .latency = rounded_value(layer->latency),
                                           .bandwidth = rounded_value(layer->bandwidth),
                                           .confidence = layer->confidence,
                                           .from = place_of(on, layer->pair.from),
                                           .to = place_of(on, layer->pair.to)};
    }
    code = servet_profile_set_network_layers(on->profile, layers, count, error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        const srv_sets *groups = &on->facts->layer[i].groups;
        if (groups->count)
            code = servet_profile_set_network_groups(
                on->profile, i + 1, (const char *const *)groups->set, groups->count, error);
    }
    return code;
}

static int store_curve(const storing *on, int number, servet_error *error)
{
    const srv_network_layer *layer = &on->facts->layer[number - 1];
    servet_protocol protocols[SRV_PROTOCOLS_MAX];
    servet_message *points = list_of(layer->curve_count, sizeof *points);
    if (!points)
        return srv_fail_memory(error);
    for (int i = 0; i < layer->curve_count; i++)
        points[i] = (servet_message){.bytes = layer->curve[i].bytes,
                                     .time = rounded_value(layer->curve[i].time)};
    for (int i = 0; i < layer->protocol_count; i++)
        protocols[i] = (servet_protocol){.from = layer->protocol[i].from,
                                         .latency = rounded_value(layer->protocol[i].latency),
                                         .bandwidth = rounded_value(layer->protocol[i].bandwidth)};
    int code = servet_profile_set_network_curve(on->profile, number, points, layer->curve_count,
                                                protocols, layer->protocol_count, error);
    free(points);
    return code;
}

static int store_together(const storing *on, int number, servet_error *error)
{
    const srv_network_layer *layer = &on->facts->layer[number - 1];
    servet_together *together = list_of(layer->together_count, sizeof *together);
    if (!together)
        return srv_fail_memory(error);
    for (int i = 0; i < layer->together_count; i++) {
        const srv_messages_together *point = &layer->together[i];
        together[i] = (servet_together){.messages = point->messages,
                                        .bytes = point->bytes,
                                        .time = rounded_value(point->time),
                                        .ratio = rounded_value(point->ratio)};
    }
    int code = servet_profile_set_network_together(on->profile, number, together,
                                                   layer->together_count, error);
    free(together);
    return code;
}

static void round_batches(const srv_network_layer *layer, servet_batch *batches,
                          servet_aggregation *ranges)
{
    for (int i = 0; i < layer->batch_count; i++) {
        batches[i] = layer->batches[i];
        batches[i].in_turn = rounded_value(batches[i].in_turn);
        batches[i].at_once = rounded_value(batches[i].at_once);
        batches[i].as_one = rounded_value(batches[i].as_one);
        batches[i].gain = rounded_value(batches[i].gain);
    }
    for (int i = 0; i < layer->aggregation_count; i++) {
        ranges[i] = layer->aggregation[i];
        ranges[i].gain = rounded_value(ranges[i].gain);
    }
}

static int store_aggregation(const storing *on, int number, servet_error *error)
{
    const srv_network_layer *layer = &on->facts->layer[number - 1];
    servet_batch *batches = list_of(layer->batch_count, sizeof *batches);
    servet_aggregation *ranges = list_of(layer->aggregation_count, sizeof *ranges);
    int code = batches && ranges ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK) {
        round_batches(layer, batches, ranges);
        code =
            servet_profile_set_network_aggregation(on->profile, number, batches, layer->batch_count,
                                                   ranges, layer->aggregation_count, error);
    }
    free(batches);
    free(ranges);
    return code;
}

/* --- ratios ----------------------------------------------------------------------------------- */

static int store_ratios(const storing *on, servet_degradation degradation,
                        const srv_network_ratios *from, servet_error *error)
{
    const servet_ratios about = {
        .bytes = from->bytes, .largest = 0, .constant_total = from->constant_total};
    if (!from->count)
        return SERVET_OK;
    servet_ratio *ratios = list_of(from->count, sizeof *ratios);
    if (!ratios)
        return srv_fail_memory(error);
    for (int i = 0; i < from->count; i++)
        ratios[i] = (servet_ratio){.at = from->ratio[i].at,
                                   .nodes = from->ratio[i].nodes,
                                   .bandwidth = rounded_value(from->ratio[i].bandwidth),
                                   .ratio = rounded_value(from->ratio[i].ratio)};
    int code = servet_profile_set_network_ratios(on->profile, degradation, &about, ratios,
                                                 from->count, error);
    free(ratios);
    return code;
}

/* --- modes ------------------------------------------------------------------------------------ */

/* Those of one value that is stored already. */
static int store_modes(const storing *on, const char *key, const servet_value *value,
                       const servet_modes *modes, servet_error *error)
{
    servet_value again = rounded_value(*value);
    return modes->count == 0
               ? SERVET_OK
               : servet_profile_set_repeats(on->profile, 0, key, &again, modes, error);
}

static int store_layer_modes(const storing *on, int number, servet_error *error)
{
    const srv_network_layer *layer = &on->facts->layer[number - 1];
    servet_modes rates = srv_bandwidth_modes_of(&layer->modes, on->facts->message_bytes);
    char key[SERVET_NAME_MAX];
    snprintf(key, sizeof key, "layers.%d.latency_us", number);
    int code = store_modes(on, key, &layer->latency, &layer->modes, error);
    snprintf(key, sizeof key, "layers.%d.bandwidth", number);
    if (code == SERVET_OK)
        code = store_modes(on, key, &layer->bandwidth, &rates, error);
    for (int i = 0; i < layer->curve_count && code == SERVET_OK; i++) {
        snprintf(key, sizeof key, "layers.%d.points.%d.time_us", number, i + 1);
        code = store_modes(on, key, &layer->curve[i].time, &layer->curve[i].modes, error);
    }
    return code;
}

/* --- doubts ----------------------------------------------------------------------------------- */

static int doubt_layer(const storing *on, int number, const char *const *members,
                       const char *reason, servet_error *error)
{
    char facts[SERVET_NAME_MAX];
    int code = SERVET_OK;
    for (; *members && *reason && code == SERVET_OK; members++) {
        snprintf(facts, sizeof facts, "network.layers.%d.%s", number, *members);
        code = servet_profile_distrust(on->profile, 0, facts, reason, error);
    }
    return code;
}

/* A result is trusted no more than the measurements that it came from; if a layer is not trusted,
 * the number of layers is not, either. */
static int doubt_layers(const storing *on, servet_error *error)
{
    static const char *const members[SRV_NETWORK_BENCHMARK_COUNT][7] = {
        [SRV_NETWORK_LAYERS] = {"latency", "bandwidth", "confidence", "groups", "from", "to"},
        [SRV_NETWORK_CURVES] = {"curve", "protocols"},
        [SRV_NETWORK_SCALABILITY] = {"together"},
        [SRV_NETWORK_AGGREGATION] = {"batches", "aggregation"},
    };
    int code = SERVET_OK;
    for (int i = 0; i < on->facts->layer_count; i++) {
        const srv_network_layer *layer = &on->facts->layer[i];
        for (int k = 0; k < SRV_NETWORK_BENCHMARK_COUNT && code == SERVET_OK; k++)
            code = doubt_layer(on, i + 1, members[k], layer->doubt[k], error);
        if (code == SERVET_OK && *layer->doubt[SRV_NETWORK_LAYERS])
            code = servet_profile_distrust(on->profile, 0, "network.layers.count",
                                           layer->doubt[SRV_NETWORK_LAYERS], error);
    }
    return code;
}

static int doubt_ratios(const storing *on, const char *fact, const srv_network_ratios *ratios,
                        servet_error *error)
{
    return *ratios->doubt ? servet_profile_distrust(on->profile, 0, fact, ratios->doubt, error)
                          : SERVET_OK;
}

static int store_doubts(const storing *on, servet_error *error)
{
    int code = doubt_layers(on, error);
    if (code == SERVET_OK)
        code = doubt_ratios(on, "network.distance", &on->facts->distance, error);
    return code == SERVET_OK ? doubt_ratios(on, "network.access", &on->facts->access, error) : code;
}

/* --- all of it -------------------------------------------------------------------------------- */

static int store_details(const storing *on, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < on->facts->layer_count && code == SERVET_OK; i++) {
        if (on->facts->layer[i].curve_count)
            code = store_curve(on, i + 1, error);
        if (code == SERVET_OK && on->facts->layer[i].together_count)
            code = store_together(on, i + 1, error);
        if (code == SERVET_OK && on->facts->layer[i].batch_count)
            code = store_aggregation(on, i + 1, error);
        if (code == SERVET_OK)
            code = store_layer_modes(on, i + 1, error);
    }
    if (code == SERVET_OK)
        code = store_ratios(on, SERVET_DEGRADATION_DISTANCE, &on->facts->distance, error);
    return code == SERVET_OK
               ? store_ratios(on, SERVET_DEGRADATION_ACCESS, &on->facts->access, error)
               : code;
}

int srv_network_store(const srv_network_facts *facts, srv_network *network, servet_profile *profile,
                      servet_error *error)
{
    storing on = {.facts = facts, .profile = profile};
    int code = network->ops->describe(network, &on.ranks, &on.rank_count, &on.nodes, &on.node_count,
                                      error);
    if (code == SERVET_OK)
        code = store_job(&on, error);
    if (code == SERVET_OK && (facts->done & 1u << SRV_NETWORK_LAYERS))
        code = store_layers(&on, error);
    if (code == SERVET_OK)
        code = store_slowness(&on, error);
    if (code == SERVET_OK)
        code = store_links(&on, error);
    if (code == SERVET_OK)
        code = store_details(&on, error);
    return code == SERVET_OK ? store_doubts(&on, error) : code;
}
