/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency of memory under load. */
#include "cli/report/parts.h"

#include <stdio.h>

#include "cli/report/text.h"
#include "core/human.h"

/* More rows are no longer read. */
enum { CURVES_SHOWN = 16 };

static void add_curve(report_table *table, const servet_loaded *curve)
{
    char nodes[48], mix[24], cores[24], unloaded[HUMAN_MAX], at_50[HUMAN_MAX], at_80[HUMAN_MAX],
        at_95[HUMAN_MAX], best[HUMAN_MAX], knee[HUMAN_MAX];
    if (curve->from == curve->node)
        snprintf(nodes, sizeof nodes, "node %d", curve->node);
    else
        snprintf(nodes, sizeof nodes, "node %d from %d", curve->node, curve->from);
    snprintf(mix, sizeof mix, "%d:%d", curve->reads, curve->writes);
    snprintf(cores, sizeof cores, "%d", curve->generators);
    report_time(&curve->unloaded, HUMAN_NS, unloaded);
    report_time(&curve->at_50, HUMAN_NS, at_50);
    report_time(&curve->at_80, HUMAN_NS, at_80);
    report_time(&curve->at_95, HUMAN_NS, at_95);
    report_rate(&curve->best, best);
    report_rate(&curve->knee, knee);
    report_table_row(
        table, (const char *[]){nodes, mix, cores, unloaded, at_50, at_80, at_95, best, knee});
}

/* Curves whose generators do not load the memory to its limit. */
static void add_limit(document *to, const servet_profile *profile, const servet_at *at, int count)
{
    servet_loaded curve;
    int without = 0;
    for (int i = 1; i <= count; i++)
        without +=
            servet_profile_item(profile, at, "loaded", &i, &curve, sizeof curve) == SERVET_OK &&
            !servet_value_known(&curve.knee);
    if (without > 0)
        document_line(to,
                      "without a knee: the PUs do not load this memory to its limit, and the best "
                      "bandwidth is theirs");
}

void report_loaded(document *to, const servet_profile *profile, const servet_at *at)
{
    int count;
    servet_loaded curve;
    if (servet_profile_count(profile, at, "loaded", NULL, &count) != SERVET_OK)
        return;
    document_heading(to, "Latency of memory under load");
    report_table *table = document_table(
        to, "Latency while other PUs load the memory, ns, by the share of their best bandwidth",
        "lrrrrrrrr", "memory", "reads:writes", "PUs", "unloaded", "50 %", "80 %", "95 %",
        "best, GB/s", "knee, GB/s");
    for (int i = 1; i <= count && i <= CURVES_SHOWN; i++)
        if (servet_profile_item(profile, at, "loaded", &i, &curve, sizeof curve) == SERVET_OK)
            add_curve(table, &curve);
    if (count > CURVES_SHOWN)
        document_line(to, "...  (%d curves)", count);
    add_limit(to, profile, at, count);
}
