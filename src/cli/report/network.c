/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports communication between cores: layers, messages, and degradation of the network. */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/parts.h"
#include "cli/report/text.h"
#include "core/human.h"
#include "servet/network.h"

/* Returns the distance of point `at` from the line between two others, as the logarithm of a
 * factor. */
static double distance(const double *x, const double *y, int from, int to, int at)
{
    double share = log(x[at] / x[from]) / log(x[to] / x[from]);
    return fabs(log(y[at] / y[from]) - share * log(y[to] / y[from]));
}

/* Returns the point that is farthest from the lines; -1: all are shown. */
static int farthest(const double *x, const double *y, int n, const bool *shown)
{
    int found = -1, from = 0, to = 0;
    double most = -1;
    for (int at = 1; at < n; at++) {
        if (shown[at])
            from = at;
        if (shown[at])
            continue;
        for (to = to > at ? to : at + 1; !shown[to];)
            to++;
        double own = distance(x, y, from, to, at);
        if (own > most) {
            most = own;
            found = at;
        }
    }
    return found;
}

/* Chooses at most `most` (at least 2) of `n` points with positive coordinates, x ascending: both
 * ends, then the points that are farthest, on logarithmic scales, from the lines between the points
 * chosen so far. So knees stay visible, which every n-th point would hide. Sets shown[0..n-1]. */
static void report_thin(const double *x, const double *y, int n, int most, bool *shown)
{
    for (int i = 0; i < n; i++)
        shown[i] = n <= most || i == 0 || i == n - 1;
    for (int count = 2, next; count < most && (next = farthest(x, y, n, shown)) >= 0; count++)
        shown[next] = true;
}

/* Limits of the points of a curve, and of the layers, in a table for people; `servet get` has all.
 */
enum { POINTS_SHOWN = 12, LAYERS_SHOWN = 8 };

/* --- layers ----------------------------------------------------------------------------------- */

enum { LAYER_NAME_MAX = 24 };

static void name_layer(int number, char name[LAYER_NAME_MAX])
{
    snprintf(name, LAYER_NAME_MAX, "layer %d", number);
}

/* Adds a column for each layer, as far as there is room. */
static int add_layer_columns(report_table *table, int layers)
{
    char name[LAYER_NAME_MAX];
    int shown = layers < LAYERS_SHOWN ? layers : LAYERS_SHOWN;
    for (int i = 1; i <= shown; i++) {
        name_layer(i, name);
        report_table_column(table, 'r', name);
    }
    return shown;
}

/* Counts groups, with the arguments of the queries of report_sets_text(). */
static int count_groups(const servet_profile *profile, const servet_at *at, int layer, int *count)
{
    (void)at;
    return servet_network_group_count(profile, layer, count);
}

static int get_group(const servet_profile *profile, const servet_at *at, int layer, int index,
                     const char **places)
{
    (void)at;
    return servet_network_group(profile, layer, index, places);
}

static void add_layer(report_table *table, const servet_profile *profile, int number)
{
    static const report_sets groups = {count_groups, get_group};
    servet_network_layer layer;
    char name[LAYER_NAME_MAX], us[HUMAN_MAX], rate[HUMAN_MAX], confidence[REPORT_CONFIDENCE_MAX],
        cores[REPORT_SETS_MAX];
    if (servet_network_layer_get(profile, number, &layer) != SERVET_OK)
        return;
    name_layer(number, name);
    report_confidence(layer.confidence, layer.trusted, confidence);
    report_time(&layer.latency, HUMAN_US, us);
    report_rate(&layer.bandwidth, rate);
    report_sets_text(&groups, profile, NULL, number, cores);
    report_table_row(table,
                     (const char *[]){name, layer.between_nodes ? "between nodes" : "in a node", us,
                                      rate, confidence, cores});
}

/* Returns the reason why there are no layers: several processes on one core count as one. */
static const char *why_no_layers(const servet_profile *profile)
{
    servet_network network = {.ranks = 1};
    servet_run run = {.seed = 0};
    (void)servet_network_get(profile, &network);
    (void)servet_profile_run(profile, &run);
    if (network.ranks == 1)
        return "a single process: no communication";
    return report_is_listed(run.cut, "layers") ? "none: there was no time"
                                               : "none: all processes were on one core";
}

