/* SPDX-License-Identifier: BSD-3-Clause */
#include "network.h"

#include <math.h>
#include <stdlib.h>

#include "draw.h"

static const double KIB = 1 << 10;

/* --- drawing ---------------------------------------------------------------------------------- */

/* Evenly over the orders of magnitude. */
static double draw_scale(uint64_t *state, double low, double high)
{
    return low * pow(high / low, draw_between(state, 0, 1));
}

/* Three digits, which a file holds exactly enough. */
static double rounded(double number)
{
    double unit = pow(10, floor(log10(number)) - 2);
    return floor(number / unit + 0.5) * unit;
}

static void draw_extents(network *made, uint64_t *state, int count, const int most[])
{
    made->dimension_count = count;
    made->nodes = 1;
    for (int d = 0; d < count; d++) {
        made->dimensions[d] = 2 + draw_below(state, (size_t)most[d] - 1);
        made->nodes *= made->dimensions[d];
    }
}

static void draw_shape(network *made, uint64_t *state)
{
    static const struct {
        network_kind kind;
        int dimensions, most[NETWORK_DIMENSIONS_MAX];
    } shapes[] = {
        {NETWORK_STAR, 0, {0}},
        {NETWORK_STAR, 0, {0}},
        {NETWORK_TREE, 2, {8, 8}},
        {NETWORK_TREE, 2, {16, 4}},
        {NETWORK_TREE, 3, {4, 4, 4}},
        {NETWORK_TREE, 3, {6, 3, 3}},
        {NETWORK_TORUS, 2, {7, 7}},
        {NETWORK_TORUS, 3, {4, 4, 4}},
        {NETWORK_DRAGONFLY, 3, {4, 4, 4}},
        {NETWORK_DRAGONFLY, 3, {3, 4, 5}},
    };
    int number = draw_below(state, sizeof shapes / sizeof *shapes);
    made->kind = shapes[number].kind;
    draw_extents(made, state, shapes[number].dimensions, shapes[number].most);
    if (made->kind == NETWORK_STAR)
        made->nodes = 2 + draw_below(state, 39);
}

/* Networks from gigabit Ethernet to the fastest machines; faster ones have a smaller latency, too.
 */
static void draw_between_nodes(network *made, uint64_t *state)
{
    double speed = draw_between(state, 0, 1), eager;
    network_layer *layer = &made->layer[made->layers++];
    *layer = (network_layer){.protocols = 1 + draw_chance(state, 0.6)};
    eager = 0.1e9 * pow(200, speed) * draw_between(state, 0.7, 1.4);
    double latency = 40 * pow(1. / 40, speed) * draw_between(state, 0.7, 1.4);
    if (made->layers > 1) /* not less than within a node */
        latency = fmax(latency, 1.1 * layer[-1].protocol[0].latency_us);
    layer->protocol[0] = (network_protocol){0, rounded(latency), rounded(eager)};
    layer->protocol[1] =
        (network_protocol){KIB * (1 << (1 + draw_below(state, 8))),
                           rounded(layer->protocol[0].latency_us * draw_between(state, 1.2, 3)),
                           rounded(eager * draw_between(state, 1, 1.6))};
    double alone = layer->protocol[layer->protocols - 1].rate;
    made->nic_rate = draw_chance(state, 0.7) ? rounded(alone * draw_scale(state, 1, 3)) : 0;
    made->link_rate = rounded(alone * draw_scale(state, 1, 2));
    made->hop_us = rounded(layer->protocol[0].latency_us * draw_scale(state, 0.02, 0.4));
}

/* None of the layers before has a longer latency. */
static void draw_within(network *made, uint64_t *state, int within, double slower)
{
    network_layer *layer = &made->layer[made->layers++];
    *layer = (network_layer){.within = within, .protocols = 1 + draw_chance(state, 0.5)};
    double latency = draw_between(state, 0.2, 0.4) * slower;
    double rate = draw_scale(state, 2e9, 12e9) / slower;
    layer->protocol[0] = (network_protocol){0, rounded(latency), rounded(rate)};
    layer->protocol[1] = (network_protocol){KIB * (1 << (1 + draw_below(state, 8))),
                                            rounded(latency * draw_between(state, 1.2, 3)),
                                            rounded(rate * draw_between(state, 1, 1.6))};
}

static void draw_cores(network *made, uint64_t *state)
{
    static const int cores[] = {1, 1, 2, 4, 6, 8};
    made->cores = DRAW_FROM(state, cores);
    if (made->cores >= 4 && draw_chance(state, 0.5))
        draw_within(made, state, made->cores / 2, 1);
    if (made->cores > 1)
        draw_within(made, state, made->cores, draw_between(state, 1, 2));
    if (made->layers == 2) { /* the same but slower */
        double slower = draw_between(state, 1, 2.5);
        made->layer[1] = made->layer[0];
        made->layer[1].within = made->cores;
        for (int i = 0; i < 2; i++) {
            network_protocol *protocol = &made->layer[1].protocol[i];
            protocol->latency_us = rounded(protocol->latency_us * slower);
            protocol->rate = rounded(protocol->rate / slower);
        }
    }
}

