/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts that a correct profile of a generated network has. A layer is one if its pairs cost 17
 * % more than those of the layer before (share/doc/detection.md); costs near this limit have no
 * truth here. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ranges.h"
#include "network_cost.h"

/* Errors that a user does not notice: of times, of bandwidths and ratios. */
static const double TIME = 0.15, RATE = 0.10;

/* Bytes of messages: those that distinguish layers, short ones, those of a ring. */
static const double LAYER_BYTES = 32768, SHORT_BYTES = 8, RING_BYTES = 32 << 20;

/* Layers cost so much more than the ones before; where they cost about as much, both answers will
 * do. Those of short messages cost more also with messages of the layers' size. */
static const double APART = 1.17, APART_UNLIKE = 1.5, ABOUT = 1.05, MORE = 1.04;

/* A node is slow from here on; others may differ by so much, for they are on other switches. */
static const double SLOW = 1.5, SLOWNESS = 0.25;

enum { PARTITIONS_MAX = 4, PAIRS_MAX = NETWORK_NODES_MAX * NETWORK_NODES_MAX };

/* A layer: who is joined, and the costs of its pairs. */
typedef struct truth_layer {
    bool between;
    int group[NETWORK_NODES_MAX]; /* of each node of the job, or core of a node */
    double seconds;               /* of a message of the layers' size */
} truth_layer;

typedef struct truth_layers {
    int count;
    bool known; /* false: both answers will do */
    truth_layer layer[NETWORK_LAYERS_MAX + PARTITIONS_MAX];
} truth_layers;

/* --- what layers there are -------------------------------------------------------------------- */

/* Pairs of things, which partitions join one after the other. */
typedef struct things {
    int count, partitions;
    int group[PARTITIONS_MAX][NETWORK_NODES_MAX];         /* of thing i, in each partition */
    double cost[2][NETWORK_NODES_MAX][NETWORK_NODES_MAX]; /* were all sound: layers' size, short */
} things;

typedef struct range {
    double least, mean, most;
    int pairs;
} range;

/* Pairs that partition `to` joins and `from` (-1: none) does not. */
static range pairs_of(const things *on, int from, int to, const double cost[][NETWORK_NODES_MAX])
{
    range all = {INFINITY, 0, 0, 0};
    for (int i = 0; i < on->count; i++)
        for (int j = 0; j < i; j++) {
            if (on->group[to][i] != on->group[to][j] ||
                (from >= 0 && on->group[from][i] == on->group[from][j]))
                continue;
            all.least = fmin(all.least, cost[i][j]);
            all.most = fmax(all.most, cost[i][j]);
            all.mean += cost[i][j];
            all.pairs++;
        }
    all.mean /= all.pairs;
    return all;
}

/* Is true if the groups of a partition have similar numbers of groups of partition `before` (-1: of
 * items). */
