/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/cost/load.h"

#include <math.h>

#include "core/error.h"
#include "core/room.h"

/* Relative difference of times that counts as rounding: sums of the same times in another order
 * differ by less. */
static const double rounding = 1e-9;

/* Time of an assignment, relative to the scheduler's order, from which on it is not worth its risk.
 * Of messages in simulated tori, 1 KiB on a grid were predicted to take 0.88 of the time and took
 * 1.23 of it; all that were predicted to take less gained. */
static const double TORUS_TIME_MOST = 0.85;

/* Returns true if `a` is better by more than rounding: it takes less time, or the same with less
 * work. */
static bool takes_less(const srv_map_load *a, const srv_map_load *b)
{
    if (fabs(a->seconds - b->seconds) > rounding * b->seconds)
        return a->seconds < b->seconds;
    return a->work < (1 - rounding) * b->work;
}

bool srv_load_gains(const srv_program *program, const srv_map_load *load,
                    const srv_map_load *before)
{
    return program->costs.known.torus.count == 0
               ? takes_less(load, before)
               : load->seconds < TORUS_TIME_MOST * before->seconds;
}

/* --- traffic of each process ------------------------------------------------------------------ */

/* Messages of a unit in a level, and their busy time. */
typedef struct flow {
    double seconds, messages;
} flow;

/* The units that send at the same time: processes, or nodes for messages between nodes. Messages
 * that unit u sends in level l are at [u * levels + l]. */
typedef struct sending {
    flow *sent, *received;
    const int **group; /* groups of each unit, by level */
    int *job_node;     /* for nodes: number of each unit in the job */
    int *members;      /* for nodes: processes of each unit */
    int count;
    int each; /* messages that a unit has in flight */
} sending;

/* Traffic that crosses the border of a group, or stays in it. */
typedef struct crossing {
    flow out, in, met;
    int senders, receivers, inside; /* messages at once */
    int parent;                     /* the group around it in the next level */
} crossing;

enum { NO_CHILD = -1, SEVERAL = -2 };

/* A message: the time for which it keeps what it uses busy, and the rest of its time alone. */
typedef struct message {
    double busy, latency;
} message;

/* The messages on a link of a torus: their busy time, and the shortest latency, before which none
 * has come. */
typedef struct shared_link {
    double seconds, latency;
} shared_link;

typedef struct loading {
    const srv_program *program;
    const srv_phase *phase;
    const srv_message_costs *costs;
    const srv_slot_tree *tree;
    const int *slot_of;
    sending processes, nodes;
    crossing *groups;   /* groups of one level */
    int *child;         /* for each group of the next level: the only group within it, or SEVERAL */
    double *by_steps;   /* busy seconds of messages, by the number of steps between their nodes */
    double far;         /* messages between nodes */
    shared_link *links; /* of a torus */
    int *route;         /* the links of a message */
    double wait, alone; /* the longest latency of a message, and time of one alone */
    srv_map_load *load;
} loading;

static int slot_at(const loading *on, int rank)
{
    return on->slot_of ? on->slot_of[rank] : rank;
}

static flow *row(const loading *on, flow *values, int unit)
{
    return &values[(size_t)unit * (size_t)on->tree->levels];
}

static void add(flow *sum, flow more)
{
    sum->seconds += more.seconds;
    sum->messages += more.messages;
}

/* Returns the steps between two nodes in the shorter direction of the ring, forward if both
 * directions are equal; 0 if a node was not in the ring. */
static int steps_to(const loading *on, int from, int to)
{
    int ring = on->costs->ring;
    if (from < 0 || to < 0 || from >= ring || to >= ring)
        return 0;
    int forward = (to - from + ring) % ring;
    return forward <= ring / 2 ? forward : forward - ring;
}

static void add_steps(loading *on, int from, int to, double time, double messages)
{
    on->far += messages;
    on->by_steps[on->costs->ring + steps_to(on, from, to)] += time;
}

static void fill_steps(loading *on, int from, int to, double time)
{
    const srv_slot_tree *tree = on->tree;
    int a = slot_at(on, from), b = slot_at(on, to), level = tree->node_level;
    if (srv_slot_tree_groups(tree, a)[level] != srv_slot_tree_groups(tree, b)[level])
        add_steps(on, tree->job_node[a], tree->job_node[b], time, 1);
}