static void add_layers(document *to, const servet_profile *profile, const char *title, int count)
{
    if (count == 0) {
        document_line(to, "%s", title);
        report_doubted(to, why_no_layers(profile), profile, NULL, "layers.count");
        return;
    }
    report_table *table = document_table(to, title, "llrrll", "layer", "messages", "us", "GB/s",
                                         "confidence", "node:PU sets that it connects");
    for (int i = 1; i <= count; i++)
        add_layer(table, profile, i);
}

/* --- messages --------------------------------------------------------------------------------- */

/* Limit of the sizes, which no measurement reaches; more are dropped. */
enum { POINTS_MAX = 512 };

/* The sizes that are shown, in ascending order. */
typedef struct sizes {
    double bytes[REPORT_ROWS_MAX - 1];
    int count;
} sizes;

static void add_size(sizes *all, double bytes)
{
    int at = 0;
    while (at < all->count && all->bytes[at] < bytes)
        at++;
    if ((at < all->count && all->bytes[at] == bytes) || all->count == REPORT_ROWS_MAX - 1)
        return;
    memmove(&all->bytes[at + 1], &all->bytes[at], (size_t)(all->count - at) * sizeof(double));
    all->bytes[at] = bytes;
    all->count++;
}

/* Adds points that show the course of a layer's curve. */
static void add_curve_sizes(sizes *all, const servet_profile *profile, int layer)
{
    servet_message point;
    double bytes[POINTS_MAX] = {1}, seconds[POINTS_MAX] = {1};
    bool shown[POINTS_MAX];
    int count = 0;
    while (count < POINTS_MAX &&
           SERVET_ITEM(profile, "network.layers.points", &point, layer, count + 1) == SERVET_OK) {
        bytes[count] = point.bytes;
        seconds[count++] = point.time.value;
    }
    report_thin(bytes, seconds, count, POINTS_SHOWN, shown);
    for (int i = 0; i < count; i++)
        if (shown[i])
            add_size(all, bytes[i]);
}

/* Writes the measured time of a message of this size; "-" if it was not measured. */
static void text_time(const servet_profile *profile, int layer, double bytes, char us[HUMAN_MAX])
{
    servet_message point;
    strcpy(us, report_unknown);
    for (int i = 1; SERVET_ITEM(profile, "network.layers.points", &point, layer, i) == SERVET_OK;
         i++)
        if (point.bytes == bytes)
            report_time(&point.time, HUMAN_US, us);
}

static void add_curves(document *to, const servet_profile *profile, int layers)
{
    sizes all = {.count = 0};
    char us[LAYERS_SHOWN][HUMAN_MAX], size[HUMAN_MAX];
    const char *cells[LAYERS_SHOWN + 1] = {size};
    report_table *table = document_table(to, "Time of a message, us", "r", "size");
    int shown = add_layer_columns(table, layers);
    for (int i = 1; i <= shown; i++)
        add_curve_sizes(&all, profile, i);
    for (int i = 0; i < all.count; i++) {
        human_bytes(all.bytes[i], size);
        for (int layer = 1; layer <= shown; layer++) {
            text_time(profile, layer, all.bytes[i], us[layer - 1]);
            cells[layer] = us[layer - 1];
        }
        report_table_row(table, cells);
    }
}

/* Adds the protocols of the MPI library; a layer with a single one has no row. */
static void add_protocols(report_table *table, const servet_profile *profile, int layer)
{
    servet_protocol protocol;
    char name[LAYER_NAME_MAX], bytes[HUMAN_MAX], us[HUMAN_MAX], rate[HUMAN_MAX];
    if (SERVET_ITEM(profile, "network.layers.protocols", &protocol, layer, 2) != SERVET_OK)
        return;
    name_layer(layer, name);
    for (int i = 1;
         SERVET_ITEM(profile, "network.layers.protocols", &protocol, layer, i) == SERVET_OK; i++) {
        report_bytes(&protocol.from, bytes);
        /* Large messages cannot distinguish the latency from 0. */
        if (protocol.latency.low > 0)
            report_time(&protocol.latency, HUMAN_US, us);
        else
            strcpy(us, report_unknown);
        report_rate(&protocol.bandwidth, rate);
        report_table_row(table, (const char *[]){i > 1 ? "" : name, bytes, us, rate});
    }
}

