/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: one core alone, several at once, near and far. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/parts.h"
#include "cli/report/text.h"
#include "core/human.h"

/* --- cores alone and together ----------------------------------------------------------------- */

static void add_kernels(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_value bandwidth;
    char rate[SERVET_KERNEL_COUNT][HUMAN_MAX];
    const char *cells[SERVET_KERNEL_COUNT + 1] = {"GB/s"};
    int count = 0;
    report_table *table = document_table(to, NULL, "l", "of one core");
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++) {
        if (servet_memory_bandwidth(profile, at, (servet_kernel)i, &bandwidth) != SERVET_OK)
            continue;
        report_rate(&bandwidth, rate[count]);
        report_table_column(table, 'r', servet_kernel_name((servet_kernel)i));
        cells[count + 1] = rate[count];
        count++;
    }
    if (!count)
        return;
    report_table_row(table, cells);
    if (servet_memory_bandwidth(profile, at, SERVET_KERNEL_COPY_NT, &bandwidth) == SERVET_OK)
        document_line(to, "nt: with non-temporal stores, which bypass the caches");
}

/* The most cores of the node, or of a group of an overhead level, measured at once. */
static int most_cores(const servet_profile *profile, const servet_at *at, int level)
{
    servet_machine machine;
    servet_value bandwidth;
    int most = 0;
    if (servet_profile_machine(profile, at, &machine) != SERVET_OK)
        return 0;
    for (int cores = 1; cores <= machine.pu_count; cores++)
        if (servet_memory_scaling(profile, at, level, cores, &bandwidth) == SERVET_OK)
            most = cores;
    return most;
}

/* The bandwidth that all of them do not exceed may or may not be the limit. */
void report_saturation(const servet_profile *profile, const servet_at *at, int level, int cores,
                       char text[HUMAN_MAX])
{
    bool all = cores > 1 && cores >= most_cores(profile, at, level);
    snprintf(text, HUMAN_MAX, "%d PU%s%s", cores, report_plural(cores), all ? " or more" : "");
}

static int total_of_cores(const servet_profile *profile, const servet_at *at, int level, int cores,
                          servet_value *bandwidth)
{
    int code = servet_memory_scaling(profile, at, level, cores, bandwidth);
    if (code == SERVET_OK)
        bandwidth->value *= cores;
    return code;
}

static void add_cores(document *to, const servet_profile *profile, const servet_at *at, int count)
{
    report_numbers numbers = {.count = 0};
    report_numbers_add(&numbers, count);
    report_table *table =
        document_table(to, "Bandwidth of PUs that copy at once, by their number, GB/s", "l", "PUs");
    report_table_numbers(table, &numbers);
    report_series_row(table, "of each PU", &numbers, servet_memory_scaling, profile, at, 0);
    report_series_row(table, "of all", &numbers, total_of_cores, profile, at, 0);
}

static void add_scaling(document *to, const servet_profile *profile, const servet_at *at)
{
    char saturation[HUMAN_MAX + 32], number[HUMAN_MAX];
    int cores, count = most_cores(profile, at, 0);
    if (count > 1)
        add_cores(to, profile, at, count);
    if (servet_memory_saturation(profile, at, &cores) != SERVET_OK)
        return;
    report_saturation(profile, at, 0, cores, number);
    snprintf(saturation, sizeof saturation, "node memory saturates at %s", number);
    report_doubted(to, saturation, profile, at, "memory.saturation");
}

static void add_level(report_table *table, const servet_profile *profile, const servet_at *at,
                      int number)
{
    static const report_sets groups = {servet_memory_group_count, servet_memory_group};
    servet_memory_level level;
    char name[24], rate[HUMAN_MAX], saturated[HUMAN_MAX] = "-", cores[REPORT_SETS_MAX];
    if (servet_memory_level_get(profile, at, number, &level) != SERVET_OK)
        return;
    snprintf(name, sizeof name, "level %d", number);
    if (level.saturation)
        report_saturation(profile, at, number, level.saturation, saturated);
    report_rate(&level.bandwidth, rate);
    report_sets_text(&groups, profile, at, number, cores);
    report_table_row(table,
                     (const char *[]){name, rate, report_verdict(level.verdict, level.trusted),
                                      saturated, cores});
}