/* Returns true if messages between two nodes of the job go through a torus. */
static bool is_routed(const loading *on, int from, int to)
{
    int nodes = srv_torus_nodes(&on->costs->known.torus);
    return from != to && from >= 0 && to >= 0 && from < nodes && to < nodes;
}

/* Returns a message that is sent `times` times in a level, over more links than the usual one. */
static message send(loading *on, int level, double bytes, double times, int more)
{
    const srv_message_costs *costs = on->costs;
    int layer = on->tree->layer[level];
    if (bytes <= 0 || times <= 0)
        return (message){0, 0};
    double alone = srv_message_costs_alone(costs, layer, bytes) + more * costs->known.step;
    double busy = srv_message_costs_busy(costs, layer, bytes);
    on->load->work += alone * times;
    on->wait = fmax(on->wait, alone - busy);
    on->alone = fmax(on->alone, alone);
    return (message){busy, alone - busy};
}

/* Adds messages to the links of on->route. */
static void use_links(loading *on, int hops, message sent, double messages)
{
    double time = sent.busy * messages * on->costs->link;
    for (int i = 0; i < hops && time > 0; i++) {
        shared_link *link = &on->links[on->route[i]];
        link->latency = link->seconds > 0 ? fmin(link->latency, sent.latency) : sent.latency;
        link->seconds += time;
    }
}

/* Sends a message from a slot to another, over the links of a torus if they are known; returns the
 * time for which it keeps its ends busy. */
static double send_between(loading *on, int a, int b, int level, double bytes)
{
    const srv_message_costs *costs = on->costs;
    int from = on->tree->job_node[a], to = on->tree->job_node[b];
    if (!is_routed(on, from, to))
        return send(on, level, bytes, 1, 0).busy;
    int hops = srv_torus_route(&costs->known.torus, from, to, on->route);
    message sent = send(on, level, bytes, 1, hops - costs->known.usual);
    use_links(on, hops, sent, 1);
    return sent.busy * costs->ends;
}

static void fill_pairs(loading *on)
{
    const srv_graph *graph = &on->phase->graph;
    for (int from = 0; from < graph->count; from++)
        for (size_t i = graph->begin[from]; i < graph->begin[from + 1]; i++) {
            int to = graph->to[i], a = slot_at(on, from), b = slot_at(on, to);
            int level = srv_slot_tree_common_level(on->tree, a, b);
            double time = send_between(on, a, b, level, graph->bytes[i]);
            const flow sent = {time, time > 0};
            add(&row(on, on->processes.sent, from)[level], sent);
            add(&row(on, on->processes.received, to)[level], sent);
            if (on->costs->ring)
                fill_steps(on, from, to, time);
        }
}

/* Counts, as messages of each process, the other processes in its group of a level. */
static void count_others(loading *on, int level)
{
    for (int g = 0; g < on->tree->group_count[level]; g++)
        on->groups[g].inside = 0;
    for (int p = 0; p < on->processes.count; p++)
        on->groups[on->processes.group[p][level]].inside++;
    for (int p = 0; p < on->processes.count; p++)
        row(on, on->processes.sent, p)[level].messages =
            on->groups[on->processes.group[p][level]].inside - 1;
}

/* Uniform traffic: each process exchanges a message with each other one. Its messages in a level go
 * to the processes of its group, except those of its group in the level below. */
static void fill_uniform(loading *on)
{
    const srv_slot_tree *tree = on->tree;
    double each = on->program->traffic->each;
    for (int level = 0; level < tree->levels; level++)
        count_others(on, level);
    for (int level = tree->levels - 1; level >= 0; level--) {
        double messages = 0;
        for (int p = 0; p < on->processes.count; p++) {
            flow *sent = row(on, on->processes.sent, p);
            sent[level].messages -= level > 0 ? sent[level - 1].messages : 0;
            messages += sent[level].messages;
        }
        double time = send(on, level, each, messages, 0).busy;
        if (level > tree->node_level)
            time *= on->costs->ends;
        for (int p = 0; p < on->processes.count; p++) {
            flow *sent = row(on, on->processes.sent, p);
            sent[level].seconds = sent[level].messages * time;
            row(on, on->processes.received, p)[level] = sent[level];
        }
    }
}

