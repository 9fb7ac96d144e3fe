/* SPDX-License-Identifier: BSD-3-Clause */
/* The caches of a core type, which cores share them, and memory-level parallelism. */
#include <stdio.h>
#include <string.h>

#include "cli/report/parts.h"
#include "cli/report/text.h"
#include "core/cache.h"
#include "core/human.h"

/* --- sizes and latencies ---------------------------------------------------------------------- */

/* The papers' method has no intervals: its sizes were voted for, or a step of the curve decided. */
static bool is_2010(const servet_cache *cache)
{
    return cache->bytes.method == SERVET_METHOD_SERVET2010 ||
           cache->bytes.method == SERVET_METHOD_SERVET2010_STEP;
}

static report_table *begin_sizes(document *to, bool of_2010)
{
    return document_table(to, NULL, "lrlrllrr", "level", "size",
                          of_2010 ? "range of votes" : "95 % interval", "OS says", "verdict",
                          of_2010 ? "votes" : "confidence", "latency, ns", "cycles");
}

static void add_size(report_table *table, const servet_cache *cache)
{
    char level[REPORT_LEVEL_MAX], size[HUMAN_MAX], interval[HUMAN_MAX], ns[HUMAN_MAX],
        cycles[HUMAN_MAX], reported[HUMAN_MAX], confidence[REPORT_CONFIDENCE_MAX];
    report_level_name(cache->level, level);
    report_bytes(&cache->bytes, size);
    report_interval(&cache->bytes, interval);
    report_confidence(cache->confidence, cache->trusted || cache->kind == SERVET_CACHE_TURNOVER,
                      confidence);
    if (cache->bytes.method == SERVET_METHOD_SERVET2010_STEP) {
        strcpy(interval, report_unknown);
        strcpy(confidence, report_unknown);
    }
    report_time(&cache->latency, HUMAN_NS, ns);
    report_number(&cache->latency_cycles, cycles);
    report_reported(&cache->reported_bytes, reported);
    report_table_row(table, (const char *[]){level, srv_cache_has_size(cache) ? size : "reachable",
                                             interval, reported,
                                             report_verdict(cache->verdict, cache->trusted),
                                             confidence, ns, cycles});
}

/* True if memory was reached. */
static bool add_memory(report_table *table, const servet_profile *profile, const servet_at *at)
{
    servet_value latency;
    char ns[HUMAN_MAX];
    if (servet_memory_latency(profile, at, &latency) != SERVET_OK)
        return false;
    report_time(&latency, HUMAN_NS, ns);
    report_table_row(table, (const char *[]){"memory", "", "", "", "",
                                             latency.trusted ? "" : "not trusted", ns, ""});
    return true;
}

static void add_sizes(document *to, const servet_profile *profile, const servet_at *at, int count)
{
    servet_cache cache;
    report_table *table =
        begin_sizes(to, servet_cache_get(profile, at, 1, &cache) == SERVET_OK && is_2010(&cache));
    for (int level = 1; level <= count; level++)
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK)
            add_size(table, &cache);
    bool reached = add_memory(table, profile, at);
    if (!reached)
        document_line(to, "memory was not reached: larger caches may exist");
}

/* --- lines and sets --------------------------------------------------------------------------- */

/* Ways and sets are known where conflicts were clear. */
static void add_geometry(report_table *table, const servet_cache *cache)
{
    char level[REPORT_LEVEL_MAX], line[HUMAN_MAX], ways[HUMAN_MAX], sets[HUMAN_MAX];
    bool counted = srv_cache_is_counted(cache);
    report_level_name(cache->level, level);
    report_bytes(&cache->line, line);
    snprintf(ways, sizeof ways, "%s%s", HUMAN(counted ? cache->ways.value : 0, 4),
             counted ? report_mark(&cache->ways) : "");
    snprintf(sets, sizeof sets, "%s%s", HUMAN(counted ? cache->sets.value : 0, 4),
             counted ? report_mark(&cache->sets) : "");
    report_table_row(table, (const char *[]){level, line, counted ? ways : report_unknown,
                                             counted ? sets : report_unknown});
}

static bool has_geometry(const servet_profile *profile, const servet_at *at, int count)
{
    servet_cache cache;
    for (int level = 1; level <= count; level++)
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK &&
            (srv_cache_is_counted(&cache) || servet_value_known(&cache.line)))
            return true;
    return false;
}

/* Reports where a pointer chase finds another size than the capacity, with the likely reason. */
static void add_reach(document *to, const servet_cache *cache)
{
    const servet_value *reach = &cache->reachable_bytes;
    char text[HUMAN_MAX];
    if (!srv_cache_is_counted(cache) || !servet_value_known(reach))
        return;
    report_interval(reach, text);
    if (reach->high < cache->bytes.value)
        document_line(to,
                      "L%d: a pointer chase reaches %s: others use it (sibling thread, other "
                      "guest), or pages are spread unevenly",
                      cache->level, text);
    else if (reach->low > cache->bytes.value)
        document_line(to, "L%d: a pointer chase reaches %s: the next level keeps evicted lines",
                      cache->level, text);
}

