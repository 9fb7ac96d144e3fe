/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of communication that were omitted, one by one: because of the time limit, or of slow
 * links. */
#include "cli/report/parts.h"

#include <stdio.h>

#include "cli/report/text.h"
#include "servet/network.h"

/* A whole curve of message sizes ends here, or where the next size may take more than a second. */
static const double LARGEST = 32.0 * (1 << 20), LONG_SECONDS = 0.25;

typedef struct line {
    document *to;
    const servet_profile *profile;
    int layers;
    bool begun;
} line;

static void add(line *to, const char *what)
{
    if (to->begun)
        document_append(to->to, ", %s", what);
    else
        document_line(to->to, "not measured, the time limit was used up: %s", what);
    to->begun = true;
}

static void add_of_layer(line *to, const char *what, int layer)
{
    char text[SERVET_TEXT_MAX];
    snprintf(text, sizeof text, "%.200s of layer %d", what, layer);
    add(to, text);
}

static void add_layers(line *to)
{
    if (to->layers == 0)
        add(to, "layers");
}

/* The largest size of a curve; false: there is none. */
static bool find_last(const servet_profile *profile, int layer, servet_message *last)
{
    int count = 0;
    return servet_profile_count(profile, NULL, "network.layers.points", (int[]){layer}, &count) ==
               SERVET_OK &&
           SERVET_ITEM(profile, "network.layers.points", last, layer, count) == SERVET_OK;
}

/* A curve that ends early, or none. */
static void add_curves(line *to)
{
    char text[HUMAN_MAX + 32], bytes[HUMAN_MAX];
    servet_message last = {.bytes = 0};
    for (int layer = 1; layer <= to->layers; layer++) {
        bool any = find_last(to->profile, layer, &last);
        human_bytes(last.bytes, bytes);
        snprintf(text, sizeof text, "messages above %s", bytes);
        if (!any || last.bytes < LARGEST)
            add_of_layer(to, any ? text : "message sizes", layer);
    }
}

static void add_concurrent(line *to)
{
    int count;
    for (int layer = 1; layer <= to->layers; layer++)
        if (servet_profile_count(to->profile, NULL, "network.layers.together", (int[]){layer},
                                 &count) != SERVET_OK)
            add_of_layer(to, "messages at once", layer);
}

static void add_batches(line *to)
{
    int count;
    for (int layer = 1; layer <= to->layers; layer++)
        if (servet_profile_count(to->profile, NULL, "network.layers.batches", (int[]){layer},
                                 &count) != SERVET_OK)
            add_of_layer(to, "several messages to one process", layer);
}

/* "distance" is a benchmark of a node, too: a node alone has no ratios to miss. */
static void add_ratios(line *to, servet_degradation degradation, const char *what)
{
    int count = 0;
    servet_network network;
    if (servet_network_get(to->profile, &network) != SERVET_OK || network.nodes < 2)
        return;
    if (servet_network_ratios_count(to->profile, degradation, &count) != SERVET_OK || count == 0)
        add(to, what);
}

static void add_distance(line *to)
{
    add_ratios(to, SERVET_DEGRADATION_DISTANCE, "bandwidth loss by distance between nodes");
}

static void add_access(line *to)
{
    add_ratios(to, SERVET_DEGRADATION_ACCESS, "bandwidth loss by processes per node");
}

static void add_collectives(line *to)
{
    int count;
    if (servet_profile_count(to->profile, NULL, "network.collectives", NULL, &count) != SERVET_OK)
        add(to, "collective operations");
}

/* A word of run.cut, and what may be missing then. */
static const struct {
    const char *word;
    void (*add)(line *to);
} parts[] = {
    {"layers", add_layers},           {"curves", add_curves},     {"scalability", add_concurrent},
    {"aggregation", add_batches},     {"distance", add_distance}, {"access", add_access},
    {"collectives", add_collectives},
};

/* Larger messages would take more than a second each. */
static void add_slow(document *to, const servet_profile *profile, int layers)
{
    char bytes[HUMAN_MAX];
    servet_message last;
    for (int layer = 1; layer <= layers; layer++) {
        if (!find_last(profile, layer, &last) || last.bytes >= LARGEST ||
            last.time.value < LONG_SECONDS)
            continue;
        human_bytes(last.bytes, bytes);
        document_line(to,
                      "not measured: messages above %s of layer %d, which may take more than a "
                      "second each",
                      bytes, layer);
    }
}

void report_missing_network(document *whole, const servet_profile *profile, int layers)
{
    line to = {.to = whole, .profile = profile, .layers = layers};
    servet_run run = {0};
    (void)servet_profile_run(profile, &run);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (report_is_listed(run.cut, parts[i].word))
            parts[i].add(&to);
    if (!report_is_listed(run.cut, "curves"))
        add_slow(whole, profile, layers);
}
