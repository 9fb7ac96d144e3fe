/* SPDX-License-Identifier: BSD-3-Clause */
#include "network_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/network.h"
#include "run/network/network.h"
#include "test.h"

void network_view_free(network_view *view)
{
    for (int i = 0; i < view->layer_count; i++)
        free(view->layer[i].groups.set);
    free(view->layer);
    *view = (network_view){0};
}

/* Why the answer of a key is not trusted; "" where it is. */
static void read_reason(const servet_profile *profile, const char *key,
                        char reason[SERVET_TEXT_MAX])
{
    const servet_at any = {.node_class = servet_profile_class_name(profile, 0),
                           .core = SERVET_ANY_CORE};
    servet_trust trust = {.reason = ""};
    (void)servet_profile_trust(profile, &any, key, &trust, NULL);
    memcpy(reason, trust.reason, SERVET_TEXT_MAX);
}

static void read_groups(const servet_profile *profile, int number, view_groups *groups)
{
    int count = 0;
    (void)servet_network_group_count(profile, number, &count);
    groups->set = calloc((size_t)count + 1, sizeof *groups->set);
    assert_non_null(groups->set);
    for (; groups->count < count; groups->count++)
        (void)servet_network_group(profile, number, groups->count, &groups->set[groups->count]);
}

static void read_doubts(const servet_profile *profile, int number, view_layer *layer)
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
            read_reason(profile, key, layer->doubt[i]);
        }
}

#define READ_ALL(path, array, count)                                                               \
    while ((count) < NETWORK_VIEW_MAX &&                                                           \
           SERVET_ITEM(profile, path, &(array)[count], number, (count) + 1) == SERVET_OK)          \
    (count)++

static void read_layer(const srv_network_job *job, int number, view_layer *layer)
{
    const servet_profile *profile = job->profile;
    srv_network_layer known = srv_network_job_layer(job, number);
    char key[SERVET_NAME_MAX];
    layer->between_nodes = known.fact.between_nodes;
    layer->latency = known.fact.latency;
    layer->bandwidth = known.fact.bandwidth;
    layer->confidence = known.fact.confidence;
    layer->pair = known.pair;
    snprintf(key, sizeof key, "layers.%d.latency_us", number);
    (void)servet_profile_modes(profile, NULL, key, &layer->modes, NULL);
    read_groups(profile, number, &layer->groups);
    read_doubts(profile, number, layer);
    READ_ALL("network.layers.points", layer->curve, layer->curve_count);
    READ_ALL("network.layers.protocols", layer->protocol, layer->protocol_count);
    READ_ALL("network.layers.together", layer->together, layer->together_count);
    READ_ALL("network.layers.batches", layer->batches, layer->batch_count);
    READ_ALL("network.layers.aggregation", layer->aggregation, layer->aggregation_count);
}

static void read_ratios(const servet_profile *profile, servet_degradation degradation,
                        view_ratios *ratios)
{
    servet_ratios about = {.largest = 0};
    char key[SERVET_NAME_MAX];
    (void)servet_network_ratios(profile, degradation, &about);
    ratios->bytes = about.bytes;
    ratios->constant_total = about.constant_total;
    snprintf(key, sizeof key, "network.%s.count", servet_degradation_name(degradation));
    read_reason(profile, key, ratios->doubt);
    for (int at = 1; at <= about.largest && ratios->count < NETWORK_VIEW_MAX; at++) {
        servet_ratio *next = &ratios->ratio[ratios->count];
        if (servet_network_ratio(profile, degradation, at, next) == SERVET_OK &&
            next->ratio.method != SERVET_METHOD_INTERPOLATED)
            ratios->count++;
    }
}

void network_view_read(network_view *view, const servet_profile *profile, srv_network *network)
{
    srv_network_options options = SRV_NETWORK_OPTIONS_INIT;
    srv_network_job job;
    servet_network about = {.nodes = 0};
    servet_run run = {.cut = ""};
    network_view_free(view);
    assert_ok(
        srv_network_job_init(&job, network, &options, (servet_profile *)(uintptr_t)profile, NULL));
    (void)servet_network_get(profile, &about);
    (void)servet_profile_run(profile, &run);
    view->done = srv_network_done(profile);
    view->cut = srv_plan_set(srv_network_plan, run.cut);
    view->nodes_asked = about.nodes_asked;
    view->message_bytes = about.message_bytes;
    view->links_known = servet_profile_count(profile, NULL, "network.slow_links", NULL,
                                             &view->slow_link_count) == SERVET_OK;
    for (int i = 0; i < view->slow_link_count && i < NETWORK_VIEW_MAX; i++)
        (void)SERVET_ITEM(profile, "network.slow_links", &view->slow_link[i], i + 1);
    view->layer_count = srv_network_job_layers(&job);
    view->layer = calloc((size_t)view->layer_count + 1, sizeof *view->layer);
    assert_non_null(view->layer);
    for (int i = 0; i < view->layer_count; i++)
        read_layer(&job, i + 1, &view->layer[i]);
    read_ratios(profile, SERVET_DEGRADATION_DISTANCE, &view->distance);
    read_ratios(profile, SERVET_DEGRADATION_ACCESS, &view->access);
    srv_network_job_finish(&job);
}

double network_view_slowness(const servet_profile *profile, int node)
{
    servet_value slowness = {.value = 1};
    (void)servet_network_slowness(profile, node, &slowness);
    return slowness.value;
}