static void add_all_geometry(document *to, const servet_profile *profile, const servet_at *at,
                             int count)
{
    servet_cache cache;
    if (!has_geometry(profile, at, count))
        return;
    report_table *table = document_table(to, NULL, "lrrr", "level", "line", "ways", "sets");
    for (int level = 1; level <= count; level++)
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK)
            add_geometry(table, &cache);
    for (int level = 1; level <= count; level++)
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK)
            add_reach(to, &cache);
}

static void add_sharing(report_table *table, const servet_profile *profile, const servet_at *at,
                        int level)
{
    static const report_sets groups = {servet_cache_group_count, servet_cache_group};
    char name[REPORT_LEVEL_MAX], text[REPORT_SETS_MAX],
        confidence[REPORT_CONFIDENCE_MAX] = "-", key[SERVET_NAME_MAX], reason[SERVET_TEXT_MAX];
    servet_sharing sharing = {.trusted = true};
    int count;
    if (servet_cache_group_count(profile, at, level, &count) != SERVET_OK)
        return;
    bool known = servet_cache_sharing(profile, at, level, &sharing) == SERVET_OK;
    snprintf(key, sizeof key, "caches.%d.groups", level);
    report_reason(profile, at, key, reason);
    bool trusted = sharing.trusted && !*reason;
    if (known || !trusted)
        report_confidence(sharing.confidence, trusted, confidence);
    report_level_name(level, name);
    report_sets_text(&groups, profile, at, level, text);
    report_table_row(
        table,
        (const char *[]){name, known || !trusted ? report_verdict(sharing.verdict, trusted) : "-",
                         confidence,
                         report_is_private(profile, at, level) ? "private to each core" : text});
}

/* --- memory-level parallelism ----------------------------------------------------------------- */

/* Row `count` + 1 is memory, which the queries call level 0. */
static int level_of_row(int row, int count)
{
    return row <= count ? row : 0;
}

static void add_loads(report_table *table, const servet_profile *profile, const servet_at *at,
                      int level)
{
    servet_concurrency loads;
    char name[REPORT_LEVEL_MAX], rate[HUMAN_MAX], effective[HUMAN_MAX], requests[HUMAN_MAX];
    char interval[HUMAN_MAX] = "";
    if (servet_concurrency_get(profile, at, level, &loads) != SERVET_OK)
        return;
    report_level_name(level, name);
    report_rate(&loads.bandwidth, rate);
    report_rate(&loads.best, effective);
    snprintf(requests, sizeof requests, "%d", loads.requests);
    if (loads.requests_low > 0 && loads.requests_high > loads.requests_low)
        snprintf(interval, sizeof interval, "%d-%d", loads.requests_low, loads.requests_high);
    report_table_row(table, (const char *[]){name, rate, requests, interval, effective,
                                             loads.trusted ? "" : "not trusted"});
}

static void add_all_loads(document *to, const servet_profile *profile, const servet_at *at,
                          int count)
{
    report_table *table = document_table(
        to,
        "Bandwidth of the widest loads of one core, and loads of random lines that it keeps in "
        "flight for the best effective bandwidth (memory-level parallelism)",
        "lrrlrl", "level", "GB/s", "loads", "95 % interval", "effective GB/s", "");
    for (int row = 1; row <= count + 1; row++)
        add_loads(table, profile, at, level_of_row(row, count));
}

/* The largest number of threads measured on the level; 1 also where it was not. */
static int threads_of(const servet_profile *profile, const servet_at *at, int level)
{
    servet_concurrency loads;
    bool known = servet_concurrency_get(profile, at, level, &loads) == SERVET_OK;
    return known && loads.threads > 1 ? loads.threads : 1;
}

static void add_threads(document *to, const servet_profile *profile, const servet_at *at, int count)
{
    report_numbers numbers = {.count = 0};
    char name[REPORT_LEVEL_MAX];
    for (int row = 1; row <= count + 1; row++)
        if (threads_of(profile, at, level_of_row(row, count)) > 1)
            report_numbers_add(&numbers, threads_of(profile, at, level_of_row(row, count)));
    if (!numbers.count)
        return;
    report_table *table = document_table(to,
                                         "Effective bandwidth of each thread by the number of "
                                         "threads that use one cache, or memory, GB/s",
                                         "l", "threads");
    report_table_numbers(table, &numbers);
    for (int row = 1; row <= count + 1; row++) {
        int level = level_of_row(row, count);
        report_level_name(level, name);
        if (threads_of(profile, at, level) > 1)
            report_series_row(table, name, &numbers, servet_concurrency_of_threads, profile, at,
                              level);
    }
}

void report_caches(document *to, const servet_profile *profile, const servet_at *at,
                   const char *reason)
{
    char cores[REPORT_KIND_MAX];
    int count = 0;
    report_kind_text(profile, at, cores);
    document_heading(to, "Caches of each of the PUs %s", cores);
    if (servet_cache_count(profile, at, &count) != SERVET_OK) {
        document_line(to, "caches not measured%s%s", reason ? ", " : "", reason ? reason : "");
        return;
    }
    if (count == 0)
        report_doubted(to, "no cache is visible", profile, at, "caches.count");
    add_sizes(to, profile, at, count);
    add_all_geometry(to, profile, at, count);
    report_table *table =
        document_table(to, NULL, "llll", "sharing", "verdict", "confidence", "PUs that share one");
    for (int level = 1; level <= count; level++)
        add_sharing(table, profile, at, level);
    add_all_loads(to, profile, at, count);
    add_threads(to, profile, at, count);
}
