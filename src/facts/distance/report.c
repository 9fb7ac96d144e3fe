/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs between cores in the report: the block of false sharing, and their distances. */
#include "cli/report/parts.h"

#include <stdio.h>

#include "cli/report/text.h"

static void add_coherence(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_coherence coherence;
    char line[HUMAN_MAX], reported[HUMAN_MAX], doubt[REPORT_DOUBT_MAX],
        from[24] = "", text[REPORT_DOUBT_MAX + 3 * HUMAN_MAX];
    if (servet_coherence_get(profile, at, &coherence) != SERVET_OK)
        return;
    report_doubt(profile, at, "coherence_line", doubt);
    report_bytes(&coherence.line, line);
    report_reported(&coherence.reported, reported);
    if (coherence.level)
        snprintf(from, sizeof from, ", the line of L%d", coherence.level);
    if (*doubt)
        snprintf(text, sizeof text, "%s%s; the OS says %s%s", line, from, reported, doubt);
    else
        snprintf(text, sizeof text, "%s%s (the OS says %s: %s)", line, from, reported,
                 servet_verdict_name(coherence.verdict));
    document_line(to, "False sharing happens within %s", text);
}

static void add_layer(report_table *table, const servet_profile *profile, const servet_at *at,
                      int number)
{
    static const report_sets groups = {servet_distance_group_count, servet_distance_group};
    servet_distance_layer layer;
    char name[24], ns[HUMAN_MAX], confidence[REPORT_CONFIDENCE_MAX], cores[REPORT_SETS_MAX];
    if (servet_distance_layer_get(profile, at, number, &layer) != SERVET_OK)
        return;
    snprintf(name, sizeof name, "layer %d", number);
    report_confidence(layer.confidence, layer.trusted, confidence);
    report_time(&layer.latency, HUMAN_NS, ns);
    report_sets_text(&groups, profile, at, number, cores);
    report_table_row(table, (const char *[]){name, ns, report_verdict(layer.verdict, layer.trusted),
                                             confidence, cores});
}

static void add_layers(document *to, const servet_profile *profile, const servet_at *at)
{
    int count;
    if (servet_distance_layer_count(profile, at, &count) != SERVET_OK)
        return;
    if (count == 0) {
        report_doubted(to, "a single core has no distances", profile, at, "distance.layers.count");
        return;
    }
    report_table *table = document_table(
        to, "Time to read a cache line that another core has just modified", "lrlll", "distance",
        "ns", "verdict", "confidence", "PUs within this distance of each other");
    for (int i = 1; i <= count; i++)
        add_layer(table, profile, at, i);
}

void report_distances(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_coherence coherence;
    int count;
    if (servet_coherence_get(profile, at, &coherence) != SERVET_OK &&
        servet_distance_layer_count(profile, at, &count) != SERVET_OK)
        return;
    document_heading(to, "Core to core");
    add_coherence(to, profile, at);
    add_layers(to, profile, at);
}
