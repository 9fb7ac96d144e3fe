/* SPDX-License-Identifier: BSD-3-Clause */
#include "network_cost.h"

#include <math.h>
#include <stdlib.h>

/* Links that a message takes. */
typedef struct path {
    int count, hops;
    int link[NETWORK_PATH_MAX];
} path;

/* Numbers of links: interfaces out and in, then those of the network. */
static int first_link(const network *made)
{
    return 2 * made->nodes;
}

static void take(path *way, int link)
{
    way->link[way->count++] = link;
}

/* --- ways ------------------------------------------------------------------------------------- */

static void go_star(const network *made, int from, int to, path *way)
{
    (void)made, (void)from, (void)to, (void)way;
}

/* A level has two links for each unit below it: up and down. */
static void go_tree(const network *made, int from, int to, path *way)
{
    int first = first_link(made), units = made->nodes;
    for (int level = 0; from != to; level++) {
        take(way, first + 2 * from);
        take(way, first + 2 * to + 1);
        way->hops += level > 0 ? 2 : 0;
        first += 2 * units;
        int by = level < made->dimension_count ? made->dimensions[level] : made->nodes;
        units /= by, from /= by, to /= by;
    }
}

/* Two links leave each node along each dimension. */
static void go_torus(const network *made, int from, int to, path *way)
{
    for (int d = 0, stride = 1; d < made->dimension_count; stride *= made->dimensions[d++]) {
        int extent = made->dimensions[d], goal = to / stride % extent;
        for (int at; (at = from / stride % extent) != goal; way->hops++) {
            int ahead = (goal - at + extent) % extent;
            bool up = 2 * ahead <= extent;
            take(way, first_link(made) + (from * made->dimension_count + d) * 2 + !up);
            int next = (at + (up ? 1 : extent - 1)) % extent;
            from += (next - at) * stride;
        }
    }
}

static void go_local(const network *made, int from, int to, path *way)
{
    int routers = made->dimensions[1];
    if (from == to)
        return;
    take(way, first_link(made) + 2 * made->nodes + from * routers + to % routers);
    way->hops++;
}

/* Routers count through; link number k of a group, to the k-th other group, is at its router k
 * modulo their number. */
static void go_dragonfly(const network *made, int from, int to, path *way)
{
    int routers = made->dimensions[1], groups = made->dimensions[2];
    int a = from / made->dimensions[0], b = to / made->dimensions[0];
    int own = a / routers, other = b / routers;
    take(way, first_link(made) + 2 * from);
    take(way, first_link(made) + 2 * to + 1);
    if (own == other) {
        go_local(made, a, b, way);
        return;
    }
    go_local(made, a, own * routers + (other - (other > own)) % routers, way);
    take(way,
         first_link(made) + 2 * made->nodes + groups * routers * routers + own * groups + other);
    way->hops++;
    go_local(made, other * routers + (own - (own > other)) % routers, b, way);
}

static void find_way(const network *made, int from, int to, path *way)
{
    static void (*const go[NETWORK_KIND_COUNT])(const network *, int, int, path *) = {
        go_star, go_tree, go_torus, go_dragonfly};
    *way = (path){0};
    if (made->nic_rate > 0) {
        take(way, 2 * from);
        take(way, 2 * to + 1);
    }
    go[made->kind](made, from, to, way);
}

int network_hops(const network *made, int from, int to)
{
    path way;
    find_way(made, from, to, &way);
    return way.hops;
}

/* --- capacities ------------------------------------------------------------------------------- */

/* Is true if the two nodes of the job use the slow link. */
static bool is_worn(const network *made, int link)
{
    const network_slow *worn = &made->worn;
    int first = first_link(made), unit = worn->node, units = made->nodes;
    if (worn->node < 0 || made->kind == NETWORK_STAR)
        return false;
    if (made->kind == NETWORK_TORUS) {
        int stride = 1, extent = made->dimensions[worn->link];
        for (int d = 0; d < worn->link; d++)
            stride *= made->dimensions[d];
        int at = unit / stride % extent, next = unit + ((at + 1) % extent - at) * stride;
        return link == first + (unit * made->dimension_count + worn->link) * 2 ||
               link == first + (next * made->dimension_count + worn->link) * 2 + 1;
    }
    for (int level = 0; level < worn->link; level++) {
        first += 2 * units;
        units /= made->dimensions[level], unit /= made->dimensions[level];
    }
    return link == first + 2 * unit || link == first + 2 * unit + 1;
}

static bool is_of_sick(const network *made, int link)
{
    int node = made->sick.node, first = first_link(made);
    bool own = made->kind == NETWORK_TREE || made->kind == NETWORK_DRAGONFLY;
    return node >= 0 && (link / 2 == node || (own && (link - first) / 2 == node && link >= first &&
                                              link < first + 2 * made->nodes));
}