static void add_all_protocols(document *to, const servet_profile *profile, int layers)
{
    report_table *table =
        document_table(to, "Sizes of messages at which the MPI library changes its protocol",
                       "lrrr", "protocols", "from", "latency, us", "GB/s");
    for (int i = 1; i <= layers; i++)
        add_protocols(table, profile, i);
}

/* Writes the slowdown of `messages` concurrent messages in a layer, of the size that determined the
 * layers; "-" if it was not measured.
 */
static void text_slowdown(const servet_profile *profile, int layer, int messages, double bytes,
                          char text[HUMAN_MAX])
{
    servet_together point;
    strcpy(text, report_unknown);
    for (int i = 1; SERVET_ITEM(profile, "network.layers.together", &point, layer, i) == SERVET_OK;
         i++)
        if (point.bytes == bytes && point.messages == messages)
            report_number(&point.ratio, text);
}

/* Returns the next larger number of messages that was measured; INT_MAX: there is none. */
static int next_together(const servet_profile *profile, int layers, double bytes, int messages)
{
    servet_together point;
    int next = INT_MAX;
    for (int layer = 1; layer <= layers; layer++)
        for (int i = 1;
             SERVET_ITEM(profile, "network.layers.together", &point, layer, i) == SERVET_OK; i++)
            if (point.bytes == bytes && point.messages > messages && point.messages < next)
                next = point.messages;
    return next;
}

static void add_slowdowns(document *to, const servet_profile *profile, int layers, double bytes)
{
    char size[HUMAN_MAX], title[HUMAN_MAX + 64], number[24], ratio[LAYERS_SHOWN][HUMAN_MAX];
    const char *cells[LAYERS_SHOWN + 1] = {number};
    human_bytes(bytes, size);
    snprintf(title, sizeof title, "Slowdown of messages of %s that are sent at once", size);
    report_table *table = document_table(to, title, "r", "messages");
    int shown = add_layer_columns(table, layers), messages = 1;
    while ((messages = next_together(profile, shown, bytes, messages)) < INT_MAX) {
        snprintf(number, sizeof number, "%d", messages);
        for (int layer = 1; layer <= shown; layer++) {
            text_slowdown(profile, layer, messages, bytes, ratio[layer - 1]);
            cells[layer] = ratio[layer - 1];
        }
        report_table_row(table, cells);
    }
}

/* Writes "below 512 B", "4 KiB-9.8 KiB", "from 4 KiB" or "all sizes"; `first`: the range begins
 * with the smallest size. */
static void text_range(const servet_aggregation *range, bool first, char text[2 * HUMAN_MAX])
{
    char from[HUMAN_MAX], below[HUMAN_MAX];
    human_bytes(range->from, from);
    human_bytes(range->below, below);
    if (first && range->unbounded)
        strcpy(text, "all sizes");
    else if (first)
        snprintf(text, 2 * HUMAN_MAX, "below %s", below);
    else if (range->unbounded)
        snprintf(text, 2 * HUMAN_MAX, "from %s", from);
    else
        snprintf(text, 2 * HUMAN_MAX, "%s-%s", from, below);
}

/* Adds the ranges of one number of messages, from range `at` on; returns the next range. */
static int add_ranges(report_table *table, const servet_profile *profile, int layer, int at)
{
    servet_aggregation range;
    char name[LAYER_NAME_MAX], number[24], size[2 * HUMAN_MAX], gain[24];
    int messages = 0, shown = 0, first = at;
    name_layer(layer, name);
    for (; SERVET_ITEM(profile, "network.layers.aggregation", &range, layer, at + 1) == SERVET_OK;
         at++) {
        if (at > first && range.messages != messages)
            break;
        messages = range.messages;
        snprintf(number, sizeof number, "%d", messages);
        if (range.payoff != SERVET_PAYOFF_PAYS)
            continue;
        text_range(&range, at == first, size);
        snprintf(gain, sizeof gain, "%s%s", HUMAN(range.gain.value, 3), report_mark(&range.gain));
        report_table_row(table, (const char *[]){name, number, size, gain});
        shown++;
    }
    if (!shown)
        report_table_row(table, (const char *[]){name, number, "no size", ""});
    return at;
}

