/* SPDX-License-Identifier: BSD-3-Clause */
/* Warns about noise during the measurement, and about differences from the report of the OS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/parts.h"
#include "cli/report/text.h"
#include "core/cache.h"
#include "core/human.h"
#include "core/text.h"
#include "servet/network.h"

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

static void warn_sharing(document *to, const servet_profile *profile, const servet_at *at,
                         int level, const char *of)
{
    servet_sharing sharing;
    if (servet_cache_sharing(profile, at, level, &sharing) == SERVET_OK && sharing.trusted &&
        sharing.verdict == SERVET_VERDICT_DIFFERS)
        document_warning(to, "L%d%s: measured sharing differs from what the OS reports", level, of);
}

static void warn_cache(document *to, const servet_cache *cache, const char *of)
{
    bool has_turnover = !srv_cache_has_size(cache);
    if (has_turnover && servet_value_known(&cache->bytes))
        warn_turnover(to, cache, of);
    else if (cache->verdict == SERVET_VERDICT_NOT_COMPARABLE)
        warn_part(to, cache, of);
    else if (cache->verdict == SERVET_VERDICT_DIFFERS && cache->trusted &&
             servet_value_known(&cache->bytes))
        warn_size(to, cache, of);
}

void report_warn_caches(document *to, const servet_profile *profile, const servet_at *at,
                        const char *of)
{
    servet_cache cache;
    int count = 0;
    (void)servet_cache_count(profile, at, &count);
    for (int level = 1; level <= count; level++) {
        if (servet_cache_get(profile, at, level, &cache) == SERVET_OK)
            warn_cache(to, &cache, of);
        warn_sharing(to, profile, at, level, of);
    }
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

void report_warn_node(document *to, const servet_profile *profile, const servet_at *at)
{
    warn_coherence(to, profile, at);
    warn_distances(to, profile, at);
    warn_memory(to, profile, at);
    report_doubts(to, profile, at, false);
    report_modes_node(to, profile, at);
}

/* Warns about slow nodes, which are left out of rings if enough other nodes remain. */
static void warn_nodes(document *to, const servet_profile *profile, int nodes)
{
    servet_value value;
    servet_ratio ratio = {.nodes = nodes};
    (void)servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 1, &ratio);
    for (int i = 0; i < nodes; i++)
        if (servet_network_slowness(profile, i, &value) == SERVET_OK &&
            value.value >= SERVET_SLOW_NODE)
            document_warning(to, "%s: its messages take %s times as long as those of other nodes%s",
                             servet_network_node(profile, i), HUMAN(value.value, 3),
                             ratio.nodes < nodes ? "; bandwidth loss is that of the others" : "");
}

/* Writes the name of a node, or "nodes 0-3". */
static void name_nodes(const servet_profile *profile, const char *nodes, char text[SERVET_TEXT_MAX])
{
    const char *name = strpbrk(nodes, ",-") ? NULL : servet_network_node(profile, atoi(nodes));
    snprintf(text, SERVET_TEXT_MAX, "%s%s", name ? "" : "nodes ", name ? name : nodes);
}

/* Warns about slow links. Rings contain them, but messages across them are left out of the mean. */
static void warn_links(document *to, const servet_profile *profile)
{
    servet_slow_link link;
    servet_ratio ratio;
    bool rings = servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 1, &ratio) == SERVET_OK;
    for (int i = 1; SERVET_ITEM(profile, "network.slow_links", &link, i) == SERVET_OK; i++) {
        char from[SERVET_TEXT_MAX], other[SERVET_TEXT_MAX];
        name_nodes(profile, link.from, from);
        name_nodes(profile, link.to, other);
        document_warning(to,
                         "slow link between %s and %s: its messages take %s times as long as "
                         "others of both%s%s",
                         from, other, HUMAN(link.factor.value, 3),
                         link.trusted ? "" : " (not trusted)",
                         rings ? "; bandwidth loss is that of the others" : "");
    }
}

void report_warn_network(document *to, const servet_profile *profile)
{
    servet_network network = {0};
    const servet_at any = {servet_profile_class_name(profile, 0), SERVET_ANY_CORE};
    (void)servet_network_get(profile, &network);
    warn_nodes(to, profile, network.nodes);
    warn_links(to, profile);
    report_doubts(to, profile, &any, true);
    report_modes_network(to, profile);
    document_join_doubts(to);
}
