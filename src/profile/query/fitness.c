/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a profile is fit for use: the one rule, for all that store or install one.
 */
#include "servet/node.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/types.h"

/* --- facts ------------------------------------------------------------------------------------ */

static bool untrusted(const servet_value *value)
{
    return servet_value_known(value) && !value->trusted;
}

/* The reachable part of a cache with turnover is no capacity, and never trusted as one. */
static bool doubtful_cache(const servet_cache *cache)
{
    return (cache->kind == SERVET_CACHE_CAPACITY && untrusted(&cache->bytes)) ||
           untrusted(&cache->latency);
}

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

static bool doubtful_layers(const servet_profile *profile)
{
    servet_network_layer layer;
    bool doubtful = false;
    for (int i = 1; servet_network_layer_get(profile, i, &layer) == SERVET_OK; i++)
        doubtful = doubtful || untrusted(&layer.latency);
    return doubtful;
}

/* Placements and block sizes rest on these and on caches; the rest (TLBs, loads in flight, curves)
 * refines them. */
static const struct part {
    const char *name;
    bool (*doubtful)(const servet_profile *profile, const servet_at *at);
} parts[] = {
    {"coherence block", doubtful_coherence},
    {"distances between cores", doubtful_distances},
    {"memory bandwidth", doubtful_bandwidth},
    {"memory overhead of several cores", doubtful_overhead},
};

/* --- "L1, L2 and memory bandwidth" ------------------------------------------------------------ */

/* The last one is kept back, because "and" precedes it. What is too long is cut. */
typedef struct enumeration {
    char *text; /* of SERVET_TEXT_MAX bytes */
    char last[SERVET_TEXT_MAX];
} enumeration;

static void append(enumeration *list, const char *before)
{
    size_t used = strlen(list->text);
    snprintf(list->text + used, SERVET_TEXT_MAX - used, "%s%s", used ? before : "", list->last);
}

static void add(enumeration *list, const char *name, const char *of)
{
    if (*list->last)
        append(list, ", ");
    snprintf(list->last, sizeof list->last, "%s%s%.*s", name, *of ? " of node class " : "",
             SERVET_NAME_MAX, of);
}

/* --- a class ---------------------------------------------------------------------------------- */

/* Levels of any core kind that are doubtful, as bits. */
static unsigned doubtful_levels(const servet_profile *profile, const char *node_class)
{
    servet_at at = {.node_class = node_class, .core = SERVET_ANY_CORE};
    servet_kind kind;
    servet_cache cache;
    unsigned levels = 0;
    for (int i = 0; servet_kind_get(profile, &at, i, &kind) == SERVET_OK; i++) {
        servet_at core = {.node_class = node_class, .core = atoi(kind.cores)};
        for (int level = 1; servet_cache_get(profile, &core, level, &cache) == SERVET_OK; level++)
            levels |= (unsigned)doubtful_cache(&cache) << level;
    }
    return levels;
}

/* `of` is the class's name where there are several, else "". */
static void add_class(enumeration *list, const servet_profile *profile, const char *node_class,
                      const char *of)
{
    servet_at at = {.node_class = node_class, .core = SERVET_ANY_CORE};
    unsigned levels = doubtful_levels(profile, node_class);
    char name[SERVET_NAME_MAX];
    for (int level = 1; level <= SERVET_CACHE_LEVELS_MAX; level++)
        if (levels >> level & 1) {
            snprintf(name, sizeof name, "L%d", level);
            add(list, name, of);
        }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].doubtful(profile, &at))
            add(list, parts[i].name, of);
}

static void list_doubtful(const servet_profile *profile, const char *node_class, char *text)
{
    enumeration list = {text, ""};
    int count = servet_profile_class_count(profile);
    if (node_class)
        add_class(&list, profile, node_class, "");
    for (int i = 0; i < count && !node_class; i++) {
        const char *name = servet_profile_class_name(profile, i);
        add_class(&list, profile, name, count > 1 ? name : "");
    }
    if (doubtful_layers(profile))
        add(&list, "communication layers", "");
    append(&list, " and ");
}

/* --- noise ------------------------------------------------------------------------------------ */

/* As for each fact (SRV_DISTURBED in machine/machine.h): medians survive when up to half of the
 * samples are disturbed, and the noise between two samples may exceed theirs. A share that a quiet
 * virtual machine loses, too, is not reported (share/doc/measuring.md). */
static const double TOO_MUCH = 0.25, WORTH_SAYING = 0.05;

static const struct disturbance {
    size_t offset; /* of the share in servet_run */
    const char *before, *after;
} disturbances[] = {
    {offsetof(servet_run, noise), "other work took", "of the measuring time"},
    {offsetof(servet_run, others), "other processes had the cores", "of the time"},
    {offsetof(servet_run, steal), "the hypervisor took", "of the time"},
    {offsetof(servet_run, drift), "cores slowed down by", "meanwhile"},
};

/* The greatest share that the run lost, and how. */
static double worst_share(const servet_run *run, char *text)
{
    double worst = 0;
    for (size_t i = 0; i < sizeof disturbances / sizeof *disturbances; i++) {
        const struct disturbance *what = &disturbances[i];
        const servet_value *share = (const void *)((const char *)run + what->offset);
        if (!servet_value_known(share) || share->value <= worst)
            continue;
        worst = share->value;
        snprintf(text, SERVET_TEXT_MAX, "%s %.0f %% %s", what->before, 100 * worst, what->after);
    }
    if (worst <= WORTH_SAYING)
        *text = '\0';
    return worst;
}

/* The noise of a run is that of its noisiest node, which need not be one that speaks for a class.
 */
static bool has_one_node(const servet_profile *profile)
{
    servet_at at = {.node_class = servet_profile_class_name(profile, 0), .core = SERVET_ANY_CORE};
    return servet_profile_class_count(profile) == 1 && !servet_profile_node(profile, &at, 1);
}

/* --- the rule --------------------------------------------------------------------------------- */

int servet_profile_fitness(const servet_profile *profile, const servet_at *at,
                           servet_fitness *fitness)
{
    servet_machine machine;
    servet_run run;
    const char *node_class = at ? at->node_class : NULL;
    int code = SRV_CHECK_RESERVED(servet_at, at, NULL);
    if (code != SERVET_OK)
        return code;
    *fitness = (servet_fitness){.fit = false};
    if (node_class && servet_profile_machine(profile, at, &machine) != SERVET_OK)
        return SERVET_ERANGE;
    double lost =
        servet_profile_run(profile, &run) == SERVET_OK ? worst_share(&run, fitness->noise) : 0;
    list_doubtful(profile, node_class, fitness->doubtful);
    fitness->fit = !*fitness->doubtful && !(has_one_node(profile) && lost > TOO_MUCH);
    return SERVET_OK;
}