/* Writes the reason why a range of a layer is not trusted, the first such range, for the end of a
 * title. */
static void find_doubt(const servet_profile *profile, int layers, char doubt[REPORT_DOUBT_MAX])
{
    char key[SERVET_NAME_MAX];
    int count;
    *doubt = '\0';
    for (int i = 1; i <= layers && !*doubt; i++) {
        snprintf(key, sizeof key, "layers.%d.aggregation.1.payoff", i);
        if (servet_profile_count(profile, NULL, "network.layers.aggregation", (int[]){i}, &count) ==
                SERVET_OK &&
            count > 0)
            report_doubt(profile, NULL, key, doubt);
    }
}

static void add_aggregation(document *to, const servet_profile *profile, int layers)
{
    char doubt[REPORT_DOUBT_MAX], title[REPORT_DOUBT_MAX + 64];
    int count;
    find_doubt(profile, layers, doubt);
    snprintf(title, sizeof title, "Messages to one process that are faster as one message%s",
             doubt);
    report_table *table =
        document_table(to, title, "lrlr", "layer", "messages", "size of each", "times as fast");
    for (int i = 1; i <= layers; i++)
        if (servet_profile_count(profile, NULL, "network.layers.aggregation", (int[]){i}, &count) ==
            SERVET_OK)
            for (int at = 0; at < count;)
                at = add_ranges(table, profile, i, at);
}

/* --- collective operations -------------------------------------------------------------------- */

/* Writes "12.5 (11)": the measured time, and the one predicted from the layers if it is known. */
static void text_collective(const servet_profile *profile, const servet_collective *at,
                            char text[2 * HUMAN_MAX])
{
    servet_value predicted;
    char us[HUMAN_MAX];
    report_time(&at->time, HUMAN_US, us);
    if (servet_network_collective_predict(profile, at->op, at->bytes, at->ranks, at->groups,
                                          &predicted) == SERVET_OK)
        snprintf(text, 2 * HUMAN_MAX, "%s (%s)", us, HUMAN(HUMAN_US * predicted.value, 2));
    else
        snprintf(text, 2 * HUMAN_MAX, "%s", us);
}

/* Finds the time of an operation with the ranks, groups and size of `like`. */
static void find_collective(const servet_profile *profile, const servet_collective *like, int op,
                            char text[2 * HUMAN_MAX])
{
    servet_collective at;
    strcpy(text, report_unknown);
    for (int i = 1; SERVET_ITEM(profile, "network.collectives", &at, i) == SERVET_OK; i++)
        if ((int)at.op == op && at.ranks == like->ranks && at.groups == like->groups &&
            at.bytes == like->bytes)
            text_collective(profile, &at, text);
}

/* Adds a table of the operations with the ranks and groups of the barrier `of`. */
static void add_collective_set(document *to, const servet_profile *profile,
                               const servet_collective *of)
{
    servet_collective at;
    char title[SERVET_TEXT_MAX], groups[64] = "", size[HUMAN_MAX];
    char text[SERVET_COLLECTIVE_COUNT][2 * HUMAN_MAX];
    const char *cells[SERVET_COLLECTIVE_COUNT + 1] = {size};
    double shown = -1;
    if (of->groups > 1)
        snprintf(groups, sizeof groups, ", in %d groups at once", of->groups);
    snprintf(title, sizeof title,
             "Collective operations of %d ranks%s, us (predicted from the layers)", of->ranks,
             groups);
    report_table *table = document_table(to, title, "r", "size");
    for (int op = 0; op < SERVET_COLLECTIVE_COUNT; op++)
        report_table_column(table, 'r', servet_collective_name((servet_collective_op)op));
    for (int i = 1; SERVET_ITEM(profile, "network.collectives", &at, i) == SERVET_OK; i++) {
        if (at.ranks != of->ranks || at.groups != of->groups || at.bytes <= shown)
            continue;
        shown = at.bytes;
        human_bytes(at.bytes, size);
        for (int op = 0; op < SERVET_COLLECTIVE_COUNT; op++) {
            find_collective(profile, &at, op, text[op]);
            cells[op + 1] = text[op];
        }
        report_table_row(table, cells);
    }
}