/* Uplinks carry at least one link. */
static void draw_oversubscription(network *made, uint64_t *state)
{
    for (int d = 0; d < made->dimension_count && made->kind == NETWORK_TREE; d++) {
        int most = made->dimensions[d] < 4 ? made->dimensions[d] : 4;
        made->oversubscription[d] = 1 + draw_below(state, (size_t)most);
    }
}

static void draw_slow(network *made, uint64_t *state)
{
    double what = draw_between(state, 0, 1);
    int node = draw_below(state, (size_t)made->nodes);
    double latency = rounded(draw_scale(state, 2, 10)), byte = rounded(draw_scale(state, 2, 10));
    bool links = made->kind == NETWORK_TREE || made->kind == NETWORK_TORUS;
    made->sick = made->worn = (network_slow){-1, 0, 1, 1};
    if (what < 0.25 && made->nodes > 2)
        made->sick = (network_slow){node, 0, draw_chance(state, 0.6) ? latency : 1, byte};
    else if (what < 0.4 && links)
        made->worn =
            (network_slow){node, draw_below(state, (size_t)made->dimension_count), 1, byte};
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The scheduler has its own order, and not all nodes for a job. */
static void draw_order(network *made, uint64_t *state)
{
    bool part = draw_chance(state, 0.4), shuffled = part || draw_chance(state, 0.5);
    made->job_nodes = part ? 2 + draw_below(state, (size_t)made->nodes - 1) : made->nodes;
    for (int i = 0; i < made->nodes; i++)
        made->place[i] = i;
    for (int i = made->nodes - 1; i > 0 && shuffled; i--) {
        int other = draw_below(state, (size_t)i + 1), own = made->place[i];
        made->place[i] = made->place[other];
        made->place[other] = own;
    }
    if (draw_chance(state, 0.5) && part)
        qsort(made->place, (size_t)made->job_nodes, sizeof *made->place, ascending);
}

network network_generate(int index, const condition *noise)
{
    uint64_t random = draw_begin(index), *state = &random;
    network made = {.noise = *noise};
    draw_shape(&made, state);
    draw_cores(&made, state);
    draw_between_nodes(&made, state);
    draw_oversubscription(&made, state);
    draw_slow(&made, state);
    draw_order(&made, state);
    return made;
}

/* --- the model -------------------------------------------------------------------------------- */

static json_t *layer_model(const network_layer *layer)
{
    json_t *protocols = json_array();
    for (int i = 0; i < layer->protocols; i++)
        json_array_append_new(protocols,
                              json_pack("{sf sf sf}", "from_bytes", layer->protocol[i].from,
                                        "latency_us", layer->protocol[i].latency_us,
                                        "bytes_per_second", layer->protocol[i].rate));
    return json_pack("{si so}", "within", layer->within, "protocols", protocols);
}

static void add_slow(const network *made, json_t *kind)
{
    const network_slow *sick = &made->sick, *worn = &made->worn;
    if (sick->node >= 0)
        json_object_set_new(kind, "slow_nodes",
                            json_pack("[{si sf sf}]", "node", sick->node, "latency_factor",
                                      sick->latency, "byte_factor", sick->byte));
    if (worn->node >= 0)
        json_object_set_new(kind, "slow_links",
                            json_pack("[{si si sf}]", "node", worn->node, "link", worn->link,
                                      "byte_factor", worn->byte));
}

static json_t *kind_model(const network *made)
{
    static const char *const words[NETWORK_KIND_COUNT] = {"crossbar", "tree", "torus", "dragonfly"};
    json_t *kind = json_pack("{ss sf sf}", "kind", words[made->kind], "nic_bytes_per_second",
                             made->nic_rate, "hop_us", made->hop_us);
    if (made->dimension_count > 0) {
        json_t *extents = json_array(), *over = json_array();
        for (int d = 0; d < made->dimension_count; d++) {
            json_array_append_new(extents, json_integer(made->dimensions[d]));
            json_array_append_new(over, json_real(made->oversubscription[d]));
        }
        json_object_set_new(kind, "dimensions", extents);
        if (made->kind == NETWORK_TREE)
            json_object_set(kind, "oversubscription", over);
        json_decref(over);
        json_object_set_new(kind, "link_bytes_per_second", json_real(made->link_rate));
    }
    add_slow(made, kind);
    return kind;
}

json_t *network_model(const network *made, int index)
{
    json_t *messages = json_array(), *model;
    for (int i = 0; i < made->layers; i++)
        json_array_append_new(messages, layer_model(&made->layer[i]));
    model = json_pack("{si so si si sf s[{si si si si}] s{si si si} so so so}", "model", 1, "name",
                      json_sprintf("network-%d", index), "nodes", made->nodes, "cores", made->cores,
                      "clock_ghz", 2.5, "caches", "level", 1, "bytes", 32768, "ways", 8,
                      "latency_cycles", 4, "memory", "bytes", 1 << 30, "latency_ns", 90,
                      "core_bytes_per_second", 1000000000, "messages", messages, "network",
                      kind_model(made), "noise", condition_noise(&made->noise, 1));
    return model;
}

srv_rank *network_ranks(const network *made)
{
    srv_rank *ranks = calloc((size_t)(made->job_nodes * made->cores), sizeof *ranks);
    for (int i = 0; ranks && i < made->job_nodes * made->cores; i++)
        ranks[i] = (srv_rank){made->place[i / made->cores], i % made->cores};
    return ranks;
}
