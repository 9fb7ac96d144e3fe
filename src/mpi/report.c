/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/report.h"

#include <math.h>
#include <stdio.h>

#include "cli/human.h"

void mpi_report_nodes(const mpi_nodes *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const mpi_node *node = &nodes->node[i];
        if (node->error.code != SERVET_OK)
            printf("Attention: node %s was not measured: %s\n", node->name, node->error.text);
        else if (!node->difference.alike)
            printf("Attention: node %s is %s: %s\n", node->name,
                   node->difference.slower ? "slower than the others" : "unlike the others",
                   node->difference.text);
    }
}

/* --- numbers ------------------------------------------------------------------------------------
 */

/* Scaled, in `width` columns; "-" where it is not known. */
static void print_value(const servet_value *value, double scale, int width)
{
    if (servet_value_known(value))
        printf("%*.4g", width, value->value * scale);
    else
        printf("%*s", width, "-");
}

/* Sets may be thousands; the raw files and the profile have them all. */
static void print_groups(const srv_sets *groups)
{
    enum { SHOWN = 4 };
    for (int i = 0; i < groups->count && i < SHOWN; i++)
        printf("  %.40s", groups->set[i]);
    if (groups->count > SHOWN)
        printf("  ... (%d sets)", groups->count);
    printf("\n");
}

/* --- layers -------------------------------------------------------------------------------------
 */

static void print_layers(const srv_network_facts *facts)
{
    char bytes[HUMAN_MAX];
    human_bytes(facts->message_bytes, bytes);
    printf("\nLayers of communication (messages of %s)\n", bytes);
    printf("  layer           latency us     MB/s  groups (nodes:cores)\n");
    for (int i = 0; i < facts->layer_count; i++) {
        const srv_network_layer *layer = &facts->layer[i];
        printf("  %-5d %-8s", i + 1, layer->between_nodes ? "network" : "node");
        print_value(&layer->latency, 1e6, 12);
        print_value(&layer->bandwidth, 1e-6, 9);
        print_groups(&layer->groups);
    }
}

static void print_curve(const srv_network_layer *layer, int number)
{
    char bytes[HUMAN_MAX];
    printf("\nMessages of layer %d\n         size  time us     MB/s\n", number);
    for (int i = 0; i < layer->curve_count; i++) {
        const srv_message_point *point = &layer->curve[i];
        human_bytes(point->bytes, bytes);
        printf("  %11s", bytes);
        print_value(&point->time, 1e6, 9);
        printf(" %8.4g\n", 1e-6 * point->bytes / point->time.value);
    }
    for (int i = 1; i < layer->protocol_count; i++) {
        human_interval(layer->protocol[i].from.low, layer->protocol[i].from.high, bytes);
        printf("  another protocol from %s\n", bytes);
    }
}

static void print_together(const srv_network_layer *layer, int number)
{
    char bytes[HUMAN_MAX];
    printf("\nMessages at once in layer %d\n         size  number  time us    ratio\n", number);
    for (int i = 0; i < layer->together_count; i++) {
        const srv_messages_together *point = &layer->together[i];
        human_bytes(point->bytes, bytes);
        printf("  %11s  %6d", bytes, point->messages);
        print_value(&point->time, 1e6, 9);
        print_value(&point->ratio, 1, 9);
        printf("\n");
    }
}

static void print_advice(const srv_network_layer *layer)
{
    char bytes[HUMAN_MAX];
    for (int i = 0; i < layer->gather_count; i++) {
        const srv_gather *gather = &layer->gather[i];
        human_bytes(gather->below, bytes);
        if (gather->below <= 0)
            printf("  %d messages: send them as they are\n", gather->messages);
        else if (isinf(gather->below))
            printf("  %d messages: gather them into one\n", gather->messages);
        else
            printf("  %d messages: gather them into one below %s each\n", gather->messages, bytes);
    }
}

/* --- ratios -------------------------------------------------------------------------------------
 */

static void print_ratios(const srv_network_ratios *ratios, const char *title, const char *of)
{
    char bytes[HUMAN_MAX];
    if (!ratios->ratio)
        return;
    human_bytes(ratios->bytes, bytes);
    printf("\n%s (messages of %s)\n  %-20s  nodes     MB/s    ratio\n", title, bytes, of);
    for (int i = 0; i < ratios->count; i++) {
        const srv_network_ratio *ratio = &ratios->ratio[i];
        printf("  %20d  %5d", ratio->at, ratio->nodes);
        print_value(&ratio->bandwidth, 1e-6, 9);
        print_value(&ratio->ratio, 1, 9);
        printf("\n");
    }
}

void mpi_report_network(const srv_network_facts *facts)
{
    if (facts->layer_count > 0)
        print_layers(facts);
    for (int i = 0; i < facts->layer_count; i++) {
        const srv_network_layer *layer = &facts->layer[i];
        if (layer->curve_count > 0)
            print_curve(layer, i + 1);
        if (layer->together_count > 0)
            print_together(layer, i + 1);
        print_advice(layer);
    }
    print_ratios(&facts->distance, "Bandwidth by distance between nodes", "distance");
    print_ratios(&facts->access, "Bandwidth by processes of a node", "processes per node");
    if (facts->access.ratio && !facts->access.constant_total)
        printf("  (all nodes took part every time: there are too few for a constant total)\n");
}
