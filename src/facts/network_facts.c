/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/network_facts.h"

#include <stdlib.h>

#include "core/names.h"

SRV_NAMES(srv_network_benchmark_name, srv_network_benchmark, SRV_NETWORK_BENCHMARK_LIST)

bool srv_network_is_slow(const srv_network_facts *facts, int node)
{
    return facts->slowness && facts->slowness[node].value >= SERVET_SLOW_NODE;
}

srv_network_slow_link *srv_network_add_slow_link(srv_network_facts *facts)
{
    srv_network_slow_link *link = &facts->slow_link[facts->slow_link_count];
    *link = (srv_network_slow_link){.ends = calloc((size_t)facts->node_count, 1)};
    if (link->ends)
        facts->slow_link_count++;
    return link->ends ? link : NULL;
}

void srv_network_forget_slow_links(srv_network_facts *facts)
{
    while (facts->slow_link_count > 0)
        free(facts->slow_link[--facts->slow_link_count].ends);
    facts->links_known = false;
}

bool srv_network_is_slow_way(const srv_network_facts *facts, int from, int to)
{
    bool slow = false;
    for (int i = 0; i < facts->slow_link_count && !slow; i++) {
        const unsigned char *ends = facts->slow_link[i].ends;
        slow = (ends[from] & 1 && ends[to] & 2) || (ends[from] & 2 && ends[to] & 1);
    }
    return slow;
}

void srv_network_distrust_batches(srv_network_layer *layer)
{
    for (int i = 0; i < layer->batch_count; i++) {
        servet_batch *batch = &layer->batches[i];
        batch->in_turn.trusted = batch->at_once.trusted = batch->as_one.trusted =
            batch->gain.trusted = batch->trusted = false;
    }
    for (int i = 0; i < layer->aggregation_count; i++)
        layer->aggregation[i].gain.trusted = layer->aggregation[i].trusted = false;
}

void srv_network_order_layers(srv_network_facts *facts)
{
    for (int done = 1; done < facts->layer_count; done++)
        for (int i = done; i > 0; i--) {
            srv_network_layer *before = &facts->layer[i - 1], moved = facts->layer[i];
            if (before->between_nodes == moved.between_nodes ||
                before->latency.value <= moved.latency.value)
                break;
            facts->layer[i] = *before;
            *before = moved;
        }
}

static void finish_layer(srv_network_layer *layer)
{
    srv_sets_finish(&layer->groups);
    free(layer->curve);
    free(layer->together);
    free(layer->batches);
    free(layer->aggregation);
}

void srv_network_forget_layers(srv_network_facts *facts)
{
    while (facts->layer_count > 0)
        finish_layer(&facts->layer[--facts->layer_count]);
    free(facts->slowness);
    facts->slowness = NULL;
    srv_network_forget_slow_links(facts);
}

void srv_network_facts_finish(srv_network_facts *facts)
{
    srv_network_forget_layers(facts);
    free(facts->distance.ratio);
    free(facts->access.ratio);
    free(facts->seen);
    *facts = (srv_network_facts){0};
}
