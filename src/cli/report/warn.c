/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings: noise during the measurement, and differences from what the OS reports. */
#include "cli/report/parts.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/text.h"
#include "core/cache.h"
#include "core/words.h"

/* --- the run ---------------------------------------------------------------------------------- */

void report_warn_run(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_fitness fitness;
    servet_run run = {.cut = ""};
    char list[SERVET_TEXT_MAX];
    (void)servet_profile_run(profile, &run);
    srv_words_list(run.cut, list, sizeof list);
    if (*run.cut)
        document_warning(to,
                         "Cut by the time limit: %s; facts that are missing, or may be from fewer "
                         "measurements, are listed at the end",
                         list);
    srv_words_list(run.unfinished, list, sizeof list);
    if (*run.unfinished)
        document_warning(to, "Unfinished: %s not measured yet; --resume continues", list);
    if (servet_profile_fitness(profile, at, &fitness) == SERVET_OK && *fitness.noise)
        document_warning(to, "%s", fitness.noise);
}

/* --- caches ----------------------------------------------------------------------------------- */

static void warn_turnover(document *to, const servet_cache *cache, const char *of)
{
    char reach[HUMAN_MAX], reported[HUMAN_MAX] = "";
    bool known = servet_value_known(&cache->reported_bytes);
    human_interval(cache->bytes.low, cache->bytes.high, reach);
    if (known)
        human_bytes(cache->reported_bytes.value, reported);
    document_warning(to,
                     "L%d%s: shared, capacity not measurable; reachable %s at this access rate%s%s",
                     cache->level, of, reach, known ? "; the OS reports " : "", reported);
}

static void warn_size(document *to, const servet_cache *cache, const char *of)
{
    char measured[HUMAN_MAX], interval[HUMAN_MAX], reported[HUMAN_MAX] = "nothing";
    human_bytes(cache->bytes.value, measured);
    report_interval(&cache->bytes, interval);
    if (servet_value_known(&cache->reported_bytes))
        human_bytes(cache->reported_bytes.value, reported);
    document_warning(to, "L%d%s: measured %s (%s), the OS reports %s", cache->level, of, measured,
                     interval, reported);
}

static void warn_part(document *to, const servet_cache *cache, const char *of)
{
    char interval[HUMAN_MAX], reported[HUMAN_MAX];
    report_interval(&cache->bytes, interval);
    human_bytes(cache->reported_bytes.value, reported);
    document_warning(to, "L%d%s: one core reaches %s, the OS reports %s; others may use the rest",
                     cache->level, of, interval, reported);
}

static bool untrusted(const servet_value *value)
{
    return servet_value_known(value) && !value->trusted;
}

/* "! WHAT not trusted: REASON" of a key. */
static void say_doubt(document *to, const servet_profile *profile, const servet_at *at,
                      const char *key, const char *what)
{
    char reason[SERVET_TEXT_MAX];
    report_reason(profile, at, key, reason);
    if (*reason)
        document_doubt(to, reason, "%s", what);
}

/* The same of a key of a cache level, "caches.2.bytes". */
static void say_level_doubt(document *to, const servet_profile *profile, const servet_at *at,
                            int level, const char *member, const char *what)
{
    char key[SERVET_NAME_MAX];
    snprintf(key, sizeof key, "caches.%d.%s", level, member);
    say_doubt(to, profile, at, key, what);
}

/* The size of a level with turnover has a line of its own already. */
static void warn_trust(document *to, const servet_profile *profile, const servet_at *at,
                       const servet_cache *cache, const char *of)
{
    bool size = cache->kind == SERVET_CACHE_CAPACITY && untrusted(&cache->bytes);
    bool latency = untrusted(&cache->latency);
    char what[SERVET_TEXT_MAX];
    snprintf(what, sizeof what, "L%d%s: %s%s%s", cache->level, of, size ? "size" : "",
             size && latency ? " and " : "", latency ? "latency" : "");
    if (size || latency)
        say_level_doubt(to, profile, at, cache->level, size ? "bytes" : "latency_ns", what);
}

static void warn_loads(document *to, const servet_profile *profile, const servet_at *at, int level,
                       const char *of)
{
    char name[REPORT_LEVEL_MAX], what[SERVET_TEXT_MAX];
    report_level_name(level, name);
    snprintf(what, sizeof what, "%s%s: memory-level parallelism", name, of);
    if (level == 0)
        say_doubt(to, profile, at, "memory.requests", what);
    else
        say_level_doubt(to, profile, at, level, "requests", what);
}

static void warn_sharing(document *to, const servet_profile *profile, const servet_at *at,
                         int level, const char *of)
{
    servet_sharing sharing;
    char what[SERVET_TEXT_MAX];
    snprintf(what, sizeof what, "L%d%s: sharing", level, of);
    say_level_doubt(to, profile, at, level, "groups", what);
    if (servet_cache_sharing(profile, at, level, &sharing) == SERVET_OK && sharing.trusted &&
        sharing.verdict == SERVET_VERDICT_DIFFERS)
        document_warning(to, "L%d%s: measured sharing differs from what the OS reports", level, of);
}

