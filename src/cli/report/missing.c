/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that were not measured, with the reason, and facts with fewer measurements because of the
 * time limit; on a single core, facts that need pairs of cores separately. */
#include "cli/report/parts.h"

#include <stdio.h>

#include "cli/report/text.h"
#include "servet/measure.h"
#include "servet/network.h"

/* Facts that have something in common. */
typedef struct selection {
    const char *cut; /* benchmarks that the time limit cut */
    bool is_cut;     /* of these, or of all others */
    bool known;      /* facts that the profile has, or those that it has not */
    const char *reason;
} selection;

/* A line that is begun with its first fact; without facts there is none. */
typedef struct line {
    document *to;
    selection of;
    bool begun;
} line;

static void add(line *to, const char *what)
{
    if (to->begun)
        document_append(to->to, ", %s", what);
    else
        document_note(to->to, "%s%s%s: %s",
                      to->of.known ? "Perhaps from fewer measurements than planned"
                                   : "Not measured",
                      to->of.reason ? ", " : "", to->of.reason ? to->of.reason : "", what);
    to->begun = true;
}

static bool is_of(const line *to, servet_benchmark benchmark)
{
    return report_is_listed(to->of.cut, servet_benchmark_name(benchmark)) == to->of.is_cut;
}

/* --- of every core kind ----------------------------------------------------------------------- */

/* True if a fact of a cache level, or of memory (0), is known. */
typedef bool knows(const servet_profile *profile, const servet_at *at, int level);

static bool knows_groups(const servet_profile *profile, const servet_at *at, int level)
{
    int count;
    return servet_cache_group_count(profile, at, level, &count) == SERVET_OK;
}

static bool knows_line(const servet_profile *profile, const servet_at *at, int level)
{
    servet_cache cache;
    return servet_cache_get(profile, at, level, &cache) == SERVET_OK &&
           servet_value_known(&cache.line);
}

static bool knows_loads(const servet_profile *profile, const servet_at *at, int level)
{
    servet_concurrency loads;
    return servet_concurrency_get(profile, at, level, &loads) == SERVET_OK;
}

/* Levels, from `first` on, of which it is known or not: bit 0 is memory. */
static unsigned levels_of_kind(knows *what, bool known, int first, const servet_profile *profile,
                               const servet_at *at)
{
    unsigned levels = 0;
    int count;
    if (servet_cache_count(profile, at, &count) != SERVET_OK)
        return 0;
    for (int level = first; level <= count; level++)
        if (what(profile, at, level) == known)
            levels |= 1u << level;
    return levels;
}

static unsigned levels_of_kinds(knows *what, bool known, int first, const servet_profile *profile,
                                const servet_at *at)
{
    servet_at of_kind;
    unsigned levels = 0;
    for (int i = 0; report_kind(profile, at, i, &of_kind); i++)
        levels |= levels_of_kind(what, known, first, profile, &of_kind);
    return levels;
}

static bool kind_has_caches(const servet_profile *profile, const servet_at *at)
{
    int count;
    return servet_cache_count(profile, at, &count) == SERVET_OK;
}

static bool kind_has_translation(const servet_profile *profile, const servet_at *at)
{
    servet_translation translation;
    return servet_translation_get(profile, at, SERVET_PAGES_BASE, &translation) == SERVET_OK;
}

static void add_levels(line *to, const char *what, unsigned levels)
{
    char text[SERVET_TEXT_MAX];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", what);
    const char *before = " ";
    for (int level = 1; level <= SERVET_CACHE_LEVELS_MAX; level++)
        if (levels & 1u << level) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%sL%d", before, level);
            before = "/";
        }
    if (levels & 1)
        snprintf(text + used, sizeof text - used, "%smemory", before);
    if (levels)
        add(to, text);
}

/* --- of the node ------------------------------------------------------------------------------ */

static bool has_coherence(const servet_profile *profile, const servet_at *at)
{
    servet_coherence coherence;
    return servet_coherence_get(profile, at, &coherence) == SERVET_OK;
}

static bool has_distances(const servet_profile *profile, const servet_at *at)
{
    int count;
    return servet_distance_layer_count(profile, at, &count) == SERVET_OK;
}

static bool has_bandwidth(const servet_profile *profile, const servet_at *at)
{
    servet_value bandwidth;
    return servet_memory_single(profile, at, &bandwidth) == SERVET_OK;
}