/* Adds messages between two nodes of the job: to the links of a torus on their way, or to their
 * distance. */
static void add_between(loading *on, int from, int to, message sent, double messages)
{
    const srv_message_costs *costs = on->costs;
    if (is_routed(on, from, to)) {
        int hops = srv_torus_route(&costs->known.torus, from, to, on->route);
        sent.latency += (hops - costs->known.usual) * costs->known.step;
        use_links(on, hops, sent, messages);
    }
    if (costs->ring)
        add_steps(on, from, to, sent.busy * messages, messages);
}

/* Uniform traffic between nodes: each process of a node sends to each process of another. */
static void fill_uniform_between(loading *on)
{
    const srv_message_costs *costs = on->costs;
    int layer = on->tree->layer[on->tree->levels - 1];
    double each = on->program->traffic->each;
    const sending *nodes = &on->nodes;
    if (each <= 0)
        return;
    message sent = {.busy = srv_message_costs_busy(costs, layer, each)};
    sent.latency = srv_message_costs_alone(costs, layer, each) - sent.busy;
    for (int a = 0; a < nodes->count; a++)
        for (int b = 0; b < nodes->count; b++) {
            double messages = (double)nodes->members[a] * nodes->members[b];
            if (a != b)
                add_between(on, nodes->job_node[a], nodes->job_node[b], sent, messages);
        }
}

static void fill_nodes(loading *on)
{
    int levels = on->tree->levels;
    for (int p = 0; p < on->processes.count; p++) {
        int node = on->processes.group[p][on->tree->node_level];
        on->nodes.group[node] = on->processes.group[p];
        on->nodes.job_node[node] = on->tree->job_node[slot_at(on, p)];
        on->nodes.members[node]++;
        for (int level = 0; level < levels; level++) {
            add(&row(on, on->nodes.sent, node)[level], row(on, on->processes.sent, p)[level]);
            add(&row(on, on->nodes.received, node)[level],
                row(on, on->processes.received, p)[level]);
        }
    }
}

/* --- resources -------------------------------------------------------------------------------- */

/* Keeps the longest time and its limit; of equal times the first one. */
static void note(loading *on, double seconds, servet_limit limit, int at)
{
    if (seconds <= (1 + rounding) * on->load->seconds)
        return;
    on->load->seconds = seconds;
    on->load->limit = limit;
    on->load->limit_at = at;
}

/* Returns the time of traffic that shares a resource of a level; between nodes it has several
 * routes, and a part of the slowdown is left. Networks choose routes by destination, so that
 * messages to one partner each may meet on some links while others are idle. Measured slowdowns are
 * those of such messages. With n partners at random, the relative difference between the loads of
 * links decreases with the square root of n. */
static double on_routes(loading *on, int level, double seconds, double partners)
{
    if (level < on->tree->node_level)
        return seconds;
    if (seconds > on->load->routes) {
        on->load->routes = seconds;
        on->load->partners = partners;
    }
    return seconds * (1 - on->program->balance * (1 - 1 / sqrt(fmax(1, partners))));
}

static void note_processes(loading *on)
{
    for (int p = 0; p < on->processes.count; p++) {
        double sent = 0, received = 0;
        for (int level = 0; level < on->tree->levels; level++) {
            sent += row(on, on->processes.sent, p)[level].seconds;
            received += row(on, on->processes.received, p)[level].seconds;
        }
        note(on, fmax(sent, received), SERVET_LIMIT_PROCESS, p);
    }
}

/* Adds the limit of all links between nodes: in each direction, there is one link for each node. If
 * each node sends a message to the next one, all links are busy for the whole time of the message.
 */