static bool is_alike(const things *on, int before, int k)
{
    int least = INT_MAX, most = 0;
    for (int i = 0; i < on->count; i++) {
        int size = 0;
        for (int j = 0; j < on->count; j++) {
            bool first = on->group[k][i] == on->group[k][j];
            for (int other = 0; other < j && before >= 0; other++)
                first = first && on->group[before][other] != on->group[before][j];
            size += first;
        }
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    return least > 1 && most <= 2 * least;
}

/* Finds the partitions that are layers by these costs, in kept[]; returns their number, 0 if both
 * answers are acceptable. */
static int keep(const things *on, const double cost[][NETWORK_NODES_MAX], int kept[])
{
    int count = 0, before = -1;
    for (int k = 0; k < on->partitions; k++) {
        if (k + 1 < on->partitions) {
            range in = pairs_of(on, before, k, cost), next = pairs_of(on, k, k + 1, cost);
            double apart = next.mean / in.mean;
            double enough = is_alike(on, before, k) ? APART : APART_UNLIKE;
            if (in.pairs == 0 || next.pairs == 0 || apart < APART / ABOUT)
                continue;
            if (apart < enough * ABOUT || next.least < in.most * ABOUT)
                return 0;
        }
        kept[count++] = before = k;
    }
    return count;
}

/* Short messages tell where those of the layers' size do not. */
static int find(const things *on, bool short_too, int kept[])
{
    int count = keep(on, on->cost[0], kept);
    if (count != 1 || !short_too)
        return count;
    int before = -1, again = keep(on, on->cost[1], kept);
    for (int k = 0; k + 1 < again; before = kept[k++]) {
        range in = pairs_of(on, before, kept[k], on->cost[0]);
        range next = pairs_of(on, kept[k], kept[k + 1], on->cost[0]);
        if (next.mean < MORE * in.mean)
            return 0;
    }
    return again;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *numbers, int count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, by_size);
    return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

/* --- between nodes ---------------------------------------------------------------------------- */

/* Half of a round trip: a torus may take another way back. */
static double cost_of_nodes(const network *made, int i, int j, double bytes, bool sound)
{
    int from = made->place[i], to = made->place[j];
    return (network_seconds(made, from, to, bytes, sound) +
            network_seconds(made, to, from, bytes, sound)) /
           2;
}

static void list_nodes(const network *made, things *on)
{
    int units = 1;
    bool levels = made->kind == NETWORK_TREE || made->kind == NETWORK_DRAGONFLY;
    on->count = made->job_nodes;
    for (int d = 0; levels && d + 1 < made->dimension_count; d++, on->partitions++) {
        units *= made->dimensions[d];
        for (int i = 0; i < made->job_nodes; i++)
            on->group[on->partitions][i] = made->place[i] / units;
    }
    on->partitions++; /* all together */
    for (int i = 0; i < made->job_nodes; i++)
        for (int j = 0; j < made->job_nodes; j++)
            for (int k = 0; k < 2 && i != j; k++)
                on->cost[k][i][j] = cost_of_nodes(made, i, j, k ? SHORT_BYTES : LAYER_BYTES, true);
}

/* The factor by which messages between two nodes of the job take longer than if all were sound. */
static double delay(const network *made, int i, int j)
{
    return cost_of_nodes(made, i, j, LAYER_BYTES, false) /
           cost_of_nodes(made, i, j, LAYER_BYTES, true);
}

/* The least factor by which messages of a node take longer. */
static double sickness_of(const network *made, int i)
{
    double least = INFINITY;
    for (int j = 0; j < made->job_nodes; j++)
        least = j == i ? least : fmin(least, delay(made, i, j));
    return least;
}

/* A node whose only way to the others is worn is as sick as any. Of two nodes it is not known which
 * one is. */
static bool is_sick(const network *made, int i)
{
    return made->job_nodes > 2 && sickness_of(made, i) > 1 + 1e-9;
}

/* The median time of the layer's pairs of sound nodes. */
static double median_of_layer(const network *made, const int *group, const int *before,
                              double bytes)
{
    double *costs = calloc(PAIRS_MAX, sizeof *costs);
    int count = 0;
    for (int i = 0; costs && i < made->job_nodes; i++)
        for (int j = 0; j < i; j++)
            if (group[i] == group[j] && (!before || before[i] != before[j]) && !is_sick(made, i) &&
                !is_sick(made, j))
                costs[count++] = cost_of_nodes(made, i, j, bytes, false);
    double middle = median(costs, count);
    free(costs);
    return middle;
}

/* Parts of a torus, and a worn uplink, may set some nodes of a job apart. */
static void add_layers_of_nodes(const network *made, truth_layers *layers)
{
    things *on = calloc(1, sizeof *on);
    int kept[PARTITIONS_MAX];
    if (!on)
        abort();
    list_nodes(made, on);
    bool worn = made->kind == NETWORK_TREE && made->worn.node >= 0;
    bool blurred = made->kind == NETWORK_TORUS && made->job_nodes < made->nodes;
    bool unclear = blurred || (worn && made->worn.link > 0);
    int count = unclear ? 0 : find(on, made->job_nodes > 2, kept);
    layers->known = layers->known && count > 0;
    for (int k = 0; k < count; k++) {
        truth_layer *layer = &layers->layer[layers->count++];
        layer->between = true;
        memcpy(layer->group, on->group[kept[k]], sizeof layer->group);
        layer->seconds =
            median_of_layer(made, layer->group, k > 0 ? layer[-1].group : NULL, LAYER_BYTES);
    }
    free(on);
}

/* --- within nodes ----------------------------------------------------------------------------- */

static const network_layer *layer_within(const network *made, int i, int j)
{
    const network_layer *layer = made->layer;
    while (i / layer->within != j / layer->within)
        layer++;
    return layer;
}

static void add_layers_of_cores(const network *made, truth_layers *layers)
{
    things *on = calloc(1, sizeof *on);
    int kept[PARTITIONS_MAX], count = 0;
    if (!on)
        abort();
    on->count = made->cores;
    on->partitions = made->layers - 1;
    for (int k = 0; k < on->partitions; k++)
        for (int i = 0; i < made->cores; i++)
            on->group[k][i] = i / made->layer[k].within;
    for (int i = 0; i < made->cores && made->cores > 1; i++)
        for (int j = 0; j < i; j++)
            on->cost[0][i][j] = network_layer_seconds(layer_within(made, i, j), LAYER_BYTES);
    if (made->cores > 1) {
        count = find(on, false, kept);
        layers->known = layers->known && count > 0;
    }
    for (int k = 0; k < count; k++) {
        truth_layer *layer = &layers->layer[layers->count++];
        layer->between = false;
        memcpy(layer->group, on->group[kept[k]], sizeof layer->group);
        layer->seconds = network_layer_seconds(&made->layer[kept[k]], LAYER_BYTES);
    }
    free(on);
}

/* Fastest first; both kinds keep their order. Where two cost about the same, who knows. */
static void sort_layers(truth_layers *layers)
{
    truth_layer own;
    for (int i = 1; i < layers->count; i++)
        for (int k = i; k > 0 && layers->layer[k].seconds < layers->layer[k - 1].seconds &&
                        layers->layer[k].between != layers->layer[k - 1].between;
             k--) {
            own = layers->layer[k];
            layers->layer[k] = layers->layer[k - 1];
            layers->layer[k - 1] = own;
        }
    for (int i = 1; i < layers->count; i++)
        if (layers->layer[i].seconds < ABOUT * layers->layer[i - 1].seconds)
            layers->known =
                layers->layer[i].between == layers->layer[i - 1].between && layers->known;
}

/* --- their facts ------------------------------------------------------------------------------ */

static void write_range(FILE *out, int first, int last)
{
    if (first == last)
        fprintf(out, "%d", first);
    else
        fprintf(out, "%d-%d", first, last);
}

/* Things of a group as ranges, each with the cores 0 to `last_core` (-1: it is of cores). */
static void write_ranges(FILE *out, const int *group, int count, int number, int last_core)
{
    const char *between = "";
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && group[end] == group[i];)
            end++;
        if (group[i] != number)
            continue;
        fputs(between, out);
        write_range(out, i, end - 1);
        if (last_core >= 0) {
            fputc(':', out);
            write_range(out, 0, last_core);
        }
        between = ",";
    }
}