static bool has_overhead(const servet_profile *profile, const servet_at *at)
{
    int count;
    return servet_memory_level_count(profile, at, &count) == SERVET_OK;
}

static bool has_numa(const servet_profile *profile, const servet_at *at)
{
    int count;
    return servet_numa_count(profile, at, &count) == SERVET_OK;
}

static bool has_loaded(const servet_profile *profile, const servet_at *at)
{
    int count;
    return servet_profile_count(profile, at, "loaded", NULL, &count) == SERVET_OK;
}

/* Kinds of facts: of one core, of pairs of cores, or mentioned only if the time limit cut their
 * benchmark. */
enum { OF_ONE = 1, OF_PAIRS = 2, OF_CUT = 4 };

static const struct part {
    const char *name;
    bool (*has)(const servet_profile *profile, const servet_at *at); /* the node, or a core kind */
    bool of_kinds;
    unsigned of;
    servet_benchmark benchmark;
} parts[] = {
    {"caches", kind_has_caches, true, OF_CUT, SERVET_BENCHMARK_CACHE},
    {"translation", kind_has_translation, true, OF_CUT, SERVET_BENCHMARK_TRANSLATION},
    {"coherence block", has_coherence, false, OF_PAIRS, SERVET_BENCHMARK_LINE},
    {"distances between cores", has_distances, false, OF_PAIRS, SERVET_BENCHMARK_DISTANCE},
    {"memory bandwidth", has_bandwidth, false, OF_ONE, SERVET_BENCHMARK_MEMORY},
    {"memory overhead of several cores", has_overhead, false, OF_PAIRS, SERVET_BENCHMARK_MEMORY},
    {"latency under load", has_loaded, false, OF_CUT, SERVET_BENCHMARK_LOADED},
    {"NUMA nodes", has_numa, false, OF_ONE, SERVET_BENCHMARK_MEMORY},
};

static bool has_part(const struct part *part, const servet_profile *profile, const servet_at *at)
{
    servet_at of_kind;
    bool has = part->of_kinds || part->has(profile, at);
    for (int i = 0; part->of_kinds && report_kind(profile, at, i, &of_kind); i++)
        has = has && part->has(profile, &of_kind);
    return has;
}

static void list(document *whole, const servet_profile *profile, const servet_at *at, unsigned of,
                 selection these)
{
    line to = {whole, these, false};
    if (of & OF_PAIRS && is_of(&to, SERVET_BENCHMARK_SHARING))
        add_levels(&to, "sharing of", levels_of_kinds(knows_groups, these.known, 1, profile, at));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].of & of && is_of(&to, parts[i].benchmark) &&
            has_part(&parts[i], profile, at) == these.known)
            add(&to, parts[i].name);
    if (of & OF_CUT && is_of(&to, SERVET_BENCHMARK_LINE))
        add_levels(&to, "lines of", levels_of_kinds(knows_line, these.known, 1, profile, at));
    if (of & OF_ONE && is_of(&to, SERVET_BENCHMARK_CONCURRENCY))
        add_levels(&to, "memory-level parallelism in",
                   levels_of_kinds(knows_loads, these.known, 0, profile, at));
}

static bool has_one_core(const servet_profile *profile, const servet_at *at)
{
    servet_machine machine;
    return servet_profile_machine(profile, at, &machine) == SERVET_OK && machine.pu_count == 1;
}

static bool is_of_job(const servet_profile *profile)
{
    servet_network network;
    return servet_network_get(profile, &network) == SERVET_OK;
}

void report_missing(document *to, const servet_profile *profile, const servet_at *at,
                    const char *reason)
{
    servet_run run = {.seed = 0};
    (void)servet_profile_run(profile, &run);
    bool one = has_one_core(profile, at);
    unsigned of = one ? OF_ONE : OF_ONE | OF_PAIRS;
    if (one)
        list(to, profile, at, OF_PAIRS, (selection){"", false, false, "only one core may be used"});
    list(to, profile, at, of | OF_CUT, (selection){run.cut, true, false, reason});
    list(to, profile, at, of, (selection){run.cut, false, false, *run.cut ? NULL : reason});
    if (!is_of_job(profile)) /* whose benchmarks of messages have the names of some of nodes */
        list(to, profile, at, of | OF_CUT, (selection){run.cut, true, true, NULL});
}
