/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of communication that were measured while others disturbed the ranks. */
#include "cli/report/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/text.h"
#include "core/human.h"
#include "servet/network.h"

/* Numbers (from 1) of the first point, measurement and range that is not trusted; 0: all are. */
static int doubtful_curve(const servet_profile *profile, int layer)
{
    servet_message point;
    for (int i = 1; SERVET_ITEM(profile, "network.layers.points", &point, layer, i) == SERVET_OK;
         i++)
        if (!point.time.trusted)
            return i;
    return 0;
}

static int doubtful_together(const servet_profile *profile, int layer)
{
    servet_together point;
    for (int i = 1; SERVET_ITEM(profile, "network.layers.together", &point, layer, i) == SERVET_OK;
         i++)
        if (!point.ratio.trusted)
            return i;
    return 0;
}

static int doubtful_aggregation(const servet_profile *profile, int layer)
{
    servet_aggregation range;
    for (int i = 1;
         SERVET_ITEM(profile, "network.layers.aggregation", &range, layer, i) == SERVET_OK; i++)
        if (!range.trusted)
            return i;
    return 0;
}

/* "! WHAT not trusted: REASON", as the key of a layer or a distance gives it. */
static void say(document *to, const servet_profile *profile, const char *what, const char *key)
{
    char reason[SERVET_TEXT_MAX];
    report_reason(profile, NULL, key, reason);
    document_doubt(to, reason, "%s", what);
}

static void warn_layers(document *to, const servet_profile *profile)
{
    servet_network_layer layer;
    for (int i = 1; servet_network_layer_get(profile, i, &layer) == SERVET_OK; i++) {
        const struct {
            int doubtful;
            const char *what, *list, *member;
        } parts[] = {
            {!layer.trusted, "latency", NULL, "latency_us"},
            {doubtful_curve(profile, i), "message size curve", "points", "time_us"},
            {doubtful_together(profile, i), "concurrent messages", "together", "ratio"},
            {doubtful_aggregation(profile, i), "batches of messages", "aggregation", "payoff"},
        };
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            char what[SERVET_NAME_MAX], key[SERVET_NAME_MAX];
            snprintf(what, sizeof what, "communication layer %d: %s", i, parts[k].what);
            if (parts[k].list)
                snprintf(key, sizeof key, "layers.%d.%s.%d.%s", i, parts[k].list, parts[k].doubtful,
                         parts[k].member);
            else
                snprintf(key, sizeof key, "layers.%d.%s", i, parts[k].member);
            if (parts[k].doubtful)
                say(to, profile, what, key);
        }
    }
}

/* Ratios between measured ones are trusted as far as these are. */
static void warn_ratios(document *to, const servet_profile *profile, servet_degradation degradation,
                        const char *what, const char *key)
{
    servet_ratio ratio;
    char of_ratio[SERVET_NAME_MAX];
    for (int at = 1; servet_network_ratio(profile, degradation, at, &ratio) == SERVET_OK; at++)
        if (!ratio.trusted) {
            snprintf(of_ratio, sizeof of_ratio, "%s%d", key, at);
            say(to, profile, what, of_ratio);
            return;
        }
}

/* Rings are without slow ones, where enough others are left. */
static void warn_nodes(document *to, const servet_profile *profile, int nodes)
{
    servet_value value;
    servet_ratio ratio = {.nodes = nodes};
    (void)servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 1, &ratio);
    for (int i = 0; i < nodes; i++)
        if (servet_network_slowness(profile, i, &value) == SERVET_OK &&
            value.value >= SERVET_SLOW_NODE)
            document_warning(to, "%s: its messages take %s times as long as those of other nodes%s",
                             servet_network_node(profile, i), HUMAN(value.value, 3),
                             ratio.nodes < nodes ? "; bandwidth loss is that of the others" : "");
}

static void warn_collectives(document *to, const servet_profile *profile)
{
    servet_collective at;
    char key[SERVET_NAME_MAX];
    for (int i = 1; SERVET_ITEM(profile, "network.collectives", &at, i) == SERVET_OK; i++)
        if (!at.time.trusted) {
            snprintf(key, sizeof key, "network.collectives.%d.time_us", i);
            say(to, profile, "collective operations", key);
            return;
        }
}

/* A node by its name, or "nodes 0-3". */
static void name_nodes(const servet_profile *profile, const char *nodes, char text[SERVET_TEXT_MAX])
{
    const char *name = strpbrk(nodes, ",-") ? NULL : servet_network_node(profile, atoi(nodes));
    snprintf(text, SERVET_TEXT_MAX, "%s%s", name ? "" : "nodes ", name ? name : nodes);
}

/* Rings are with them, but what crosses them is not in the mean. */
static void warn_links(document *to, const servet_profile *profile)
{
    servet_slow_link link;
    servet_ratio ratio;
    bool rings = servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 1, &ratio) == SERVET_OK;
    for (int i = 1; SERVET_ITEM(profile, "network.slow_links", &link, i) == SERVET_OK; i++) {
        char from[SERVET_TEXT_MAX], other[SERVET_TEXT_MAX];
        name_nodes(profile, link.from, from);
        name_nodes(profile, link.to, other);
        document_warning(to,
                         "slow link between %s and %s: its messages take %s times as long as "
                         "others of both%s%s",
                         from, other, HUMAN(link.factor.value, 3),
                         link.trusted ? "" : " (not trusted)",
                         rings ? "; bandwidth loss is that of the others" : "");
    }
}

void report_warn_network(document *to, const servet_profile *profile)
{
    servet_network network = {0};
    (void)servet_network_get(profile, &network);
    warn_nodes(to, profile, network.nodes);
    warn_links(to, profile);
    warn_layers(to, profile);
    warn_collectives(to, profile);
    report_modes_network(to, profile);
    warn_ratios(to, profile, SERVET_DEGRADATION_DISTANCE, "bandwidth loss by distance",
                "network.distance_ratio.");
    warn_ratios(to, profile, SERVET_DEGRADATION_ACCESS, "bandwidth loss by processes per node",
                "network.access_ratio.");
    document_join_doubts(to);
}