/* The bandwidth of a sound link. */
static double width(const network *made, int link)
{
    int first = first_link(made), units = made->nodes;
    double rate = made->link_rate;
    if (link < first)
        return made->nic_rate;
    for (int level = 0; made->kind == NETWORK_TREE && link >= first + 2 * units; level++) {
        first += 2 * units;
        units /= made->dimensions[level];
        rate *= made->dimensions[level] / made->oversubscription[level];
    }
    return rate;
}

static double capacity(const network *made, int link)
{
    double rate = width(made, link);
    rate /= is_worn(made, link) ? made->worn.byte : 1;
    return rate / (is_of_sick(made, link) ? made->sick.byte : 1);
}

/* --- messages --------------------------------------------------------------------------------- */

static const network_protocol *protocol_of(const network_layer *layer, double bytes)
{
    bool second = layer->protocols > 1 && bytes >= layer->protocol[1].from;
    return &layer->protocol[second];
}

double network_layer_seconds(const network_layer *layer, double bytes)
{
    const network_protocol *protocol = protocol_of(layer, bytes);
    return 1e-6 * protocol->latency_us + bytes / protocol->rate;
}

static bool touches_sick(const network *made, int from, int to)
{
    return made->sick.node >= 0 && (from == made->sick.node || to == made->sick.node);
}

static double latency(const network *made, int from, int to, double bytes, int hops)
{
    const network_protocol *protocol = protocol_of(&made->layer[made->layers - 1], bytes);
    double factor = touches_sick(made, from, to) ? made->sick.latency : 1;
    return 1e-6 * factor * (protocol->latency_us + hops * made->hop_us);
}

static double demand(const network *made, int from, int to, double bytes)
{
    return protocol_of(&made->layer[made->layers - 1], bytes)->rate /
           (touches_sick(made, from, to) ? made->sick.byte : 1);
}

double network_seconds(const network *made, int from, int to, double bytes, bool sound)
{
    network as = *made;
    path way;
    if (sound)
        as.sick.node = as.worn.node = -1;
    find_way(&as, from, to, &way);
    double rate = demand(&as, from, to, bytes);
    for (int i = 0; i < way.count; i++)
        rate = fmin(rate, capacity(&as, way.link[i]));
    return latency(&as, from, to, bytes, way.hops) + bytes / rate;
}

/* --- all at once ------------------------------------------------------------------------------ */

enum { FLOWS_MAX = NETWORK_NODES_MAX * NETWORK_CORES_MAX };

typedef struct filling {
    int count;
    path way[FLOWS_MAX];
    double demand[FLOWS_MAX], rate[FLOWS_MAX]; /* rate 0: not known yet */
    double left[NETWORK_LINKS_MAX];
    int users[NETWORK_LINKS_MAX];
} filling;

/* The least bandwidth of a flow if all remaining flows share each of its links equally. */
static double fair(const filling *on, int flow)
{
    double least = on->demand[flow];
    for (int i = 0; i < on->way[flow].count; i++) {
        int link = on->way[flow].link[i];
        least = fmin(least, on->left[link] / on->users[link]);
    }
    return least;
}

static void settle(filling *on, int flow, double rate)
{
    on->rate[flow] = rate;
    for (int i = 0; i < on->way[flow].count; i++) {
        int link = on->way[flow].link[i];
        on->left[link] = fmax(0, on->left[link] - rate);
        on->users[link]--;
    }
}

/* Again and again, those that get least are settled. */
static void fill(filling *on)
{
    const double equal = 1 + 1e-9;
    for (int known = 0; known < on->count;) {
        double least = INFINITY, own[FLOWS_MAX];
        for (int i = 0; i < on->count; i++) {
            own[i] = on->rate[i] > 0 ? INFINITY : fair(on, i);
            least = fmin(least, own[i]);
        }
        for (int i = 0; i < on->count; i++)
            if (own[i] <= least * equal) {
                settle(on, i, least);
                known++;
            }
    }
}

double network_ring_seconds(const network *made, const network_ring *ring)
{
    filling *on = calloc(1, sizeof *on);
    double sum = 0;
    int counted = 0;
    if (!on)
        abort();
    for (int link = 0; link < NETWORK_LINKS_MAX; link++)
        on->left[link] = -1;
    for (int i = 0; i < ring->nodes * ring->processes; i++) {
        int node = i / ring->processes;
        int from = ring->node[node], to = ring->node[(node + ring->distance) % ring->nodes];
        path *way = &on->way[on->count];
        find_way(made, from, to, way);
        on->demand[on->count++] = demand(made, from, to, ring->bytes);
        for (int k = 0; k < way->count; k++) {
            if (on->users[way->link[k]]++ == 0)
                on->left[way->link[k]] = capacity(made, way->link[k]);
        }
    }
    fill(on);
    for (int i = 0; i < on->count; i++) {
        int node = i / ring->processes;
        int from = ring->node[node], to = ring->node[(node + ring->distance) % ring->nodes];
        if (ring->apart && ring->apart[node])
            continue;
        sum += latency(made, from, to, ring->bytes, on->way[i].hops) + ring->bytes / on->rate[i];
        counted++;
    }
    free(on);
    return sum / counted;
}
