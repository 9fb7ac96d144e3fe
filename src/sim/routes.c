/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/routes.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "sim/flows.h"
#include "sim/system.h"
#include "stats/torus.h"

/* --- links ------------------------------------------------------------------------------------ */

/* Links alike, numbered from `first`. */
typedef struct link_bank {
    int first, count; /* count 0: no limit */
} link_bank;

static int add_buses(srv_flows *flows, double alone, double contended, int count, link_bank *made,
                     servet_error *error)
{
    *made = (link_bank){0, 0};
    if (!(alone > 0))
        return SERVET_OK;
    for (int link; made->count < count; made->count++) {
        int code = srv_flows_add_bus(flows, alone, contended, &link, error);
        if (code != SERVET_OK)
            return code;
        if (made->count == 0)
            made->first = link;
    }
    return SERVET_OK;
}

static int add_bank(srv_flows *flows, double capacity, int count, link_bank *made,
                    servet_error *error)
{
    return add_buses(flows, capacity, capacity, count, made, error);
}

/* The links that one flow takes. */
typedef struct link_route {
    int *links;
    int count;
} link_route;

static void take(link_route *route, const link_bank *bank, int index)
{
    if (bank->count > 0)
        route->links[route->count++] = bank->first + index;
}

static int groups_of(const srv_model *model, int pus)
{
    return (model->pu_count + pus - 1) / pus;
}

/* --- memory ----------------------------------------------------------------------------------- */

typedef struct memory_links {
    link_bank cores; /* by their first PU */
    link_bank domain[SRV_MODEL_DOMAINS_MAX];
    link_bank remote[SRV_MODEL_DOMAINS_MAX]; /* by the NUMA node that requests */
} memory_links;

static int lay_memory(const srv_model *model, srv_flows *flows, memory_links *memory,
                      servet_error *error)
{
    int link, code = SERVET_OK;
    for (int pu = 0; pu < model->pu_count && code == SERVET_OK; pu++) {
        code = srv_flows_add_link(flows, srv_system_memory_rate(model, pu), &link, error);
        if (code == SERVET_OK)
            memory->cores = (link_bank){link - pu, pu + 1};
    }
    for (int i = 0; i < model->domain_count && code == SERVET_OK; i++) {
        const srv_model_domain *domain = &model->domain[i];
        double alone = domain->bytes_per_second, contended = domain->contended_bytes_per_second;
        code = add_buses(flows, alone, contended > 0 ? contended : alone,
                         groups_of(model, domain->pus), &memory->domain[i], error);
    }
    for (int i = 0; i < model->remote_count && code == SERVET_OK; i++)
        code = add_bank(flows, model->remote[i].link_bytes_per_second, model->machine.numa_count,
                        &memory->remote[i], error);
    return code;
}

static int add_stream(const srv_model *model, srv_flows *flows, const memory_links *memory,
                      const srv_access *access, servet_error *error)
{
    int links[SRV_MODEL_DOMAINS_MAX + 2];
    link_route route = {links, 0};
    const srv_model_remote *remote = srv_numa_remote(model, access->pu, access->node);
    take(&route, &memory->cores, srv_system_core(model, access->pu));
    for (int i = 0; i < model->domain_count; i++)
        take(&route, &memory->domain[i], srv_numa_domain(model, i, access->pu, access->node));
    if (remote)
        take(&route, &memory->remote[remote - model->remote], srv_numa_of(model, access->pu));
    double demand = remote ? remote->core_bytes_per_second : INFINITY;
    return srv_flows_add_flow(flows, demand, route.links, route.count, error);
}

int srv_routes_memory(const srv_model *model, const srv_access *accesses, int n, double *rates,
                      servet_error *error)
{
    srv_flows *flows;
    memory_links memory;
    int code = srv_flows_create(&flows, error);
    if (code != SERVET_OK)
        return code;
    code = lay_memory(model, flows, &memory, error);
    for (int i = 0; i < n && code == SERVET_OK; i++)
        code = add_stream(model, flows, &memory, &accesses[i], error);
    if (code == SERVET_OK)
        code = srv_flows_solve(flows, rates, error);
    srv_flows_destroy(flows);
    return code;
}

/* --- torus ------------------------------------------------------------------------------------ */

static_assert((int)SRV_MODEL_DIMENSIONS_MAX <= (int)SRV_TORUS_DIMENSIONS_MAX,
              "a model's torus has as many dimensions");

/* Routes from node to node and takes each link; a NULL route only counts. Returns the hops. */
static int torus_route(const srv_model *model, const link_bank *links, int from, int to,
                       link_route *route)
{
    srv_torus torus = {.count = model->network.dimension_count};
    for (int d = 0; d < torus.count; d++)
        torus.extent[d] = model->network.dimensions[d];
    if (!route || links->count == 0)
        return srv_torus_hops(&torus, from, to);
    int *taken = route->links + route->count, hops = srv_torus_route(&torus, from, to, taken);
    for (int i = 0; i < hops; i++)
        taken[i] += links->first;
    route->count += hops;
    return hops;
}

