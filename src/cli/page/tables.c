/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of the page: for each result its interval, what the OS says, and the trust. */
#include "cli/page/page.h"

#include <stdlib.h>
#include <string.h>

#include "cli/page/html.h"
#include "cli/report/text.h"
#include "core/cache.h"
#include "servet/network.h"
#include "servet/node.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* "48 KiB (46-50 KiB)"; without a capacity what is reachable alone. */
static void size_text(const servet_cache *cache, char text[2 * HUMAN_MAX])
{
    char size[HUMAN_MAX], interval[HUMAN_MAX];
    report_bytes(&cache->bytes, size);
    report_interval(&cache->bytes, interval);
    if (!srv_cache_has_size(cache))
        snprintf(text, 2 * HUMAN_MAX, "reachable %.36s", interval);
    else if (strncmp(size, interval, strlen(interval)) == 0)
        snprintf(text, 2 * HUMAN_MAX, "%s", size);
    else
        snprintf(text, 2 * HUMAN_MAX, "%.40s (%.40s)", size, interval);
}

static void add_cache(FILE *to, const plot_source *source, const servet_at *at, int level)
{
    static const report_sets groups = {servet_cache_group_count, servet_cache_group};
    servet_cache cache;
    char name[REPORT_LEVEL_MAX], size[2 * HUMAN_MAX], ns[HUMAN_MAX], line[HUMAN_MAX],
        ways[HUMAN_MAX], reported[HUMAN_MAX], confidence[REPORT_CONFIDENCE_MAX],
        shared[REPORT_SETS_MAX], key[SERVET_NAME_MAX], doubt[SERVET_TEXT_MAX];
    if (servet_cache_get(source->profile, at, level, &cache) != SERVET_OK)
        return;
    report_level_name(level, name);
    size_text(&cache, size);
    report_time(&cache.latency, HUMAN_NS, ns);
    report_bytes(&cache.line, line);
    report_number(&cache.ways, ways);
    report_reported(&cache.reported_bytes, reported);
    report_confidence(cache.confidence, cache.trusted || cache.kind == SERVET_CACHE_TURNOVER,
                      confidence);
    if (report_is_private(source->profile, at, level))
        strcpy(shared, "each core has its own");
    else
        report_sets_text(&groups, source->profile, at, level, shared);
    snprintf(key, sizeof key, "caches.%d.groups", level);
    report_reason(source->profile, at, key, doubt);
    if (*doubt)
        strncat(shared, " (not trusted)", sizeof shared - strlen(shared) - 1);
    const char *const cells[] = {
        name,       size,  ns, ways, line, reported, report_verdict(cache.verdict, cache.trusted),
        confidence, shared};
    html_row(to, COUNT(cells), cells);
}

static void add_memory(FILE *to, const plot_source *source, const servet_at *at)
{
    servet_value latency;
    char ns[HUMAN_MAX];
    if (servet_memory_latency(source->profile, at, &latency) != SERVET_OK)
        return;
    report_time(&latency, HUMAN_NS, ns);
    html_row(to, 9, (const char *const[]){"memory", "", ns, "", "", "", "", "", ""});
}

void page_caches(FILE *to, const plot_source *source)
{
    static const char *const header[] = {
        "level",   "size (95 % interval)", "ns",           "ways", "line", "OS says",
        "verdict", "confidence",           "shared by PUs"};
    servet_at of_kind;
    for (int i = 0; report_kind(source->profile, &source->at, i, &of_kind); i++) {
        char name[SERVET_NAME_MAX] = "", title[SERVET_NAME_MAX + 32];
        int count;
        if (servet_cache_count(source->profile, &of_kind, &count) != SERVET_OK)
            continue;
        servet_profile_get(source->profile, &of_kind, "kind.name", name, sizeof name, NULL);
        snprintf(title, sizeof title, "Caches (cores: %s)", name);
        html_heading(to, 3, title);
        html_table(to, COUNT(header), header);
        for (int level = 1; level <= count; level++)
            add_cache(to, source, &of_kind, level);
        add_memory(to, source, &of_kind);
        html_table_end(to);
    }
}

static void add_tlbs(FILE *to, const plot_source *source, const servet_at *at, servet_pages pages)
{
    servet_translation translation;
    servet_tlb tlb;
    char page[HUMAN_MAX], level[16];
    report_tlb row;
    if (servet_translation_get(source->profile, at, pages, &translation) != SERVET_OK)
        return;
    report_bytes(&translation.page_bytes, page);
    for (int i = 1; servet_tlb_get(source->profile, at, pages, i, &tlb) == SERVET_OK; i++) {
        snprintf(level, sizeof level, "%d", i);
        report_tlb_text(&tlb, &row);
        const char *const cells[] = {page,      level,    row.entries,   row.ways,
                                     row.reach, row.miss, row.confidence};
        html_row(to, COUNT(cells), cells);
    }
}

void page_translation(FILE *to, const plot_source *source)
{
    static const char *const header[] = {"pages", "TLB",      "entries",   "ways",
                                         "reach", "miss, ns", "confidence"};
    int base = 0, huge = 0;
    (void)servet_tlb_count(source->profile, &source->at, SERVET_PAGES_BASE, &base);
    (void)servet_tlb_count(source->profile, &source->at, SERVET_PAGES_HUGE, &huge);
    if (base + huge == 0)
        return;
    html_heading(to, 3, "Translation of addresses");
    html_table(to, COUNT(header), header);
    for (int pages = 0; pages < SERVET_PAGES_COUNT; pages++)
        add_tlbs(to, source, &source->at, (servet_pages)pages);
    html_table_end(to);
}