static bool is_first_of_group(const int *group, int i)
{
    for (int j = 0; j < i; j++)
        if (group[j] == group[i])
            return false;
    return true;
}

/* Groups in the order of their first things. */
static void write_groups(const network *made, const truth_layer *layer, char *groups)
{
    FILE *out = fmemopen(groups, TRUTH_TEXT_MAX, "w");
    int count = layer->between ? made->job_nodes : made->cores;
    for (int node = 0; out && node < (layer->between ? 1 : made->job_nodes); node++)
        for (int i = 0; i < count; i++) {
            if (!is_first_of_group(layer->group, i))
                continue;
            if (ftell(out) > 0)
                fputc('\n', out);
            if (!layer->between)
                fprintf(out, "%d:", node);
            write_ranges(out, layer->group, count, layer->group[i],
                         layer->between ? made->cores - 1 : -1);
        }
    if (out)
        fclose(out);
}

static void layer_truths(const network *made, const truth_layers *layers, truths *all)
{
    char *groups = calloc(TRUTH_TEXT_MAX, 1);
    truth_number(all, "layers", layers->count, 0, "layers.count");
    for (int i = 0; groups && i < layers->count; i++) {
        const truth_layer *layer = &layers->layer[i];
        write_groups(made, layer, groups);
        truth_text(all, "groups of a layer", groups, "layers.%d.groups", i + 1);
        truth_number(all, "latency of a layer", 1e6 * layer->seconds, TIME, "layers.%d.latency_us",
                     i + 1);
        truth_number(all, "bandwidth of a layer", LAYER_BYTES / layer->seconds, TIME,
                     "layers.%d.bandwidth", i + 1);
    }
    free(groups);
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* The pair whose curve a layer has: which one of the typical pairs is not known beforehand. */
typedef struct pair {
    const network *of;
    servet_place from, to;
    const network_layer *layer;
} pair;

static pair pair_of(const network *made, const servet_network_layer *layer)
{
    bool other = layer->from.node != layer->to.node;
    return (pair){made, layer->from, layer->to,
                  other ? &made->layer[made->layers - 1]
                        : layer_within(made, layer->from.core, layer->to.core)};
}

static double time_of(const pair *on, double bytes)
{
    return on->from.node == on->to.node
               ? network_layer_seconds(on->layer, bytes)
               : cost_of_nodes(on->of, on->from.node, on->to.node, bytes, false);
}

/* A protocol: seconds = latency + bytes / rate, of which two sizes tell. */
typedef struct line {
    double latency, rate;
} line;

static line protocol_of(const pair *on, int protocol)
{
    double change = on->layer->protocol[1].from, from = 0, to = RING_BYTES;
    if (on->layer->protocols > 1) {
        from = protocol == 0 ? 0 : change;
        to = protocol == 0 ? change - 1 : RING_BYTES;
    }
    double rate = (to - from) / (time_of(on, to) - time_of(on, from));
    return (line){time_of(on, from) - from / rate, rate};
}

/* The largest difference of the second protocol from the time that the first one would take. */
static double step_of(const pair *on)
{
    line first = protocol_of(on, 0);
    double most = 0;
    for (double bytes = on->layer->protocol[1].from; bytes <= RING_BYTES; bytes *= 2) {
        double without = first.latency + bytes / first.rate;
        most = fmax(most, fabs(time_of(on, bytes) / without - 1));
    }
    return on->layer->protocols > 1 ? most : 0;
}

static void protocol_truths(const pair *on, int number, truths *all)
{
    const double seen = 0.1, unseen = 0.02; /* between them both answers will do */
    double step = step_of(on);
    bool two = step > seen;
    if (!two && step > unseen)
        return;
    truth_number(all, "protocols", 1 + two, 0, "layers.%d.protocols.count", number);
    if (two)
        truth_number(all, "size where protocols change", on->layer->protocol[1].from, RATE,
                     "layers.%d.protocols.2.from", number);
    for (int k = 0; k < 1 + two; k++) {
        line known = protocol_of(on, k);
        truth_number(all, "latency of a protocol", 1e6 * known.latency, TIME,
                     "layers.%d.protocols.%d.latency_us", number, k + 1);
        truth_number(all, "bandwidth of a protocol", known.rate, RATE,
                     "layers.%d.protocols.%d.bandwidth", number, k + 1);
    }
}

static void curve_truths(const network *made, const servet_profile *profile, truths *all)
{
    static const int bytes[] = {1, 1000, 12345, 200000, 1 << 20, 32 << 20};
    servet_network_layer layer = {0};
    for (int i = 1; servet_network_layer_get(profile, i, &layer) == SERVET_OK; i++) {
        pair on = pair_of(made, &layer);
        for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++)
            truth_number(all, "time of a message", 1e6 * time_of(&on, bytes[k]), TIME,
                         "layers.%d.time_us.%d", i, bytes[k]);
        protocol_truths(&on, i, all);
    }
}