static int torus_lay(const srv_model *model, srv_flows *flows, link_bank *links,
                     servet_error *error)
{
    const srv_model_network *network = &model->network;
    return add_bank(flows, network->link_bytes_per_second,
                    2 * network->dimension_count * model->node_count, links, error);
}

/* Both directions of the link upwards along a dimension. */
static void torus_slow(const srv_model *model, srv_flows *flows, const link_bank *links,
                       const srv_model_slow_link *slow)
{
    const srv_model_network *network = &model->network;
    int stride = 1, extent = network->dimensions[slow->link];
    for (int d = 0; d < slow->link; d++)
        stride *= network->dimensions[d];
    int at = slow->node / stride % extent, next = slow->node + ((at + 1) % extent - at) * stride;
    int first = links->first + 2 * slow->link, each = 2 * network->dimension_count;
    srv_flows_slow_link(flows, first + each * slow->node, slow->byte_factor);
    srv_flows_slow_link(flows, first + each * next + 1, slow->byte_factor);
}

/* --- tree ------------------------------------------------------------------------------------- */

enum { UP, DOWN };

/* Links of level 0 connect nodes to leaf switches, those of level l connect switches of level
 * l-1 to those of level l. */
static int tree_route(const srv_model *model, const link_bank *links, int from, int to,
                      link_route *route)
{
    const srv_model_network *network = &model->network;
    int hops = 0;
    for (int level = 0; from != to && level <= network->dimension_count; level++) {
        if (route) {
            take(route, &links[level], 2 * from + UP);
            take(route, &links[level], 2 * to + DOWN);
        }
        hops += level > 0 ? 2 : 0;
        if (level < network->dimension_count) {
            from /= network->dimensions[level];
            to /= network->dimensions[level];
        }
    }
    return hops;
}

static int tree_lay(const srv_model *model, srv_flows *flows, link_bank *links, servet_error *error)
{
    const srv_model_network *network = &model->network;
    double capacity = network->link_bytes_per_second;
    int below = model->node_count;
    int code = add_bank(flows, capacity, 2 * below, &links[0], error);
    for (int level = 0; level < network->dimension_count && code == SERVET_OK; level++) {
        capacity *= network->dimensions[level] / network->oversubscription[level];
        below = (below + network->dimensions[level] - 1) / network->dimensions[level];
        code = add_bank(flows, capacity, 2 * below, &links[level + 1], error);
    }
    return code;
}

/* A link of a level is that of the node's switch below it. */
static void tree_slow(const srv_model *model, srv_flows *flows, const link_bank *links,
                      const srv_model_slow_link *slow)
{
    int unit = slow->node;
    for (int level = 0; level < slow->link; level++)
        unit /= model->network.dimensions[level];
    srv_flows_slow_link(flows, links[slow->link].first + 2 * unit + UP, slow->byte_factor);
    srv_flows_slow_link(flows, links[slow->link].first + 2 * unit + DOWN, slow->byte_factor);
}

/* --- dragonfly -------------------------------------------------------------------------------- */

/* The banks of links: of nodes, between the routers of a group, between groups. */
enum { OWN, LOCAL, GLOBAL };

/* The router of a group that has the link to another group: each next link is at the next router.
 */
static int gateway(int group, int other, int routers)
{
    return group * routers + (other > group ? other - 1 : other) % routers;
}

static int local_hop(const link_bank *links, int from, int to, int routers, link_route *route)
{
    if (route && from != to)
        take(route, &links[LOCAL], from * routers + to % routers);
    return from != to;
}

static int dragonfly_route(const srv_model *model, const link_bank *links, int from, int to,
                           link_route *route)
{
    int nodes = model->network.dimensions[0], routers = model->network.dimensions[1];
    int groups = model->network.dimensions[2], a = from / nodes, b = to / nodes;
    int from_group = a / routers, to_group = b / routers;
    if (from == to)
        return 0;
    if (route) {
        take(route, &links[OWN], 2 * from + UP);
        take(route, &links[OWN], 2 * to + DOWN);
    }
    if (from_group == to_group)
        return local_hop(links, a, b, routers, route);
    if (route)
        take(route, &links[GLOBAL], from_group * groups + to_group);
    return local_hop(links, a, gateway(from_group, to_group, routers), routers, route) + 1 +
           local_hop(links, gateway(to_group, from_group, routers), b, routers, route);
}