void page_distances(FILE *to, const plot_source *source)
{
    static const report_sets groups = {servet_distance_group_count, servet_distance_group};
    static const char *const header[] = {"layer", "ns", "verdict", "confidence",
                                         "PUs within this distance"};
    servet_distance_layer layer;
    int count = 0;
    (void)servet_distance_layer_count(source->profile, &source->at, &count);
    if (count == 0)
        return;
    html_heading(to, 3, "A line from core to core");
    html_table(to, COUNT(header), header);
    for (int i = 1; i <= count; i++) {
        char name[16], ns[HUMAN_MAX], confidence[REPORT_CONFIDENCE_MAX], cores[REPORT_SETS_MAX];
        if (servet_distance_layer_get(source->profile, &source->at, i, &layer) != SERVET_OK)
            continue;
        snprintf(name, sizeof name, "%d", i);
        report_time(&layer.latency, HUMAN_NS, ns);
        report_confidence(layer.confidence, layer.trusted, confidence);
        report_sets_text(&groups, source->profile, &source->at, i, cores);
        const char *const cells[] = {name, ns, report_verdict(layer.verdict, layer.trusted),
                                     confidence, cores};
        html_row(to, COUNT(cells), cells);
    }
    html_table_end(to);
}

static void add_kernels(FILE *to, const plot_source *source)
{
    static const char *const header[] = {"one core", "GB/s", "trusted"};
    servet_value rate;
    char text[HUMAN_MAX];
    html_table(to, COUNT(header), header);
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++) {
        if (servet_memory_bandwidth(source->profile, &source->at, (servet_kernel)i, &rate) !=
            SERVET_OK)
            continue;
        report_rate(&rate, text);
        const char *const cells[] = {servet_kernel_name((servet_kernel)i), text,
                                     rate.trusted ? "yes" : "no"};
        html_row(to, COUNT(cells), cells);
    }
    html_table_end(to);
}

static void add_numa(FILE *to, const plot_source *source, int count)
{
    static const char *const header[] = {"PUs of NUMA node", "memory of NUMA node", "GB/s", "ns"};
    enum { PAIRS_MAX = 64 };
    servet_numa from, of;
    servet_value rate, ns;
    html_table(to, COUNT(header), header);
    for (int i = 0; i < count * count && i < PAIRS_MAX; i++) {
        char cores[HUMAN_MAX], memory[HUMAN_MAX], rates[HUMAN_MAX], times[HUMAN_MAX];
        if (servet_numa_get(source->profile, &source->at, i / count, &from) != SERVET_OK ||
            servet_numa_get(source->profile, &source->at, i % count, &of) != SERVET_OK ||
            servet_numa_bandwidth(source->profile, &source->at, i / count, i % count, &rate) !=
                SERVET_OK ||
            servet_numa_latency(source->profile, &source->at, i / count, i % count, &ns) !=
                SERVET_OK)
            continue;
        snprintf(cores, sizeof cores, "%d", from.number);
        snprintf(memory, sizeof memory, "%d", of.number);
        report_rate(&rate, rates);
        report_time(&ns, HUMAN_NS, times);
        const char *const cells[] = {cores, memory, rates, times};
        html_row(to, COUNT(cells), cells);
    }
    html_table_end(to);
}

void page_memory(FILE *to, const plot_source *source)
{
    servet_value single;
    int nodes = 0;
    bool has_rates = servet_memory_single(source->profile, &source->at, &single) == SERVET_OK;
    (void)servet_numa_count(source->profile, &source->at, &nodes);
    if (!has_rates && nodes < 2)
        return;
    html_heading(to, 3, "Memory");
    if (has_rates)
        add_kernels(to, source);
    if (nodes > 1)
        add_numa(to, source, nodes);
}

/* The sets of a layer by the queries of report_sets_text(). */
static int count_places(const servet_profile *profile, const servet_at *at, int layer, int *count)
{
    (void)at;
    return servet_network_group_count(profile, layer, count);
}

static int get_places(const servet_profile *profile, const servet_at *at, int layer, int index,
                      const char **places)
{
    (void)at;
    return servet_network_group(profile, layer, index, places);
}

void page_layers(FILE *to, const plot_source *source)
{
    static const report_sets groups = {count_places, get_places};
    static const char *const header[] = {"layer", "where",      "us",
                                         "GB/s",  "confidence", "connected node:PU sets"};
    servet_network_layer layer;
    int count = 0;
    (void)servet_network_layer_count(source->profile, &count);
    if (count == 0)
        return;
    html_heading(to, 3, "Layers of communication");
    html_table(to, COUNT(header), header);
    for (int i = 1; i <= count; i++) {
        char name[16], us[HUMAN_MAX], rate[HUMAN_MAX], confidence[REPORT_CONFIDENCE_MAX],
            sets[REPORT_SETS_MAX];
        if (servet_network_layer_get(source->profile, i, &layer) != SERVET_OK)
            continue;
        snprintf(name, sizeof name, "%d", i);
        report_time(&layer.latency, HUMAN_US, us);
        report_rate(&layer.bandwidth, rate);
        report_confidence(layer.confidence, layer.trusted, confidence);
        report_sets_text(&groups, source->profile, &source->at, i, sets);
        const char *const cells[] = {
            name, layer.between_nodes ? "between nodes" : "in a node", us, rate, confidence, sets};
        html_row(to, COUNT(cells), cells);
    }
    html_table_end(to);
}