/* --- rings ------------------------------------------------------------------------------------ */

/* The slowness of the sick node; 1: there is none. */
static double sickness(const network *made)
{
    double most = 1;
    for (int i = 0; i < made->job_nodes; i++)
        most = is_sick(made, i) ? fmax(most, sickness_of(made, i)) : most;
    return most;
}

static void slowness_truths(const network *made, truths *all)
{
    double factor = sickness(made);
    if (factor <= SLOW)
        truth_none(all, "no node is sick", "network.slowness.count");
    for (int i = 0; i < made->job_nodes && factor > SLOW; i++)
        truth_number(all, is_sick(made, i) ? "slowness of a sick node" : "slowness of a sound node",
                     is_sick(made, i) ? factor : 1, SLOWNESS, "network.slowness.%d", i + 1);
}

/* The longest delay between sound nodes of two sets; NULL: of any. */
static double worst_delay(const network *made, const char *from, const char *to)
{
    double most = 1;
    for (int i = 0; i < made->job_nodes; i++)
        for (int j = 0; j < made->job_nodes; j++)
            if (i != j && !is_sick(made, i) && !is_sick(made, j) &&
                (!from || (srv_ranges_contain(from, i) && srv_ranges_contain(to, j))))
                most = fmax(most, delay(made, i, j));
    return most;
}

/* Is true if a whole tree of at least three leaf switches has one with a slow uplink. */
static bool has_slow_leaf(const network *made)
{
    int leaf = made->dimensions[0], first = made->worn.node / leaf;
    bool slow = made->kind == NETWORK_TREE && made->dimension_count == 2 && made->worn.link == 1 &&
                made->dimensions[1] > 2 && made->job_nodes == made->nodes;
    for (int i = 0; i < made->job_nodes && slow; i++)
        for (int j = 0; j < made->job_nodes; j++)
            if (made->place[i] / leaf == first && made->place[j] / leaf != first)
                slow = slow && delay(made, i, j) > SLOW * ABOUT;
    return slow;
}

