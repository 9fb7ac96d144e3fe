/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "sample_cluster.h"
#include "sim/messages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"

srv_model *sample_cluster(int nodes, int cores)
{
    srv_model *model = calloc(1, sizeof *model);
    int *os_index = calloc((size_t)cores, sizeof *os_index);
    if (!model || !os_index)
        abort();
    for (int i = 0; i < cores; i++)
        os_index[i] = i;
    *model = (srv_model){
        .name = "cluster",
        .node_count = nodes,
        .pu_count = cores,
        .smt = 1,
        .os_index = os_index,
        .layer_count = 2,
        .layer = {{.pus = cores, .protocol_count = 1, .protocol = {{0, 1, 4e9}}},
                  {.pus = 0, .protocol_count = 1, .protocol = {{0, 50, SAMPLE_LINK}}}},
    };
    return model;
}

srv_model *sample_cluster_of(int nodes, double us, double rate, double long_us, double long_rate)
{
    srv_model *model = sample_cluster(nodes, 1);
    model->layer[1].protocol[0] = (srv_model_protocol){0, us, rate};
    model->layer[1].protocol[1] = (srv_model_protocol){4096, long_us, long_rate};
    model->layer[1].protocol_count = long_rate > 0 ? 2 : 1;
    return model;
}

srv_model *sample_ring(int nodes, int cores)
{
    srv_model *model = sample_cluster(nodes, cores);
    model->network = (srv_model_network){.type = SRV_NETWORK_TORUS,
                                         .dimension_count = 1,
                                         .dimensions = {nodes},
                                         .link_bytes_per_second = SAMPLE_LINK};
    return model;
}

srv_model *sample_two_leaves(int nodes, int cores)
{
    srv_model *model = sample_cluster(nodes, cores);
    model->network = (srv_model_network){.type = SRV_NETWORK_TREE,
                                         .dimension_count = 2,
                                         .dimensions = {nodes / 2, 2},
                                         .oversubscription = {nodes, 1},
                                         .link_bytes_per_second = SAMPLE_LINK};
    return model;
}

/* --- watching --------------------------------------------------------------------------------- */

static srv_network *inner(srv_network *network)
{
    return ((watched_network *)network)->inner;
}

static int describe(srv_network *network, const srv_rank **ranks, int *rank_count,
                    const srv_network_node **nodes, int *node_count, servet_error *error)
{
    return inner(network)->ops->describe(inner(network), ranks, rank_count, nodes, node_count,
                                         error);
}

static bool touches_slow_node(const watched_network *watched, const srv_rank_pair *pair)
{
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count;
    srv_network *of = watched->inner;
    if (watched->slow_factor <= 0)
        return false;
    (void)of->ops->describe(of, &ranks, &rank_count, &nodes, &node_count, NULL);
    int a = ranks[pair->from].node, b = ranks[pair->to].node;
    return a != b && (a == watched->slow_node || b == watched->slow_node);
}

static void slow_down(srv_spread *time, double factor)
{
    time->median *= factor;
    time->low *= factor;
    time->high *= factor;
}

static void share_unevenly(const srv_exchange *exchange, srv_spread *times)
{
    for (int i = 0; i + 1 < exchange->count && exchange->flow == SRV_FLOW_ONE_WAY; i += 2) {
        slow_down(&times[i], 1 / 1.5);
        slow_down(&times[i + 1], 1 / 0.5);
    }
}

static int exchange_messages(srv_network *network, const srv_exchange *exchange, srv_spread *times,
                             servet_error *error)
{
    watched_network *watched = (watched_network *)network;
    if (exchange->count > watched->most_pairs)
        watched->most_pairs = exchange->count;
    watched->buffers |= 1u << exchange->buffers;
    if (++watched->passes == watched->hangs_at)
        return srv_fail(error, SERVET_ECOMMUNICATION, "ranks %d and %d hang",
                        exchange->pairs[0].from, exchange->pairs[0].to);
    int code = inner(network)->ops->exchange(inner(network), exchange, times, error);
    bool slow = watched->slow_every > 0 && watched->passes % watched->slow_every == 0;
    slow = slow || (unsigned)watched->passes * 2654435761u / 65536 % 100 < watched->slow_percent;
    double now = inner(network)->ops->elapsed(inner(network)), every = watched->changes_every;
    double coupled = 1, factor = slow ? 5 : every > 0 && fmod(now, 2 * every) >= every ? 2 : 1;
    for (int i = 0; i < exchange->count; i++)
        if (touches_slow_node(watched, &exchange->pairs[i])) {
            if (exchange->flow == SRV_FLOW_ONE_WAY)
                coupled = watched->slow_factor;
            else
                slow_down(&times[i], watched->slow_factor);
        }
    for (int i = 0; i < exchange->count; i++)
        slow_down(&times[i], factor * coupled);
    for (int i = 0; i < exchange->count && watched->load; i++)
        slow_down(&times[i], watched->load(&exchange->pairs[i], now));
    if (watched->uneven)
        share_unevenly(exchange, times);
    return code;
}

static int noise(srv_network *network, const int *ranks, int count, double seconds,
                 srv_rank_noise *noises, servet_error *error)
{
    watched_network *watched = (watched_network *)network;
    watched->sampled = count;
    int code = inner(network)->ops->noise(inner(network), ranks, count, seconds, noises, error);
    if (watched->lost > 0)
        noises[watched->disturbed].core.lost = watched->lost;
    if (watched->absent)
        noises[watched->disturbed].absence = *watched->absent;
    return code;
}

static double elapsed(srv_network *network)
{
    return inner(network)->ops->elapsed(inner(network));
}

static void destroy(srv_network *network)
{
    srv_network_destroy(inner(network));
}

void watch_network(watched_network *watched, srv_network *inner_network)
{
    static const srv_network_ops ops = {.describe = describe,
                                        .exchange = exchange_messages,
                                        .noise = noise,
                                        .elapsed = elapsed,
                                        .destroy = destroy};
    *watched = (watched_network){.network = {&ops}, .inner = inner_network};
}

TEST_KEEPS(srv_network, srv_network_destroy)

srv_network *network_of_model(srv_model *model, const srv_rank *ranks, int count)
{
    srv_network *network;
    assert_ok(srv_messages_from(&network, model, ranks, count, NULL));
    return keep_srv_network(network);
}

void watch_model(watched_network *watched, srv_model *model, const srv_rank *ranks, int count)
{
    watch_network(watched, network_of_model(model, ranks, count));
}
