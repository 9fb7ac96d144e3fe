/* SPDX-License-Identifier: BSD-3-Clause */
/* What needs attention: where the measurement was disturbed, and where the OS says otherwise. */
#include "cli/report/parts.h"

#include <stddef.h>
#include <stdio.h>

#include "cli/report/text.h"

/* --- the run ---------------------------------------------------------------------------------- */

/*
 * A quiet virtual machine loses 2-3 % (share/doc/measuring.md): below twice that there is nothing a
 * person could do about it. Values stay exact far above; whether they did, each says itself.
 */
static const double worth_saying = 0.05;

static const struct disturbance {
    size_t offset; /* of the share in servet_run */
    const char *before, *after;
} disturbances[] = {
    {offsetof(servet_run, noise), "other work took", "of the measuring time"},
    {offsetof(servet_run, steal), "the hypervisor took", "of the measuring time"},
    {offsetof(servet_run, others), "other processes took", "of the monitored core's time"},
    {offsetof(servet_run, drift), "the core slowed down by", "while measuring"},
};

void report_warn_run(const servet_profile *profile)
{
    servet_run run;
    if (servet_profile_run(profile, &run) != SERVET_OK)
        return;
    for (size_t i = 0; i < sizeof disturbances / sizeof *disturbances; i++) {
        const struct disturbance *what = &disturbances[i];
        const servet_value *share = (const void *)((const char *)&run + what->offset);
        if (servet_value_known(share) && share->value > worth_saying)
            printf("! %s %.1f %% %s\n", what->before, share->value * 100, what->after);
    }
}

/* --- caches ----------------------------------------------------------------------------------- */

static void warn_turnover(const servet_cache *cache, const char *of)
{
    char reach[HUMAN_MAX], reported[HUMAN_MAX];
    human_interval(cache->bytes.low, cache->bytes.high, reach);
    printf("! L%d%s: shared, capacity not measurable; reachable %s at this access rate",
           cache->level, of, reach);
    if (servet_value_known(&cache->reported_bytes)) {
        human_bytes(cache->reported_bytes.value, reported);
        printf("; the OS reports %s", reported);
    }
    putchar('\n');
}

static void warn_size(const servet_cache *cache, const char *of)
{
    char measured[HUMAN_MAX], interval[HUMAN_MAX], reported[HUMAN_MAX] = "nothing";
    human_bytes(cache->bytes.value, measured);
    report_interval(&cache->bytes, interval);
    if (servet_value_known(&cache->reported_bytes))
        human_bytes(cache->reported_bytes.value, reported);
    printf("! L%d%s: measured %s (%s), the OS reports %s\n", cache->level, of, measured, interval,
           reported);
}

static void warn_part(const servet_cache *cache, const char *of)
{
    char interval[HUMAN_MAX], reported[HUMAN_MAX];
    report_interval(&cache->bytes, interval);
    human_bytes(cache->reported_bytes.value, reported);
    printf("! L%d%s: one core reaches %s, the OS reports %s; others may use the rest\n",
           cache->level, of, interval, reported);
}

static bool untrusted(const servet_value *value)
{
    return servet_value_known(value) && !value->trusted;
}

/* The size of a level that is turned over has had its line. */
static void warn_trust(const servet_cache *cache, const char *of)
{
    bool size = cache->kind == SERVET_CACHE_CAPACITY && untrusted(&cache->bytes);
    bool latency = untrusted(&cache->latency);
    if (size || latency)
        printf("! L%d%s: %s%s%s not trusted\n", cache->level, of, size ? "size" : "",
               size && latency ? " and " : "", latency ? "latency" : "");
}

static void warn_loads(const servet_profile *profile, const servet_at *at, int level,
                       const char *of)
{
    servet_concurrency loads;
    char name[REPORT_LEVEL_MAX];
    if (servet_concurrency_get(profile, at, level, &loads) != SERVET_OK || !untrusted(&loads.best))
        return;
    report_level_name(level, name);
    printf("! %s%s: memory-level parallelism not trusted\n", name, of);
}

static void warn_cache(const servet_cache *cache, const char *of)
{
    bool churned = cache->kind == SERVET_CACHE_TURNOVER && !report_is_counted(cache);
    if (churned && servet_value_known(&cache->bytes))
        warn_turnover(cache, of);
    else if (cache->verdict == SERVET_VERDICT_NOT_COMPARABLE)
        warn_part(cache, of);
    else if (cache->verdict == SERVET_VERDICT_DIFFERS && servet_value_known(&cache->bytes))
        warn_size(cache, of);
    warn_trust(cache, of);
}