static int count_sound(const network *made)
{
    int count = 0;
    for (int i = 0; i < made->job_nodes; i++)
        count += !is_sick(made, i);
    return count;
}

/* Long ways and sick nodes are no slow links. What is named is slow; what is slow is not always
 * named: on a torus many ways share a link. */
static void link_truths(const network *made, const servet_profile *profile, truths *all)
{
    servet_slow_link link;
    if (count_sound(made) < 4) /* not told: each end needs two sound ones beside it */
        return;
    if (worst_delay(made, NULL, NULL) < 1 + 1e-9)
        truth_number(all, "no link is slow", 0, 0, "network.slow_links.count");
    else if (has_slow_leaf(made))
        truth_number(all, "slow links", 1, 0, "network.slow_links.count");
    for (int i = 1; SERVET_ITEM(profile, "network.slow_links", &link, i) == SERVET_OK; i++)
        truth_number(all, "factor of a slow link", worst_delay(made, link.from, link.to), SLOWNESS,
                     "network.slow_links.%d.factor", i);
}

/* The nodes of the job that take part in rings. */
typedef struct senders {
    const network *made;
    const servet_profile *profile;
    int nodes, job[NETWORK_NODES_MAX], place[NETWORK_NODES_MAX]; /* numbers in job and network */
} senders;

/* Is true if the profile names a slow link between two nodes of the job. */
static bool is_named(const servet_profile *profile, int a, int b)
{
    servet_slow_link link;
    for (int i = 1; SERVET_ITEM(profile, "network.slow_links", &link, i) == SERVET_OK; i++)
        if ((srv_ranges_contain(link.from, a) && srv_ranges_contain(link.to, b)) ||
            (srv_ranges_contain(link.from, b) && srv_ranges_contain(link.to, a)))
            return true;
    return false;
}

/* The mean over messages that cross no named link, or over all if each crosses one. */
static double ring(const senders *on, int nodes, int processes, int distance)
{
    bool apart[NETWORK_NODES_MAX], any = false;
    for (int i = 0; i < nodes; i++) {
        apart[i] = is_named(on->profile, on->job[i], on->job[(i + distance) % nodes]);
        any = any || !apart[i];
    }
    network_ring one = {on->place, nodes, processes, distance, RING_BYTES, any ? apart : NULL};
    return network_ring_seconds(on->made, &one);
}

/* Distances on the ring of the sound nodes; for numbers of processes as many in all each time,
 * where there are nodes for that and none is sick. */
static void ring_truths(const network *made, const servet_profile *profile, truths *all)
{
    senders on = {made, profile, 0, {0}, {0}};
    int processes = made->cores;
    bool sick = sickness(made) > SLOW;
    for (int i = 0; i < made->job_nodes; i++)
        if (!sick || !is_sick(made, i)) {
            on.job[on.nodes] = i;
            on.place[on.nodes++] = made->place[i];
        }
    double first = ring(&on, on.nodes, 1, 1);
    for (int d = 1; d <= on.nodes / 2; d++)
        truth_number(all, "ratDist", ring(&on, on.nodes, 1, d) / first, RATE,
                     "network.distance.%d.ratio", d);
    bool constant = on.nodes >= 2 * processes && !sick;
    int nodes = constant ? 2 * processes : on.nodes;
    first = ring(&on, nodes, 1, 1);
    for (int i = 1; i <= processes; i++)
        truth_number(all, "ratNC", ring(&on, constant ? nodes / i : nodes, i, 1) / first, RATE,
                     "network.access.%d.ratio", i);
}

void network_truths(const network *made, const servet_profile *profile, truths *all)
{
    truth_layers *layers = calloc(1, sizeof *layers);
    if (!layers)
        abort();
    layers->known = true;
    add_layers_of_cores(made, layers);
    add_layers_of_nodes(made, layers);
    sort_layers(layers);
    if (layers->known)
        layer_truths(made, layers, all);
    free(layers);
    curve_truths(made, profile, all);
    double factor = sickness(made);
    if (factor > SLOW / ABOUT && factor < SLOW * ABOUT)
        return; /* sick or not: both answers will do */
    ring_truths(made, profile, all);
    slowness_truths(made, all);
    link_truths(made, profile, all);
}
