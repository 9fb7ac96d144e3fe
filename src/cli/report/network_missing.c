/* SPDX-License-Identifier: BSD-3-Clause */
/* What the time limit left out of communication, fact by fact, in one line. */
#include "cli/report/parts.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/text.h"
#include "servet/network.h"

/* A whole curve of message sizes ends here. */
static const double LARGEST = 32.0 * (1 << 20);

typedef struct line {
    const servet_profile *profile;
    int layers;
    bool begun;
} line;

static void add(line *to, const char *what)
{
    printf("%s%s", to->begun ? ", " : "  not measured, the time limit was used up: ", what);
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

/* A curve that ends early, or none. */
static void add_curves(line *to)
{
    char text[HUMAN_MAX + 32], bytes[HUMAN_MAX];
    servet_message last = {.bytes = 0};
    for (int layer = 1; layer <= to->layers; layer++) {
        int count = 0;
        bool any = servet_network_point_count(to->profile, layer, &count) == SERVET_OK &&
                   servet_network_point(to->profile, layer, count - 1, &last) == SERVET_OK;
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
        if (servet_network_together_count(to->profile, layer, &count) != SERVET_OK)
            add_of_layer(to, "messages at once", layer);
}

static void add_batches(line *to)
{
    int count;
    for (int layer = 1; layer <= to->layers; layer++)
        if (servet_network_batch_count(to->profile, layer, &count) != SERVET_OK)
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

/* A word of run.cut, and what may be missing then. */
static const struct {
    const char *word;
    void (*add)(line *to);
} parts[] = {
    {"layers", add_layers},       {"curves", add_curves},     {"scalability", add_concurrent},
    {"aggregation", add_batches}, {"distance", add_distance}, {"access", add_access},
};

static bool is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (*list) {
        size_t next = strcspn(list, ",");
        if (next == length && strncmp(list, word, length) == 0)
            return true;
        list += next + (list[next] == ',');
    }
    return false;
}

void report_missing_network(const servet_profile *profile, int layers)
{
    line to = {.profile = profile, .layers = layers};
    servet_run run;
    if (servet_profile_run(profile, &run) != SERVET_OK)
        return;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_listed(run.cut, parts[i].word))
            parts[i].add(&to);
    if (to.begun)
        putchar('\n');
}
