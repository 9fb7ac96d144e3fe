/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs between cores in the report: the block of false sharing, and their distances. */
#include "cli/report/parts.h"

#include <stdio.h>

#include "cli/report/text.h"
#include "cli/report/wrap.h"

static bool print_coherence(const servet_profile *profile, const servet_at *at)
{
    servet_coherence coherence;
    char line[HUMAN_MAX], reported[HUMAN_MAX], doubt[REPORT_DOUBT_MAX],
        from[24] = "", text[REPORT_DOUBT_MAX + 3 * HUMAN_MAX];
    if (servet_coherence_get(profile, at, &coherence) != SERVET_OK)
        return false;
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
    report_print_wrapped("  False sharing happens within ", 4, text);
    return true;
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

static void print_layers(const servet_profile *profile, const servet_at *at, bool is_first)
{
    report_table table;
    int count;
    if (servet_distance_layer_count(profile, at, &count) != SERVET_OK)
        return;
    if (count == 0) {
        report_print_doubted("a single core has no distances", profile, at,
                             "distance.layers.count");
        return;
    }
    report_table_begin(&table);
    report_table_column(&table, 'l', "distance");
    report_table_column(&table, 'r', "ns");
    report_table_column(&table, 'l', "verdict");
    report_table_column(&table, 'l', "confidence");
    report_table_column(&table, 'l', "PUs within this distance of each other");
    for (int i = 1; i <= count; i++)
        add_layer(&table, profile, at, i);
    if (!is_first)
        putchar('\n');
    puts("  Time to read a cache line that another core has just modified");
    report_table_print(&table);
}

void report_distances(const servet_profile *profile, const servet_at *at)
{
    servet_coherence coherence;
    int count;
    if (servet_coherence_get(profile, at, &coherence) != SERVET_OK &&
        servet_distance_layer_count(profile, at, &count) != SERVET_OK)
        return;
    puts("\nCore to core");
    bool has_line = print_coherence(profile, at);
    print_layers(profile, at, !has_line);
}
