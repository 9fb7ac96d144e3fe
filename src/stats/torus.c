/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/torus.h"

#include <stdbool.h>
#include <stdlib.h>

#include "servet/error.h"

int srv_torus_nodes(const srv_torus *torus)
{
    int nodes = 1;
    for (int d = 0; d < torus->count; d++)
        nodes *= torus->extent[d];
    return nodes;
}

int srv_torus_links(const srv_torus *torus)
{
    return 2 * torus->count * srv_torus_nodes(torus);
}

/* Returns the steps along a dimension, negative downwards. */
static int steps_of(int extent, int from, int to)
{
    int up = (to - from + extent) % extent;
    return 2 * up <= extent ? up : up - extent;
}

int srv_torus_hops(const srv_torus *torus, int from, int to)
{
    int hops = 0;
    for (int d = 0; d < torus->count; d++) {
        int extent = torus->extent[d];
        hops += abs(steps_of(extent, from % extent, to % extent));
        from /= extent;
        to /= extent;
    }
    return hops;
}

int srv_torus_route(const srv_torus *torus, int from, int to, int *links)
{
    int hops = 0;
    for (int d = 0, stride = 1; d < torus->count; stride *= torus->extent[d++]) {
        int extent = torus->extent[d], at = from / stride % extent;
        int steps = steps_of(extent, at, to / stride % extent), way = steps < 0 ? -1 : 1;
        for (; steps != 0; steps -= way) {
            int next = (at + way + extent) % extent;
            links[hops++] = 2 * (from * torus->count + d) + (way < 0);
            from += (next - at) * stride;
            at = next;
        }
    }
    return hops;
}

/* Part of a torus: `first` is its node with the lowest number. */
typedef struct box {
    int first;
    srv_torus size;
} box;

/* Gives the nodes of a box the positions from `next` on; returns the one behind them. */
static int order_box(const srv_torus *torus, box part, int next, int *place)
{
    int longest = 0, stride = 1;
    for (int d = 1; d < torus->count; d++)
        if (part.size.extent[d] > part.size.extent[longest])
            longest = d;
    int extent = part.size.extent[longest];
    if (extent == 1) {
        place[part.first] = next;
        return next + 1;
    }
    for (int d = 0; d < longest; d++)
        stride *= torus->extent[d];
    box upper = part;
    part.size.extent[longest] = extent / 2;
    upper.size.extent[longest] = extent - extent / 2;
    upper.first += extent / 2 * stride;
    next = order_box(torus, part, next, place);
    return order_box(torus, upper, next, place);
}

void srv_torus_order(const srv_torus *torus, int *place)
{
    (void)order_box(torus, (box){0, *torus}, 0, place);
}

int srv_torus_sharers(const srv_torus *torus, int distance, int *sharers)
{
    int nodes = srv_torus_nodes(torus), hops;
    int *messages = calloc((size_t)srv_torus_links(torus), sizeof *messages);
    int *links = calloc((size_t)nodes, sizeof *links);
    bool made = messages && links;
    for (int node = 0; node < nodes && made; node++) {
        hops = srv_torus_route(torus, node, (node + distance) % nodes, links);
        for (int i = 0; i < hops; i++)
            messages[links[i]]++;
    }
    for (int node = 0; node < nodes && made; node++) {
        hops = srv_torus_route(torus, node, (node + distance) % nodes, links);
        sharers[node] = 1;
        for (int i = 0; i < hops; i++)
            sharers[node] = messages[links[i]] > sharers[node] ? messages[links[i]] : sharers[node];
    }
    free(messages);
    free(links);
    return made ? SERVET_OK : SERVET_EMEMORY;
}