static void add_levels(document *to, const servet_profile *profile, const servet_at *at)
{
    int count;
    if (servet_memory_level_count(profile, at, &count) != SERVET_OK)
        return;
    if (count == 0) {
        report_doubted(to, "no two cores slow each other down", profile, at, "memory.levels.count");
        return;
    }
    report_table *table = document_table(
        to, "PUs that slow each other down in memory: bandwidth of each of two that copy", "lrlll",
        "overhead", "GB/s", "verdict", "saturated by", "contending PUs");
    for (int i = 1; i <= count; i++)
        add_level(table, profile, at, i);
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

/* More rows are no longer read. */
enum { NODES_SHOWN = 16, NODE_CORES_MAX = 24 };

typedef int numa_query(const servet_profile *profile, const servet_at *at, int from, int to,
                       servet_value *value);

/* Latency of the other nodes' memory for node `from`: "5.1-8.3", "6.2", or "-"; with a mark if any
 * of it is not trusted. */
static void text_others(numa_query *query, const servet_profile *profile, const servet_at *at,
                        int from, int count, double scale, char text[HUMAN_MAX])
{
    double low = INFINITY, high = -INFINITY;
    const char *mark = "";
    servet_value value;
    for (int to = 0; to < count; to++)
        if (to != from && query(profile, at, from, to, &value) == SERVET_OK) {
            low = fmin(low, value.value * scale);
            high = fmax(high, value.value * scale);
            mark = *mark ? mark : report_mark(&value);
        }
    strcpy(text, report_unknown);
    if (low < high)
        snprintf(text, HUMAN_MAX, "%.3g-%.3g%s", low, high, mark);
    else if (low == high)
        snprintf(text, HUMAN_MAX, "%.3g%s", low, mark);
}

static void text_own(numa_query *query, const servet_profile *profile, const servet_at *at,
                     int node, double scale, char text[HUMAN_MAX])
{
    servet_value value;
    strcpy(text, report_unknown);
    if (query(profile, at, node, node, &value) == SERVET_OK)
        snprintf(text, HUMAN_MAX, "%s%s", HUMAN(value.value * scale, 3), report_mark(&value));
}

static void add_node(report_table *table, const servet_profile *profile, const servet_at *at,
                     int node, int count)
{
    servet_numa numa;
    char name[24], cores[NODE_CORES_MAX], rate[HUMAN_MAX], rates[HUMAN_MAX], ns[HUMAN_MAX],
        others[HUMAN_MAX];
    if (servet_numa_get(profile, at, node, &numa) != SERVET_OK)
        return;
    snprintf(name, sizeof name, "node %d", numa.number);
    report_set_text(*numa.cores ? numa.cores : "no PUs", cores, sizeof cores);
    text_own(servet_numa_bandwidth, profile, at, node, 1e-9, rate);
    text_others(servet_numa_bandwidth, profile, at, node, count, 1e-9, rates);
    text_own(servet_numa_latency, profile, at, node, HUMAN_NS, ns);
    text_others(servet_numa_latency, profile, at, node, count, HUMAN_NS, others);
    report_table_row(table, (const char *[]){name, cores, rate, rates, ns, others});
}

static bool is_known(const servet_profile *profile, const servet_at *at)
{
    servet_value value;
    int count;
    return servet_memory_single(profile, at, &value) == SERVET_OK ||
           servet_memory_level_count(profile, at, &count) == SERVET_OK ||
           servet_memory_saturation(profile, at, &count) == SERVET_OK ||
           (servet_numa_count(profile, at, &count) == SERVET_OK && count > 1);
}

void report_memory(document *to, const servet_profile *profile, const servet_at *at)
{
    if (!is_known(profile, at))
        return;
    document_heading(to, "Memory bandwidth");
    add_kernels(to, profile, at);
    add_scaling(to, profile, at);
    add_levels(to, profile, at);
    /* The table of a single node would repeat the lines above. */
    int count;
    if (servet_numa_count(profile, at, &count) != SERVET_OK || count < 2)
        return;
    report_table *table = document_table(
        to, "Bandwidth and latency of the own NUMA node's memory and of others", "llrrrr", "NUMA",
        "PUs", "own, GB/s", "others, GB/s", "own, ns", "others, ns");
    for (int i = 0; i < count && i < NODES_SHOWN; i++)
        add_node(table, profile, at, i, count);
    if (count > NODES_SHOWN)
        document_line(to, "...  (%d nodes)", count);
}