static int dragonfly_lay(const srv_model *model, srv_flows *flows, link_bank *links,
                         servet_error *error)
{
    const srv_model_network *network = &model->network;
    int routers = network->dimensions[1], groups = network->dimensions[2];
    double capacity = network->link_bytes_per_second;
    int code = add_bank(flows, capacity, 2 * model->node_count, &links[OWN], error);
    if (code == SERVET_OK)
        code = add_bank(flows, capacity, groups * routers * routers, &links[LOCAL], error);
    return code == SERVET_OK ? add_bank(flows, capacity, groups * groups, &links[GLOBAL], error)
                             : code;
}

/* The node's own. */
static void dragonfly_slow(const srv_model *model, srv_flows *flows, const link_bank *links,
                           const srv_model_slow_link *slow)
{
    (void)model;
    srv_flows_slow_link(flows, links[OWN].first + 2 * slow->node + UP, slow->byte_factor);
    srv_flows_slow_link(flows, links[OWN].first + 2 * slow->node + DOWN, slow->byte_factor);
}

/* --- crossbar --------------------------------------------------------------------------------- */

static int crossbar_route(const srv_model *model, const link_bank *links, int from, int to,
                          link_route *route)
{
    (void)model, (void)links, (void)from, (void)to, (void)route;
    return 0;
}

static int crossbar_lay(const srv_model *model, srv_flows *flows, link_bank *links,
                        servet_error *error)
{
    (void)model, (void)flows, (void)links, (void)error;
    return SERVET_OK;
}

/* --- networks --------------------------------------------------------------------------------- */

static const struct {
    int (*lay)(const srv_model *model, srv_flows *flows, link_bank *links, servet_error *error);
    int (*route)(const srv_model *model, const link_bank *links, int from, int to,
                 link_route *route);
    void (*slow)(const srv_model *model, srv_flows *flows, const link_bank *links,
                 const srv_model_slow_link *slow);
    bool own_link; /* each node has one, number 0 */
} networks[SRV_NETWORK_COUNT] = {
    [SRV_NETWORK_CROSSBAR] = {crossbar_lay, crossbar_route, NULL, false},
    [SRV_NETWORK_TORUS] = {torus_lay, torus_route, torus_slow, false},
    [SRV_NETWORK_TREE] = {tree_lay, tree_route, tree_slow, true},
    [SRV_NETWORK_DRAGONFLY] = {dragonfly_lay, dragonfly_route, dragonfly_slow, true},
};

/* --- messages --------------------------------------------------------------------------------- */

typedef struct message_links {
    link_bank layer[SRV_MODEL_LAYERS_MAX];
    link_bank out, in; /* interfaces of the nodes */
    link_bank network[SRV_MODEL_DIMENSIONS_MAX + 1];
} message_links;

/* The layer of the nearest common group; -1 if there is none. */
static int layer_of(const srv_model *model, const srv_message *message)
{
    int found = -1;
    bool inside = message->from_node == message->to_node;
    for (int i = 0; i < model->layer_count; i++) {
        int pus = model->layer[i].pus;
        if (inside ? pus > 0 && message->from_pu / pus == message->to_pu / pus : pus == 0)
            if (found < 0 || pus < model->layer[found].pus)
                found = i;
    }
    return found;
}

static const srv_model_protocol *protocol_of(const srv_model_layer *layer, double bytes)
{
    const srv_model_protocol *protocol = layer->protocol;
    for (int i = 1; i < layer->protocol_count && layer->protocol[i].bytes <= bytes; i++)
        protocol = &layer->protocol[i];
    return protocol;
}

/* Slowdown of messages between two nodes: that of the slower one. */
typedef struct slowness {
    double latency, byte;
} slowness;

static slowness slowness_of(const srv_model *model, const srv_message *message)
{
    slowness worst = {1, 1};
    for (int i = 0; i < model->network.slow_node_count; i++) {
        const srv_model_slow_node *slow = &model->network.slow_node[i];
        if (slow->node == message->from_node || slow->node == message->to_node) {
            worst.latency = fmax(worst.latency, slow->latency_factor);
            worst.byte = fmax(worst.byte, slow->byte_factor);
        }
    }
    return message->from_node == message->to_node ? (slowness){1, 1} : worst;
}

/* Resources that all processes of a slow node share are slow, too. */
static void slow_down(const srv_model *model, srv_flows *flows, const message_links *links)
{
    const srv_model_network *network = &model->network;
    for (int i = 0; i < network->slow_node_count; i++) {
        const srv_model_slow_node *slow = &network->slow_node[i];
        srv_model_slow_link own = {slow->node, 0, slow->byte_factor};
        if (links->out.count > 0) {
            srv_flows_slow_link(flows, links->out.first + slow->node, slow->byte_factor);
            srv_flows_slow_link(flows, links->in.first + slow->node, slow->byte_factor);
        }
        if (networks[network->type].own_link)
            networks[network->type].slow(model, flows, links->network, &own);
    }
    for (int i = 0; i < network->slow_link_count; i++)
        networks[network->type].slow(model, flows, links->network, &network->slow_link[i]);
}