void report_warn_caches(const servet_profile *profile, const servet_at *at, const char *of)
{
    servet_cache cache;
    servet_sharing sharing;
    int count = 0;
    (void)servet_cache_count(profile, at, &count);
    for (int level = 1; level <= count; level++) {
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK)
            warn_cache(&cache, of);
        if (servet_cache_sharing(profile, at, level, &sharing) == SERVET_OK &&
            sharing.verdict == SERVET_VERDICT_DIFFERS)
            printf("! L%d%s: measured sharing differs from what the OS reports\n", level, of);
        warn_loads(profile, at, level, of);
    }
    warn_loads(profile, at, 0, of);
}

/* --- the node --------------------------------------------------------------------------------- */

static void warn_coherence(const servet_profile *profile, const servet_at *at)
{
    servet_coherence coherence;
    char line[HUMAN_MAX], reported[HUMAN_MAX];
    if (servet_coherence_get(profile, at, &coherence) != SERVET_OK ||
        coherence.verdict != SERVET_VERDICT_DIFFERS)
        return;
    report_bytes(&coherence.line, line);
    report_bytes(&coherence.reported, reported);
    printf("! coherence block: measured %s, the OS reports lines of %s\n", line, reported);
}

static void warn_distances(const servet_profile *profile, const servet_at *at)
{
    servet_distance_layer layer;
    int count = 0;
    (void)servet_distance_layer_count(profile, at, &count);
    for (int i = 1; i <= count; i++)
        if (servet_distance_layer_get(profile, at, i, &layer) == SERVET_OK &&
            layer.verdict == SERVET_VERDICT_DIFFERS)
            printf("! distance layer %d: the OS reports different sets of cores\n", i);
}

static void warn_memory(const servet_profile *profile, const servet_at *at)
{
    servet_memory_level level;
    int count = 0;
    (void)servet_memory_level_count(profile, at, &count);
    for (int i = 1; i <= count; i++)
        if (servet_memory_level_get(profile, at, i, &level) == SERVET_OK &&
            level.verdict == SERVET_VERDICT_DIFFERS)
            printf("! memory overhead level %d: the OS reports different sets of cores\n", i);
}

/* --- what of the node is doubtful ------------------------------------------------------------- */

static bool doubtful_coherence(const servet_profile *profile, const servet_at *at)
{
    servet_coherence coherence;
    return servet_coherence_get(profile, at, &coherence) == SERVET_OK && untrusted(&coherence.line);
}

static bool doubtful_distances(const servet_profile *profile, const servet_at *at)
{
    servet_distance_layer layer;
    bool doubtful = false;
    for (int i = 1; servet_distance_layer_get(profile, at, i, &layer) == SERVET_OK; i++)
        doubtful = doubtful || untrusted(&layer.latency);
    return doubtful;
}

static bool doubtful_bandwidth(const servet_profile *profile, const servet_at *at)
{
    servet_value bandwidth;
    return servet_memory_single(profile, at, &bandwidth) == SERVET_OK && untrusted(&bandwidth);
}

static bool doubtful_overhead(const servet_profile *profile, const servet_at *at)
{
    servet_memory_level level;
    bool doubtful = false;
    for (int i = 1; servet_memory_level_get(profile, at, i, &level) == SERVET_OK; i++)
        doubtful = doubtful || untrusted(&level.bandwidth);
    return doubtful;
}

static bool doubtful_numa(const servet_profile *profile, const servet_at *at)
{
    servet_numa node;
    servet_value latency;
    bool doubtful = false;
    for (int i = 0; servet_numa_get(profile, at, i, &node) == SERVET_OK; i++)
        doubtful = doubtful || (servet_numa_latency(profile, at, i, i, &latency) == SERVET_OK &&
                                untrusted(&latency));
    return doubtful;
}

static void warn_doubtful(const servet_profile *profile, const servet_at *at)
{
    static const struct {
        const char *name;
        bool (*doubtful)(const servet_profile *profile, const servet_at *at);
    } parts[] = {
        {"the coherence block", doubtful_coherence},
        {"distances between cores", doubtful_distances},
        {"memory bandwidth", doubtful_bandwidth},
        {"memory overhead of several cores", doubtful_overhead},
        {"NUMA nodes", doubtful_numa},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].doubtful(profile, at))
            printf("! %s: not trusted\n", parts[i].name);
}

void report_warn_node(const servet_profile *profile, const servet_at *at)
{
    warn_coherence(profile, at);
    warn_distances(profile, at);
    warn_memory(profile, at);
    warn_doubtful(profile, at);
    report_modes_node(profile, at);
}
