/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: one core alone, several at once, near and far. */
#include "cli/report/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/text.h"

/* --- cores alone and together ----------------------------------------------------------------- */

static void print_kernels(const servet_profile *profile, const servet_at *at)
{
    servet_value bandwidth;
    char rate[HUMAN_MAX];
    bool any = false;
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++) {
        if (servet_memory_bandwidth(profile, at, (servet_kernel)i, &bandwidth) != SERVET_OK)
            continue;
        report_rate(&bandwidth, rate);
        printf("%s  %s %s", any ? "" : "  single core, GB/s:", servet_kernel_name((servet_kernel)i),
               rate);
        any = true;
    }
    if (any)
        putchar('\n');
}

/* The most cores of the node measured at once. */
static int most_cores(const servet_profile *profile, const servet_at *at)
{
    servet_machine machine;
    servet_value bandwidth;
    int most = 0;
    if (servet_profile_machine(profile, at, &machine) != SERVET_OK)
        return 0;
    for (int cores = 1; cores <= machine.pu_count; cores++)
        if (servet_memory_scaling(profile, at, 0, cores, &bandwidth) == SERVET_OK)
            most = cores;
    return most;
}

static void print_scaling(const servet_profile *profile, const servet_at *at)
{
    char doubt[REPORT_DOUBT_MAX];
    int cores, count = most_cores(profile, at);
    if (count > 1) {
        printf("  concurrent copies, GB/s per core:");
        report_print_series(servet_memory_scaling, profile, at, 0, count);
    }
    if (servet_memory_saturation(profile, at, &cores) != SERVET_OK)
        return;
    report_doubt(profile, at, "memory.saturation", doubt);
    printf("  %snode memory saturates at %d core%s%s\n", doubt, cores, report_plural(cores),
           cores == count && count > 1 ? " or more" : "");
}

/* --- overhead levels -------------------------------------------------------------------------- */

static void print_level_row(const char *level, const char *rate, const char *verdict,
                            const char *saturated, const char *cores)
{
    printf("  %-10s %8s  %-12s %-11s %s\n", level, rate, verdict, saturated, cores);
}

static void print_level(const servet_profile *profile, const servet_at *at, int number)
{
    static const report_sets groups = {servet_memory_group_count, servet_memory_group};
    servet_memory_level level;
    char name[24], rate[HUMAN_MAX], saturated[24] = "-", cores[REPORT_SETS_MAX];
    if (servet_memory_level_get(profile, at, number, &level) != SERVET_OK)
        return;
    snprintf(name, sizeof name, "level %d", number);
    if (level.saturation)
        snprintf(saturated, sizeof saturated, "%d core%s", level.saturation,
                 report_plural(level.saturation));
    report_rate(&level.bandwidth, rate);
    report_sets_text(&groups, profile, at, number, cores);
    print_level_row(name, rate, report_verdict(level.verdict, level.trusted), saturated, cores);
}

static void print_levels(const servet_profile *profile, const servet_at *at)
{
    char doubt[REPORT_DOUBT_MAX];
    int count;
    if (servet_memory_level_count(profile, at, &count) != SERVET_OK)
        return;
    if (count == 0) {
        report_doubt(profile, at, "memory.levels.count", doubt);
        printf("  %sno two cores contend\n", doubt);
        return;
    }
    print_level_row("overhead", "GB/s", "verdict", "saturated", "contending cores");
    for (int i = 1; i <= count; i++)
        print_level(profile, at, i);
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

/* More rows are no longer read. */
enum { NODES_SHOWN = 16, NODE_CORES_MAX = 24 };

typedef int numa_query(const servet_profile *profile, const servet_at *at, int from, int to,
                       servet_value *value);

/* What the other nodes' memory costs node `from`: "5.1-8.3", "6.2", or "-"; with a mark if any of
 * it is not trusted. */
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
        snprintf(text, HUMAN_MAX, "%.3g%s", value.value * scale, report_mark(&value));
}

static void print_numa_row(const char *node, const char *cores, const char *own_rate,
                           const char *other_rate, const char *own_ns, const char *other_ns)
{
    printf("  %-10s %-24s %9s %12s %9s %12s\n", node, cores, own_rate, other_rate, own_ns,
           other_ns);
}

static void print_node(const servet_profile *profile, const servet_at *at, int node, int count)
{
    servet_numa numa;
    char name[24], cores[NODE_CORES_MAX], rate[HUMAN_MAX], rates[HUMAN_MAX], ns[HUMAN_MAX],
        others[HUMAN_MAX];
    if (servet_numa_get(profile, at, node, &numa) != SERVET_OK)
        return;
    snprintf(name, sizeof name, "node %d", numa.number);
    report_set_text(*numa.cores ? numa.cores : "no cores", cores, sizeof cores);
    text_own(servet_numa_bandwidth, profile, at, node, 1e-9, rate);
    text_others(servet_numa_bandwidth, profile, at, node, count, 1e-9, rates);
    text_own(servet_numa_latency, profile, at, node, HUMAN_NS, ns);
    text_others(servet_numa_latency, profile, at, node, count, HUMAN_NS, others);
    print_numa_row(name, cores, rate, rates, ns, others);
}

/* The table of a single node would repeat the lines above. */
static void print_numa(const servet_profile *profile, const servet_at *at)
{
    int count;
    if (servet_numa_count(profile, at, &count) != SERVET_OK || count < 2)
        return;
    print_numa_row("NUMA", "cores", "own GB/s", "others' GB/s", "own ns", "others' ns");
    for (int i = 0; i < count && i < NODES_SHOWN; i++)
        print_node(profile, at, i, count);
    if (count > NODES_SHOWN)
        printf("  ...  (%d nodes)\n", count);
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool is_known(const servet_profile *profile, const servet_at *at)
{
    servet_value value;
    int count;
    return servet_memory_single(profile, at, &value) == SERVET_OK ||
           servet_memory_level_count(profile, at, &count) == SERVET_OK ||
           servet_memory_saturation(profile, at, &count) == SERVET_OK ||
           (servet_numa_count(profile, at, &count) == SERVET_OK && count > 1);
}

void report_memory(const servet_profile *profile, const servet_at *at)
{
    if (!is_known(profile, at))
        return;
    puts("\nMemory");
    print_kernels(profile, at);
    print_scaling(profile, at);
    print_levels(profile, at);
    print_numa(profile, at);
}