static void note_distances(loading *on)
{
    const srv_message_costs *costs = on->costs;
    int ring = costs->ring, layer = on->tree->layer[on->tree->levels - 1];
    double forward = 0, backward = 0;
    for (int steps = 0; steps <= ring / 2; steps++) {
        double factor = srv_message_costs_distance(costs, layer, steps);
        forward += on->by_steps[ring + steps] * factor;
        backward += steps > 0 ? on->by_steps[ring - steps] * factor : 0;
    }
    if (ring)
        note(on,
             on_routes(on, on->tree->node_level, fmax(forward, backward) / ring,
                       on->far / on->processes.count),
             SERVET_LIMIT_DISTANCE, layer);
}

/* Adds the limits of the links of a torus. A message of a longer way comes later, when others have
 * left the link. */
static void note_links(loading *on)
{
    const srv_torus *torus = &on->costs->known.torus;
    for (int link = 0; link < srv_torus_links(torus); link++)
        note(on, on->links[link].seconds + on->links[link].latency, SERVET_LIMIT_DISTANCE,
             on->tree->layer[on->tree->levels - 1]);
}

/* Returns the traffic that leaves a unit's group in a level: it meets in farther levels. */
static flow beyond(const flow *flows, int level, int levels)
{
    flow sum = {0, 0};
    for (int l = level + 1; l < levels; l++)
        add(&sum, flows[l]);
    return sum;
}

static void cross(loading *on, const sending *units, int level)
{
    int levels = on->tree->levels;
    for (int g = 0; g < on->tree->group_count[level]; g++)
        on->groups[g] = (crossing){0};
    for (int u = 0; u < units->count; u++) {
        if (!units->group[u])
            continue;
        crossing *group = &on->groups[units->group[u][level]];
        flow *sent = row(on, units->sent, u);
        flow out = beyond(sent, level, levels);
        flow in = beyond(row(on, units->received, u), level, levels);
        add(&group->out, out);
        add(&group->in, in);
        add(&group->met, sent[level]);
        group->senders += out.seconds > 0 ? units->each : 0;
        group->receivers += in.seconds > 0 ? units->each : 0;
        group->inside += sent[level].seconds > 0 ? units->each : 0;
    }
}

/* Returns the time of traffic across a border: of 2 m concurrent messages, m leave a group. */
static double border(loading *on, int level, flow traffic, int messages)
{
    const srv_message_costs *costs = on->costs;
    int layer = on->tree->layer[level + 1];
    if (messages == 0)
        return 0;
    if (level == on->tree->node_level)
        return traffic.seconds * srv_message_costs_access(costs, layer, messages);
    if (messages == 1)
        return traffic.seconds;
    return on_routes(on, level,
                     traffic.seconds * 2 * srv_message_costs_share(costs, layer, 2 * messages),
                     traffic.messages / messages);
}

/* Finds the group of the next level around each group. If both are equal, they have the same
 * border. */
static void find_parents(loading *on, int level)
{
    for (int g = 0; g < on->tree->group_count[level + 1]; g++)
        on->child[g] = NO_CHILD;
    for (int p = 0; p < on->processes.count; p++) {
        int group = on->processes.group[p][level], parent = on->processes.group[p][level + 1];
        on->groups[group].parent = parent;
        if (on->child[parent] == NO_CHILD)
            on->child[parent] = group;
        else if (on->child[parent] != group)
            on->child[parent] = SEVERAL;
    }
}

static void note_borders(loading *on, int level)
{
    bool node = level == on->tree->node_level;
    find_parents(on, level);
    for (int g = 0; g < on->tree->group_count[level]; g++) {
        const crossing *group = &on->groups[g];
        if (!node && on->child[group->parent] != SEVERAL)
            continue;
        double out = border(on, level, group->out, group->senders);
        double in = border(on, level, group->in, group->receivers);
        note(on, fmax(out, in), node ? SERVET_LIMIT_NODE : SERVET_LIMIT_GROUP,
             node ? g : on->tree->layer[level + 1]);
    }
}

/* Adds the limits of layers. If ratDist is known, or the links of a torus, they replace the layers
 * between nodes. */
static void note_layers(loading *on, int level)
{
    if (level > on->tree->node_level && (on->costs->known.torus.count > 0 || on->costs->ring))
        return;
    int layer = on->tree->layer[level];
    for (int g = 0; g < on->tree->group_count[level]; g++) {
        const crossing *group = &on->groups[g];
        if (group->inside > 1)
            note(on,
                 on_routes(on, level - 1,
                           group->met.seconds *
                               srv_message_costs_share(on->costs, layer, group->inside),
                           group->met.messages / group->inside),
                 SERVET_LIMIT_LAYER, layer);
    }
}