static void add_collectives(document *to, const servet_profile *profile)
{
    servet_collective at;
    for (int i = 1; SERVET_ITEM(profile, "network.collectives", &at, i) == SERVET_OK; i++)
        if (at.op == SERVET_COLLECTIVE_BARRIER)
            add_collective_set(to, profile, &at);
}

/* --- random halves ---------------------------------------------------------------------------- */

static void add_outlier(report_table *table, const char *name, const servet_value *usual,
                        const servet_node_rate *of)
{
    char rate[HUMAN_MAX], lost[24] = "-";
    report_rate(&of->bandwidth, rate);
    if (servet_value_known(&of->lost))
        snprintf(lost, sizeof lost, "%s %%", HUMAN(100 * of->lost.value, 2));
    report_table_row(table,
                     (const char *[]){name, rate, HUMAN(usual->value / of->bandwidth.value, 3),
                                      lost, report_outlier(of)});
}

/* Adds the bandwidth of random halves, and a table of the nodes unlike the others. */
static void add_halves(document *to, const servet_profile *profile)
{
    servet_bisection halves;
    servet_node_rate of;
    char rate[HUMAN_MAX], bytes[HUMAN_MAX];
    if (servet_network_bisection(profile, &halves) != SERVET_OK)
        return;
    report_rate(&halves.bandwidth, rate);
    human_bytes(halves.bytes, bytes);
    document_line(
        to,
        "Random halves of %d nodes: %s GB/s each way, messages of %s, %d process%s of each "
        "node",
        halves.nodes, rate, bytes, halves.processes, halves.processes == 1 ? "" : "es");
    report_table *table = document_table(to, "Nodes unlike the others, in random halves", "lrrrl",
                                         "node", "GB/s", "times less", "time lost", "");
    for (int i = 1; SERVET_ITEM(profile, "network.node_rates", &of, i) == SERVET_OK; i++)
        if (*report_outlier(&of))
            add_outlier(table, servet_network_node(profile, i - 1), &halves.usual, &of);
}

/* Adds a line such as "Torus of 4 x 4 x 2 nodes: each link adds 0.1 us". */
static void add_torus(document *to, const servet_profile *profile)
{
    servet_dimension dimension;
    char nodes[SERVET_TEXT_MAX] = "", step[HUMAN_MAX] = "";
    for (int i = 1; SERVET_ITEM(profile, "network.torus", &dimension, i) == SERVET_OK; i++) {
        size_t used = strlen(nodes);
        snprintf(nodes + used, sizeof nodes - used, "%s%d", i > 1 ? " x " : "", dimension.nodes);
        report_time(&dimension.step, HUMAN_US, step);
    }
    if (*nodes)
        document_line(to, "Torus of %s nodes: each link adds %s us to a short message", nodes,
                      step);
}

static void add_messages(document *to, const servet_profile *profile, int layers, double bytes)
{
    add_curves(to, profile, layers);
    add_all_protocols(to, profile, layers);
    add_slowdowns(to, profile, layers, bytes);
    add_aggregation(to, profile, layers);
}

/* --- degradation ------------------------------------------------------------------------------ */

static void add_ratio_table(document *to, const char *title, const char *of, const double at[],
                            const double value[], const char *const mark[], const bool shown[],
                            int count)
{
    char number[24], ratio[POINTS_SHOWN][24];
    const char *cells[POINTS_SHOWN + 1] = {"times less"};
    int columns = 0;
    report_table *table = document_table(to, title, "l", of);
    for (int i = 0; i < count && columns < POINTS_SHOWN; i++) {
        if (!shown[i])
            continue;
        snprintf(number, sizeof number, "%.0f", at[i]);
        report_table_column(table, 'r', number);
        snprintf(ratio[columns], sizeof ratio[columns], "%s%s", HUMAN(value[i], 3), mark[i]);
        cells[columns + 1] = ratio[columns];
        columns++;
    }
    report_table_row(table, cells);
}