static int lay_messages(const srv_model *model, srv_flows *flows, message_links *links,
                        servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < model->layer_count && code == SERVET_OK; i++) {
        const srv_model_layer *layer = &model->layer[i];
        int groups = layer->pus ? model->node_count * groups_of(model, layer->pus) : 1;
        code = add_bank(flows, layer->shared_bytes_per_second, groups, &links->layer[i], error);
    }
    double nic = model->network.nic_bytes_per_second;
    if (code == SERVET_OK)
        code = add_bank(flows, nic, model->node_count, &links->out, error);
    if (code == SERVET_OK)
        code = add_bank(flows, nic, model->node_count, &links->in, error);
    if (code == SERVET_OK)
        code = networks[model->network.type].lay(model, flows, links->network, error);
    if (code == SERVET_OK)
        slow_down(model, flows, links);
    return code;
}

/* Adds a message's flow; `room` holds the links of the longest route. */
static int add_message(const srv_model *model, srv_flows *flows, const message_links *links,
                       const srv_message *message, int *room, servet_error *error)
{
    link_route route = {room, 0};
    int number = layer_of(model, message);
    if (number < 0)
        return srv_fail(error, SERVET_EMACHINE,
                        "the model has no layer for messages from PU %d to PU %d %s",
                        message->from_pu, message->to_pu,
                        message->from_node == message->to_node ? "of a node" : "of another node");
    const srv_model_layer *layer = &model->layer[number];
    if (layer->pus > 0) {
        int group =
            message->from_node * groups_of(model, layer->pus) + message->from_pu / layer->pus;
        take(&route, &links->layer[number], group);
    } else {
        take(&route, &links->layer[number], 0);
        take(&route, &links->out, message->from_node);
        take(&route, &links->in, message->to_node);
        networks[model->network.type].route(model, links->network, message->from_node,
                                            message->to_node, &route);
    }
    double alone =
        protocol_of(layer, message->bytes)->bytes_per_second / slowness_of(model, message).byte;
    return srv_flows_add_flow(flows, alone, route.links, route.count, error);
}

static int solve_messages(const srv_model *model, srv_flows *flows, const srv_message *messages,
                          int n, int *room, double *rates, servet_error *error)
{
    message_links links = {0};
    int code = lay_messages(model, flows, &links, error);
    for (int i = 0; i < n && code == SERVET_OK; i++)
        code = add_message(model, flows, &links, &messages[i], room, error);
    return code == SERVET_OK ? srv_flows_solve(flows, rates, error) : code;
}

int srv_routes_messages(const srv_model *model, const srv_message *messages, int n, double *rates,
                        servet_error *error)
{
    srv_flows *flows;
    int code = srv_flows_create(&flows, error);
    if (code != SERVET_OK)
        return code;
    /* the longest route: layer, two interfaces, and a way around every dimension or up and down
     * every level */
    int longest = 3 + 2;
    for (int i = 0; i < model->network.dimension_count; i++)
        longest += model->network.dimensions[i] + 2;
    int *room = calloc((size_t)longest, sizeof *room);
    code = room ? solve_messages(model, flows, messages, n, room, rates, error)
                : srv_fail_memory(error);
    free(room);
    srv_flows_destroy(flows);
    return code;
}

static const srv_model_protocol *message_protocol(const srv_model *model,
                                                  const srv_message *message)
{
    int number = layer_of(model, message);
    return number < 0 ? NULL : protocol_of(&model->layer[number], message->bytes);
}

double srv_routes_latency(const srv_model *model, const srv_message *message)
{
    const srv_model_protocol *protocol = message_protocol(model, message);
    if (!protocol)
        return NAN;
    int hops = networks[model->network.type].route(model, NULL, message->from_node,
                                                   message->to_node, NULL);
    return 1e-6 * slowness_of(model, message).latency *
           (protocol->latency_us + hops * model->network.hop_us);
}

double srv_routes_batch(const srv_model *model, const srv_message *message, double rate, int count,
                        bool blocking)
{
    const srv_model_protocol *protocol = message_protocol(model, message);
    double bytes = message->bytes / rate;
    double first = srv_routes_latency(model, message) + bytes;
    if (!protocol || count == 1)
        return first;
    if (blocking && protocol->rendezvous)
        return count * first;
    double gap = 1e-6 * (protocol->gap_us > 0 ? protocol->gap_us : protocol->latency_us);
    return first + (count - 1) * fmax(gap, bytes);
}
