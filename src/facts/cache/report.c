/* SPDX-License-Identifier: BSD-3-Clause */
/* The caches of a core type, which cores share them, and memory-level parallelism. */
#include "cli/report/parts.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/text.h"

/* --- the table -------------------------------------------------------------------------------- */

static void print_row(const char *level, const char *size, const char *interval, const char *ns,
                      const char *cycles, const char *line, const char *reported,
                      const char *verdict, const char *confidence)
{
    printf("  %-7s %9s  %-18s %8s %8s %6s %9s  %-14s %s\n", level, size, interval, ns, cycles, line,
           reported, verdict, confidence);
}

/* The papers' method has no intervals: its sizes were voted for, or a step of the curve decided. */
static bool is_2010(const servet_cache *cache)
{
    return cache->bytes.method == SERVET_METHOD_SERVET2010 ||
           cache->bytes.method == SERVET_METHOD_SERVET2010_STEP;
}

static void print_header(bool of_2010)
{
    print_row("level", "size", of_2010 ? "range of votes" : "95 % interval", "ns", "cycles", "line",
              "OS says", "verdict", of_2010 ? "votes" : "confidence");
}

/* A level with turnover has no size, unless conflicts gave it. */
static bool has_size(const servet_cache *cache)
{
    return cache->kind == SERVET_CACHE_CAPACITY || report_is_counted(cache);
}

static void print_cache(const servet_cache *cache)
{
    char level[16], size[HUMAN_MAX], interval[HUMAN_MAX], ns[HUMAN_MAX], cycles[HUMAN_MAX],
        line[HUMAN_MAX], reported[HUMAN_MAX], confidence[REPORT_CONFIDENCE_MAX];
    snprintf(level, sizeof level, "L%d", cache->level);
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
    report_bytes(&cache->line, line);
    report_bytes(&cache->reported_bytes, reported);
    print_row(level, has_size(cache) ? size : "reachable", interval, ns, cycles, line, reported,
              report_verdict(cache->verdict, cache->trusted), confidence);
}

static void print_memory(const servet_profile *profile, const servet_at *at)
{
    servet_value latency;
    char ns[HUMAN_MAX];
    if (servet_memory_latency(profile, at, &latency) != SERVET_OK) {
        puts("  memory  not reached: larger caches may exist");
        return;
    }
    report_time(&latency, HUMAN_NS, ns);
    printf("  %-7s %9s  %-18s %8s%s\n", "memory", "", "", ns,
           latency.trusted ? "" : "  not trusted");
}

static void print_caches(const servet_profile *profile, const servet_at *at, int count)
{
    servet_cache cache;
    print_header(servet_cache_get(profile, at, 1, &cache) == SERVET_OK && is_2010(&cache));
    for (int level = 1; level <= count; level++)
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK)
            print_cache(&cache);
}

/* --- counted by conflicts --------------------------------------------------------------------- */

/* "L1 8 ways x 64 sets x 64 B; L2 ..." of the levels whose conflicts were clear. */
static void print_geometry(const servet_profile *profile, const servet_at *at, int count)
{
    servet_cache cache;
    char line[HUMAN_MAX];
    bool any = false;
    for (int level = 1; level <= count; level++) {
        if (servet_cache_get(profile, at, level, &cache) != SERVET_OK || !report_is_counted(&cache))
            continue;
        report_bytes(&cache.line, line);
        printf("%s L%d %.0f ways x %.0f sets x %s", any ? ";" : " ", level, cache.ways.value,
               cache.sets.value, line);
        any = true;
    }
    if (any)
        putchar('\n');
}

/* Reports where a pointer chase finds another size than the capacity, with the likely reason. */
static void print_reach(const servet_cache *cache)
{
    const servet_value *reach = &cache->reachable_bytes;
    char text[HUMAN_MAX];
    if (!report_is_counted(cache) || !servet_value_known(reach))
        return;
    report_interval(reach, text);
    if (reach->high < cache->bytes.value)
        printf("  L%d: a pointer chase reaches %s: others use it (sibling thread, other guest), "
               "or pages are spread unevenly\n",
               cache->level, text);
    else if (reach->low > cache->bytes.value)
        printf("  L%d: a pointer chase reaches %s: the next level keeps evicted lines\n",
               cache->level, text);
}