/* Adds the numbers that were measured, which are few. */
static void add_numbers(document *to, const char *title, const servet_profile *profile,
                        servet_degradation degradation, int index, int largest, const char *of)
{
    servet_ratio ratio;
    double at[POINTS_MAX] = {1}, value[POINTS_MAX] = {1};
    bool shown[POINTS_MAX];
    const char *mark[POINTS_MAX];
    int count = 0;
    for (int number = 1; number <= largest && count < POINTS_MAX; number++)
        if (servet_network_ratio_at(profile, degradation, index, number, &ratio) == SERVET_OK &&
            ratio.ratio.method != SERVET_METHOD_INTERPOLATED) {
            at[count] = number;
            mark[count] = report_mark(&ratio.ratio);
            value[count++] = ratio.ratio.value;
        }
    report_thin(at, value, count, POINTS_SHOWN, shown);
    add_ratio_table(to, title, of, at, value, mark, shown, count);
}

/* Writes ", always on all nodes": on all that took part, without slow ones. */
static void name_nodes(const servet_profile *profile, int nodes, char text[SERVET_NAME_MAX])
{
    servet_network network;
    if (servet_network_get(profile, &network) == SERVET_OK && nodes < network.nodes)
        snprintf(text, SERVET_NAME_MAX, ", always on the same %d nodes", nodes);
    else
        snprintf(text, SERVET_NAME_MAX, ", always on all nodes");
}

/* Adds a measurement. If there are several, the title of each has its number of nodes. */
static void add_measurement(document *to, const servet_profile *profile,
                            servet_degradation degradation, int index, int count, const char *of)
{
    servet_ratios about;
    servet_ratio ratio;
    char bytes[HUMAN_MAX], where[SERVET_NAME_MAX] = "", number[32] = "", title[SERVET_TEXT_MAX];
    if (servet_network_ratios_at(profile, degradation, index, &about) != SERVET_OK ||
        servet_network_ratio_at(profile, degradation, index, 1, &ratio) != SERVET_OK)
        return;
    human_bytes(about.bytes, bytes);
    if (count > 1)
        snprintf(number, sizeof number, ", %d node%s", ratio.nodes, report_plural(ratio.nodes));
    if (!about.constant_total)
        name_nodes(profile, ratio.nodes, where);
    snprintf(title, sizeof title, "Bandwidth lost by %s, messages of %s%s%s", of, bytes, number,
             where);
    add_numbers(to, title, profile, degradation, index, about.largest, of);
}

static void add_ratios(document *to, const servet_profile *profile, servet_degradation degradation,
                       const char *of)
{
    int count = 0;
    (void)servet_network_ratios_count(profile, degradation, &count);
    for (int i = 0; i < count; i++)
        add_measurement(to, profile, degradation, i, count, of);
}

/* --- the whole section ------------------------------------------------------------------------ */

void report_network(document *to, const servet_profile *profile)
{
    servet_network network;
    char bytes[HUMAN_MAX], some[64] = "", title[SERVET_TEXT_MAX];
    int layers = 0;
    if (servet_network_get(profile, &network) != SERVET_OK)
        return;
    human_bytes(network.message_bytes, bytes);
    document_heading(to, "Communication of %d process%s on %d node%s", network.ranks,
                     network.ranks == 1 ? "" : "es", network.nodes, report_plural(network.nodes));
    report_warn_network(to, profile);
    if (network.nodes_asked > 0 && network.nodes_asked < network.nodes)
        snprintf(some, sizeof some, "; between nodes: %d of %d nodes measured", network.nodes_asked,
                 network.nodes);
    snprintf(title, sizeof title, "Layers, by messages of %s%s", bytes, some);
    if (servet_network_layer_count(profile, &layers) == SERVET_OK)
        add_layers(to, profile, title, layers);
    add_torus(to, profile);
    add_messages(to, profile, layers, network.message_bytes);
    add_collectives(to, profile);
    add_halves(to, profile);
    add_ratios(to, profile, SERVET_DEGRADATION_DISTANCE, "distance between nodes");
    add_ratios(to, profile, SERVET_DEGRADATION_ACCESS, "processes per node");
    report_missing_network(to, profile, layers);
}