static void warn_cache(document *to, const servet_profile *profile, const servet_at *at,
                       const servet_cache *cache, const char *of)
{
    bool has_turnover = !srv_cache_has_size(cache);
    if (has_turnover && servet_value_known(&cache->bytes))
        warn_turnover(to, cache, of);
    else if (cache->verdict == SERVET_VERDICT_NOT_COMPARABLE)
        warn_part(to, cache, of);
    else if (cache->verdict == SERVET_VERDICT_DIFFERS && cache->trusted &&
             servet_value_known(&cache->bytes))
        warn_size(to, cache, of);
    warn_trust(to, profile, at, cache, of);
}

void report_warn_caches(document *to, const servet_profile *profile, const servet_at *at,
                        const char *of)
{
    servet_cache cache;
    char what[SERVET_TEXT_MAX];
    int count = 0;
    (void)servet_cache_count(profile, at, &count);
    snprintf(what, sizeof what, "number of cache levels%s", of);
    say_doubt(to, profile, at, "caches.count", what);
    for (int level = 1; level <= count; level++) {
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK)
            warn_cache(to, profile, at, &cache, of);
        warn_sharing(to, profile, at, level, of);
        warn_loads(to, profile, at, level, of);
    }
    warn_loads(to, profile, at, 0, of);
}

/* --- the node --------------------------------------------------------------------------------- */

static void warn_coherence(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_coherence coherence;
    char line[HUMAN_MAX], reported[HUMAN_MAX];
    if (servet_coherence_get(profile, at, &coherence) != SERVET_OK || !coherence.trusted ||
        coherence.verdict != SERVET_VERDICT_DIFFERS)
        return;
    report_bytes(&coherence.line, line);
    report_reported(&coherence.reported, reported);
    document_warning(to, "coherence block: measured %s, the OS reports lines of %s", line,
                     reported);
}

static void warn_distances(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_distance_layer layer;
    int count = 0;
    (void)servet_distance_layer_count(profile, at, &count);
    for (int i = 1; i <= count; i++)
        if (servet_distance_layer_get(profile, at, i, &layer) == SERVET_OK && layer.trusted &&
            layer.verdict == SERVET_VERDICT_DIFFERS)
            document_warning(to, "distance layer %d: the OS reports different sets of PUs", i);
}

static void warn_memory(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_memory_level level;
    int count = 0;
    (void)servet_memory_level_count(profile, at, &count);
    for (int i = 1; i <= count; i++)
        if (servet_memory_level_get(profile, at, i, &level) == SERVET_OK && level.trusted &&
            level.verdict == SERVET_VERDICT_DIFFERS)
            document_warning(to, "memory overhead level %d: the OS reports different sets of PUs",
                             i);
}

/* --- what of the node is doubtful ------------------------------------------------------------- */

/* Puts `number` in the place of each N. */
static void fill_in(const char *pattern, int number, char key[SERVET_NAME_MAX])
{
    size_t used = 0;
    for (; *pattern && used < SERVET_NAME_MAX - 1; pattern++)
        used += (size_t)(*pattern == 'N'
                             ? snprintf(key + used, SERVET_NAME_MAX - used, "%d", number)
                             : snprintf(key + used, SERVET_NAME_MAX - used, "%c", *pattern));
}

/* Why the first of the keys is doubtful that is, N being 1, 2, ...; "" where none is. */
static void find_doubt(const servet_profile *profile, const servet_at *at, const char *pattern,
                       char reason[SERVET_TEXT_MAX])
{
    char key[SERVET_NAME_MAX];
    servet_trust trust = {.reason = ""};
    int code = SERVET_OK;
    for (int n = 1; code == SERVET_OK && !*trust.reason; n++) {
        fill_in(pattern, n, key);
        code = servet_profile_trust(profile, at, key, &trust, NULL);
        if (!strchr(pattern, 'N'))
            break;
    }
    memcpy(reason, trust.reason, SERVET_TEXT_MAX);
}

/* The latency of a single node is that of memory, which has its own mark. */
static bool has_several_nodes(const servet_profile *profile, const servet_at *at)
{
    int count;
    return servet_numa_count(profile, at, &count) == SERVET_OK && count > 1;
}

static void warn_doubtful(document *to, const servet_profile *profile, const servet_at *at)
{
    enum { KEYS_MAX = 3 };
    static const struct {
        const char *name, *keys[KEYS_MAX];
        bool (*is_said)(const servet_profile *, const servet_at *); /* NULL: always */
    } parts[] = {
        {"coherence block", {"coherence_line"}},
        {"distances between cores", {"distance.layers.count", "distance.layers.N.latency_ns"}},
        {"memory bandwidth", {"memory.single"}},
        {"memory overhead of several cores",
         {"memory.levels.count", "memory.levels.N.bandwidth", "memory.saturation"}},
        {"NUMA nodes", {"numa.N.latency_ns.N"}, has_several_nodes},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char reason[SERVET_TEXT_MAX] = "";
        bool is_said = !parts[i].is_said || parts[i].is_said(profile, at);
        for (int k = 0; is_said && k < KEYS_MAX && parts[i].keys[k] && !*reason; k++)
            find_doubt(profile, at, parts[i].keys[k], reason);
        if (*reason)
            document_doubt(to, reason, "%s", parts[i].name);
    }
}

void report_warn_node(document *to, const servet_profile *profile, const servet_at *at)
{
    warn_coherence(to, profile, at);
    warn_distances(to, profile, at);
    warn_memory(to, profile, at);
    warn_doubtful(to, profile, at);
    report_modes_node(to, profile, at);
}