static void print_counted(const servet_profile *profile, const servet_at *at, int count)
{
    servet_cache cache;
    print_geometry(profile, at, count);
    for (int level = 1; level <= count; level++)
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK)
            print_reach(&cache);
}

/* --- sharing ---------------------------------------------------------------------------------- */

static void print_sharing(const servet_profile *profile, const servet_at *at, int level)
{
    static const report_sets groups = {servet_cache_group_count, servet_cache_group};
    char text[REPORT_SETS_MAX], key[SERVET_NAME_MAX], doubt[REPORT_DOUBT_MAX];
    servet_sharing sharing;
    int count;
    if (servet_cache_group_count(profile, at, level, &count) != SERVET_OK)
        return;
    report_sets_text(&groups, profile, at, level, text);
    snprintf(key, sizeof key, "caches.%d.groups", level);
    report_doubt(profile, at, key, doubt);
    if (report_is_private(profile, at, level))
        printf("  %sL%d is private to each core", doubt, level);
    else
        printf("  %sL%d is shared by  %s", doubt, level, text);
    if (servet_cache_sharing(profile, at, level, &sharing) == SERVET_OK && sharing.trusted)
        printf("  (%s, %.0f %%)", servet_verdict_name(sharing.verdict), sharing.confidence * 100);
    putchar('\n');
}

/* --- memory-level parallelism ----------------------------------------------------------------- */

enum { REQUESTS_MAX = 48 };

/* "17 (16-24)": the interval where there is one. */
static void report_requests(const servet_concurrency *loads, char text[REQUESTS_MAX])
{
    int n = snprintf(text, REQUESTS_MAX, "%d", loads->requests);
    if (loads->requests_low > 0 && loads->requests_high > loads->requests_low)
        snprintf(text + n, REQUESTS_MAX - (size_t)n, " (%d-%d)", loads->requests_low,
                 loads->requests_high);
}

/* Level `count` + 1 is memory, which the queries call 0. */
static void print_loads(const servet_profile *profile, const servet_at *at, int count)
{
    servet_concurrency loads;
    char name[REPORT_LEVEL_MAX], rate[HUMAN_MAX], requests[REQUESTS_MAX];
    bool any = false;
    for (int i = 1; i <= count + 1; i++) {
        int level = i <= count ? i : 0;
        if (servet_concurrency_get(profile, at, level, &loads) != SERVET_OK)
            continue;
        report_level_name(level, name);
        report_rate(&loads.best, rate);
        report_requests(&loads, requests);
        printf("%s %s: %s (%s GB/s%s)", any ? "," : "  memory-level parallelism in", name, requests,
               rate, loads.trusted ? "" : ", not trusted");
        any = true;
    }
    if (any)
        putchar('\n');
}

static void print_threads(const servet_profile *profile, const servet_at *at, int level)
{
    servet_concurrency loads;
    char name[REPORT_LEVEL_MAX];
    if (servet_concurrency_get(profile, at, level, &loads) != SERVET_OK || loads.threads < 2)
        return;
    report_level_name(level, name);
    printf("  %s, GB/s per thread:", name);
    report_print_series(servet_concurrency_of_threads, profile, at, level, loads.threads);
}

/* --- all of it -------------------------------------------------------------------------------- */

void report_caches(const servet_profile *profile, const servet_at *at, const char *reason)
{
    char name[SERVET_NAME_MAX] = "", cores[SERVET_TEXT_MAX] = "...", doubt[REPORT_DOUBT_MAX];
    int count = 0;
    servet_profile_get(profile, at, "kind.name", name, sizeof name, NULL);
    servet_profile_get(profile, at, "kind.cores", cores, sizeof cores, NULL);
    printf("\nEach of the cores %s (%s)\n", cores, name);
    if (servet_cache_count(profile, at, &count) != SERVET_OK) {
        printf("  caches not measured%s%s\n", reason ? ", " : "", reason ? reason : "");
        return;
    }
    report_doubt(profile, at, "caches.count", doubt);
    if (count == 0)
        printf("  %sno cache is visible\n", doubt);
    else
        print_caches(profile, at, count);
    print_memory(profile, at);
    print_counted(profile, at, count);
    for (int level = 1; level <= count; level++)
        print_sharing(profile, at, level);
    print_loads(profile, at, count);
    for (int level = 1; level <= count; level++)
        print_threads(profile, at, level);
    print_threads(profile, at, 0);
}
