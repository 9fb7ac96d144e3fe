/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication between cores: layers, messages, and degradation of the network. */
#include "cli/report/report.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/parts.h"
#include "cli/report/text.h"
#include "cli/report/thin.h"
#include "servet/network.h"

/* A line of at most this many pairs is still read; `servet get` has all. */
enum { PAIRS_SHOWN = 12 };

/* --- layers ----------------------------------------------------------------------------------- */

/* Groups by the queries of report_sets_text(). */
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

static void print_row(const char *layer, const char *where, const char *us, const char *rate,
                      const char *confidence, const char *cores)
{
    printf("  %-8s  %-13s  %8s  %8s  %-11s  %s\n", layer, where, us, rate, confidence, cores);
}

static void print_layer(const servet_profile *profile, int number)
{
    static const report_sets groups = {count_groups, get_group};
    servet_network_layer layer;
    char name[24], us[HUMAN_MAX], rate[HUMAN_MAX], confidence[REPORT_CONFIDENCE_MAX],
        cores[REPORT_SETS_MAX];
    if (servet_network_layer_get(profile, number, &layer) != SERVET_OK)
        return;
    snprintf(name, sizeof name, "layer %d", number);
    report_confidence(layer.confidence, layer.trusted, confidence);
    report_time(&layer.latency, HUMAN_US, us);
    report_rate(&layer.bandwidth, rate);
    report_sets_text(&groups, profile, NULL, number, cores);
    print_row(name, layer.between_nodes ? "between nodes" : "in a node", us, rate, confidence,
              cores);
}

static void print_layers(const servet_profile *profile, int count)
{
    char doubt[REPORT_DOUBT_MAX];
    if (count == 0) {
        report_doubt(profile, NULL, "layers.count", doubt);
        printf("  %sa single process: no communication\n", doubt);
        return;
    }
    print_row("layer", "", "us", "GB/s", "confidence", "connected node:core sets");
    for (int i = 1; i <= count; i++)
        print_layer(profile, i);
}

/* --- messages --------------------------------------------------------------------------------- */

/* Longer ones end where they are cut; none is. */
enum { POINTS_MAX = 512 };

static void print_point(const servet_message *point)
{
    char bytes[HUMAN_MAX], us[HUMAN_MAX];
    human_bytes(point->bytes, bytes);
    report_time(&point->time, HUMAN_US, us);
    printf("  %s: %s", bytes, us);
}

static void print_curve(const servet_profile *profile, int layer)
{
    servet_message point[POINTS_MAX];
    double bytes[POINTS_MAX] = {1}, seconds[POINTS_MAX] = {1};
    bool shown[POINTS_MAX];
    int count = 0, all;
    if (servet_network_point_count(profile, layer, &all) != SERVET_OK)
        return;
    while (count < all && count < POINTS_MAX &&
           servet_network_point(profile, layer, count, &point[count]) == SERVET_OK) {
        bytes[count] = point[count].bytes;
        seconds[count] = point[count].time.value;
        count++;
    }
    report_thin(bytes, seconds, count, PAIRS_SHOWN, shown);
    printf("  layer %d, us:", layer);
    for (int i = 0; i < count; i++)
        if (shown[i])
            print_point(&point[i]);
    putchar('\n');
}

static void print_protocols(const servet_profile *profile, int layer)
{
    servet_protocol protocol;
    char bytes[HUMAN_MAX];
    for (int i = 1; servet_network_protocol(profile, layer, i, &protocol) == SERVET_OK; i++) {
        human_bytes(protocol.from.value, bytes);
        printf("  layer %d: protocol changes at %s%s\n", layer, bytes, report_mark(&protocol.from));
    }
}

/* Of messages as large as those that separated the layers. */
static void print_slowdown(const servet_profile *profile, int layer, double bytes)
{
    servet_together point;
    char size[HUMAN_MAX];
    bool begun = false;
    human_bytes(bytes, size);
    for (int i = 0; servet_network_together(profile, layer, i, &point) == SERVET_OK; i++) {
        if (point.bytes != bytes || point.messages == 1)
            continue;
        if (!begun)
            printf("  layer %d, slowdown with N concurrent messages of %s:", layer, size);
        begun = true;
        printf("  %d: %.3g%s", point.messages, point.ratio.value, report_mark(&point.ratio));
    }
    if (begun)
        putchar('\n');
}

/* "below 512 B 2.1", "4 KiB-9.8 KiB 1.7", "from 4 KiB 1.7", "at all sizes 3": the gain of a range
 * of sizes; `first`: it has the smallest size. */
static void print_range(const servet_aggregation *range, bool first)
{
    char from[HUMAN_MAX], below[HUMAN_MAX];
    human_bytes(range->from, from);
    human_bytes(range->below, below);
    if (first && range->unbounded)
        printf("at all sizes");
    else if (first)
        printf("below %s", below);
    else if (range->unbounded)
        printf("from %s", from);
    else
        printf("%s-%s", from, below);
    printf(" %.3g%s", range->gain.value, report_mark(&range->gain));
}