static void note_groups(loading *on)
{
    const srv_slot_tree *tree = on->tree;
    for (int level = 0; level < tree->levels; level++) {
        cross(on, level > tree->node_level ? &on->nodes : &on->processes, level);
        if (level + 1 < tree->levels)
            note_borders(on, level);
        note_layers(on, level);
    }
}

/* --- the whole load --------------------------------------------------------------------------- */

static void make_units(sending *made, int count, int each, int levels, srv_room *room)
{
    size_t n = (size_t)count, rows = n * (size_t)levels;
    *made = (sending){.sent = srv_room_take(room, rows, sizeof *made->sent),
                      .received = srv_room_take(room, rows, sizeof *made->received),
                      .group = srv_room_take(room, n, sizeof *made->group),
                      .job_node = srv_room_take(room, n, sizeof *made->job_node),
                      .members = srv_room_take(room, n, sizeof *made->members),
                      .count = count,
                      .each = each};
}

static bool allocate(loading *on, srv_room *room)
{
    const srv_slot_tree *tree = on->tree;
    const srv_torus *torus = &on->costs->known.torus;
    size_t most = 0;
    for (int level = 0; level < tree->levels; level++)
        most = (size_t)tree->group_count[level] > most ? (size_t)tree->group_count[level] : most;
    on->groups = srv_room_take(room, most, sizeof *on->groups);
    on->child = srv_room_take(room, most, sizeof *on->child);
    on->by_steps = srv_room_take(room, 2 * (size_t)on->costs->ring + 1, sizeof *on->by_steps);
    on->links = srv_room_take(room, (size_t)srv_torus_links(torus) + 1, sizeof *on->links);
    on->route = srv_room_take(room, (size_t)srv_torus_nodes(torus), sizeof *on->route);
    make_units(&on->processes, tree->count, 1, tree->levels, room);
    make_units(&on->nodes, tree->group_count[tree->node_level], on->costs->cores, tree->levels,
               room);
    return !room->failed;
}

static void add_traffic(loading *on)
{
    bool uniform = on->program->traffic->uniform;
    for (int p = 0; p < on->processes.count; p++)
        on->processes.group[p] = srv_slot_tree_groups(on->tree, slot_at(on, p));
    if (uniform)
        fill_uniform(on);
    else
        fill_pairs(on);
    fill_nodes(on);
    if (uniform)
        fill_uniform_between(on);
}

static void find_limit(loading *on)
{
    note_processes(on);
    note_groups(on);
    note_distances(on);
    if (on->load->seconds > 0)
        on->load->seconds += on->wait;
    note_links(on);
    on->load->seconds = fmax(on->load->seconds, on->alone);
}

static bool load_phase(const srv_program *program, const srv_phase *phase,
                       const srv_slot_tree *tree, const int *slot_of, srv_map_load *load)
{
    srv_message_costs costs = program->costs;
    srv_room room = {0};
    loading on = {.program = program,
                  .phase = phase,
                  .costs = &costs,
                  .tree = tree,
                  .slot_of = slot_of,
                  .load = load};
    costs.bytes = phase->bytes;
    *load = (srv_map_load){.limit = SERVET_LIMIT_NONE, .partners = 1};
    bool allocated = allocate(&on, &room);
    if (allocated) {
        add_traffic(&on);
        find_limit(&on);
    }
    srv_room_free(&room);
    return allocated;
}

int srv_load_of(const srv_program *program, const srv_slot_tree *tree, const int *slot_of,
                srv_map_load *load, servet_error *error)
{
    double seconds = 0, work = 0;
    srv_map_load one;
    for (int i = 0; i < program->count; i++) {
        if (!load_phase(program, &program->phases[i], tree, slot_of, &one))
            return srv_fail_memory(error);
        if (i == 0 || one.seconds > load->seconds)
            *load = one;
        seconds += one.seconds;
        work += one.work;
    }
    load->seconds = seconds;
    load->work = work;
    return SERVET_OK;
}