/* The ranges of one number of messages, from range `at` on; returns the next one. */
static int print_ranges(const servet_profile *profile, int layer, int at)
{
    servet_aggregation range;
    int messages = 0, shown = 0, first = at;
    for (; servet_network_aggregation(profile, layer, at, &range) == SERVET_OK; at++) {
        if (at > first && range.messages != messages)
            break;
        if (at == first)
            printf("    %d: ", range.messages);
        messages = range.messages;
        if (range.payoff != SERVET_PAYOFF_PAYS)
            continue;
        printf("%s", shown++ ? ", " : "");
        print_range(&range, at == first);
    }
    puts(shown ? "" : "no size");
    return at;
}

static void print_aggregation(const servet_profile *profile, int layer)
{
    char key[SERVET_NAME_MAX], doubt[REPORT_DOUBT_MAX];
    int count;
    if (servet_network_aggregation_count(profile, layer, &count) != SERVET_OK || count == 0)
        return;
    snprintf(key, sizeof key, "layers.%d.aggregation.1.payoff", layer);
    report_doubt(profile, NULL, key, doubt);
    printf("  %slayer %d, N messages to one process as one: sizes where it pays, times as fast\n",
           doubt, layer);
    for (int at = 0; at < count;)
        at = print_ranges(profile, layer, at);
}

static void print_messages(const servet_profile *profile, int layers, double bytes)
{
    for (int i = 1; i <= layers; i++) {
        print_curve(profile, i);
        print_protocols(profile, i);
        print_slowdown(profile, i, bytes);
        print_aggregation(profile, i);
    }
}

/* --- degradation ------------------------------------------------------------------------------ */

/* Those that took part in all of it: without slow ones. */
static void print_nodes(const servet_profile *profile, int nodes)
{
    servet_network network;
    if (servet_network_get(profile, &network) == SERVET_OK && nodes < network.nodes)
        printf(", always on the same %d nodes", nodes);
    else
        printf(", always on all nodes");
}

/* Of those that were measured; there are far fewer than numbers. */
static void print_numbers(const servet_profile *profile, servet_degradation degradation, int index,
                          int largest)
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
    report_thin(at, value, count, PAIRS_SHOWN, shown);
    for (int i = 0; i < count; i++)
        if (shown[i])
            printf("  %.0f: %.3g%s", at[i], value[i], mark[i]);
    putchar('\n');
}

/* If there are several measurements, each line has its number of nodes. */
static void print_measurement(const servet_profile *profile, servet_degradation degradation,
                              int index, int count, const char *of)
{
    servet_ratios about;
    servet_ratio ratio;
    char bytes[HUMAN_MAX];
    if (servet_network_ratios_at(profile, degradation, index, &about) != SERVET_OK ||
        servet_network_ratio_at(profile, degradation, index, 1, &ratio) != SERVET_OK)
        return;
    human_bytes(about.bytes, bytes);
    printf("  bandwidth loss by %s, %s", of, bytes);
    if (count > 1)
        printf(", %d node%s", ratio.nodes, report_plural(ratio.nodes));
    if (!about.constant_total)
        print_nodes(profile, ratio.nodes);
    putchar(':');
    print_numbers(profile, degradation, index, about.largest);
}

static void print_ratios(const servet_profile *profile, servet_degradation degradation,
                         const char *of)
{
    int count = 0;
    (void)servet_network_ratios_count(profile, degradation, &count);
    for (int i = 0; i < count; i++)
        print_measurement(profile, degradation, i, count, of);
}

/* --- all of it -------------------------------------------------------------------------------- */

void cli_report_network(const servet_profile *profile)
{
    servet_network network;
    char bytes[HUMAN_MAX];
    int layers = 0;
    if (servet_network_get(profile, &network) != SERVET_OK)
        return;
    human_bytes(network.message_bytes, bytes);
    printf("\nCommunication of %d process%s on %d node%s\n", network.ranks,
           network.ranks == 1 ? "" : "es", network.nodes, report_plural(network.nodes));
    cli_report_network_warnings(stdout, profile);
    if (servet_network_layer_count(profile, &layers) == SERVET_OK) {
        printf("  layers by messages of %s", bytes);
        if (network.nodes_asked > 0 && network.nodes_asked < network.nodes)
            printf("; between nodes: %d of %d nodes measured", network.nodes_asked, network.nodes);
        putchar('\n');
        print_layers(profile, layers);
    }
    print_messages(profile, layers, network.message_bytes);
    print_ratios(profile, SERVET_DEGRADATION_DISTANCE, "distance between nodes");
    print_ratios(profile, SERVET_DEGRADATION_ACCESS, "processes per node");
}
