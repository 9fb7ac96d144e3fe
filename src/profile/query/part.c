/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers which parts of a profile were measured and which are doubtful. A part has a name for
 * people. */
#include "servet/profile.h"

#include <stdio.h>
#include <string.h>

#include "core/ranges.h"
#include "profile/trust.h"
#include "profile/types.h"

/* The things that parts describe. */
typedef enum things {
    OF_CLASS, /* a node class, or its core types */
    OF_NUMA,  /* a node class with several NUMA nodes: of a single one, memory has the latency */
    OF_SIZES, /* cache levels with a capacity: others change what a turnover holds */
    OF_LEVELS,
    OF_JOB,
    OF_NODES, /* a job of several nodes */
    OF_LAYERS /* of communication */
} things;

enum { PAIRS = 1, USED = 2 };

typedef struct row {
    const char *fact, *benchmark;
    things of;
    unsigned flags;
    const char *keys; /* the first tells if it was measured; #: the level or layer, N: 1, 2, ... */
} row;

/* Placements and block sizes are computed from the parts marked USED; the others refine them. The
 * number of cores that saturate memory is in doubt only if its neighbours do as well. */
static const row rows[] = {
    {"number of cache levels", "cache", OF_CLASS, USED, "caches.count"},
    {"", "cache", OF_SIZES, USED, "caches.#.bytes"},
    {"latency", "cache", OF_SIZES, 0, "caches.#.latency_ns"},
    {"sharing", "sharing", OF_LEVELS, PAIRS | USED, "caches.#.groups"},
    {"line", "line", OF_SIZES, 0, "caches.#.line"},
    {"TLBs", "translation", OF_CLASS, 0, "translation.count"},
    {"coherence block", "line", OF_CLASS, PAIRS | USED, "coherence_line"},
    {"distances between cores", "distance", OF_CLASS, PAIRS | USED,
     "distance.layers.count distance.layers.N.latency_ns distance.layers.N.groups"},
    {"synchronization", "sync", OF_CLASS, 0, "sync.N.time_ns"},
    {"memory bandwidth", "memory", OF_CLASS, USED, "memory.single"},
    {"memory overhead of several cores", "memory", OF_CLASS, PAIRS | USED,
     "memory.levels.count memory.levels.N.bandwidth memory.levels.N.groups"},
    {"number of cores that saturate memory", "memory", OF_CLASS, PAIRS,
     "memory.saturation memory.levels.N.saturation"},
    {"NUMA nodes", "memory", OF_NUMA, 0, "numa.count numa.N.latency_ns.N"},
    {"latency under load", "loaded", OF_CLASS, PAIRS, "loaded.count loaded.N.unloaded_ns"},
    {"memory-level parallelism", "concurrency", OF_SIZES, 0, "caches.#.requests"},
    {"memory-level parallelism of memory", "concurrency", OF_CLASS, 0, "memory.requests"},
    {"peak rates", "peak", OF_CLASS, 0, "peak.N.rate"},
    {"accelerators", "accelerators", OF_CLASS, 0,
     "accelerators.devices.count accelerators.devices.N.cores "
     "accelerators.devices.N.links.1.to_device"},
    {"communication layers", "layers", OF_JOB, USED,
     "layers.count layers.N.latency_us layers.N.groups"},
    {"message sizes", "curves", OF_LAYERS, 0, "layers.#.points.N.time_us"},
    {"messages at once", "scalability", OF_LAYERS, 0, "layers.#.together.N.ratio"},
    {"several messages to one process", "aggregation", OF_LAYERS, 0,
     "layers.#.batches.count layers.#.aggregation.N.payoff"},
    {"bandwidth loss by distance between nodes", "distance", OF_NODES, 0,
     "network.distance_ratio.N"},
    {"bandwidth loss by processes per node", "access", OF_NODES, 0, "network.access_ratio.N"},
    {"collective operations", "collectives", OF_JOB, 0, "network.collectives.N.time_us"},
    {"random halves of the nodes", "bisection", OF_NODES, 0,
     "network.bisection.bandwidth network.node_rates.N.bandwidth"},
};

/* --- which parts a profile has ---------------------------------------------------------------- */

/* The facts that parts summarize: those of a node class, perhaps of one core type only, and those
 * of the job. */
typedef struct subject {
    const servet_profile *profile;
    const srv_class *class; /* NULL: the profile does not have the class that was named */
    const srv_comm *job;    /* NULL: it has no communication */
    int core;               /* or SERVET_ANY_CORE */
} subject;

static bool is_of_job(const row *of)
{
    return of->of >= OF_JOB;
}

/* Core type `index`, from 0; NULL: beyond the last. */
static const srv_core_kind *find_kind(const subject *about, int index)
{
    const srv_core_kind *kinds = about->class->kinds.items;
    if (about->core != SERVET_ANY_CORE)
        return index == 0 ? srv_kind_with(about->class, about->core) : NULL;
    return index < about->class->kinds.count ? &kinds[index] : NULL;
}

static int count_levels(const subject *about)
{
    const srv_core_kind *kind;
    int most = 0;
    for (int i = 0; (kind = find_kind(about, i)); i++)
        most = kind->caches.count > most ? kind->caches.count : most;
    return most;
}

/* The number of levels, layers or other things that have this part. */
static int count_things(const subject *about, const row *of)
{
    if (!(is_of_job(of) ? (const void *)about->job : (const void *)about->class))
        return 0;
    switch (of->of) {
    case OF_SIZES:
    case OF_LEVELS:
        return count_levels(about);
    case OF_LAYERS:
        return about->job->layers.count;
    case OF_NUMA:
        return about->class->numa.count != 1;
    case OF_NODES:
        return about->job->nodes.count > 1;
    default:
        return 1;
    }
}

/* Returns true if the core type has the level and, for parts that tell of its size, a capacity: a
 * turnover has none, its latency and parallelism depend on how much of it other cores leave, and
 * its line is not measured. */
static bool is_of_level(const row *of, const srv_core_kind *kind, int number)
{
    const srv_cache *caches = kind->caches.items;
    return number <= kind->caches.count &&
           (of->of != OF_SIZES || caches[number - 1].fact.kind == SERVET_CACHE_CAPACITY);
}

static bool has_part(const subject *about, const row *of, int number)
{
    const srv_core_kind *kind;
    bool has = of->of != OF_SIZES;
    for (int i = 0; !has && (kind = find_kind(about, i)); i++)
        has = is_of_level(of, kind, number);
    return has;
}

/* Row and number of part `index`; NULL: beyond the last. */
static const row *find_part(const subject *about, int index, int *number)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int count = count_things(about, &rows[i]);
        for (*number = 1; *number <= count; (*number)++)
            if (has_part(about, &rows[i], *number) && index-- == 0)
                return &rows[i];
    }
    return NULL;
}

/* --- which facts of a part are known ---------------------------------------------------------- */

/* Writes the key: the pattern, of `length` characters, with numbers for # and N. */
static void fill_in(const char *pattern, size_t length, int number, int item,
                    char key[SERVET_NAME_MAX])
{
    size_t used = 0;
    for (const char *at = pattern; at < pattern + length; at++)
        used += (size_t)(*at == '#' || *at == 'N'
                             ? snprintf(key + used, SERVET_NAME_MAX - used, "%d",
                                        *at == '#' ? number : item)
                             : snprintf(key + used, SERVET_NAME_MAX - used, "%c", *at));
}

/* Stores the reason why one key is not trusted, unless there is one. */
static int add_doubt(const servet_profile *profile, const servet_at *at, const char *key,
                     servet_part *part)
{
    servet_trust trust = {.reason = ""};
    int code = servet_profile_trust(profile, at, key, &trust, NULL);
    if (strcmp(trust.reason, SRV_ONLY_REPORTED) == 0)
        return SERVET_EUNMEASURED;
    if (code == SERVET_OK && !trust.trusted && !*part->doubt)
        memcpy(part->doubt, trust.reason, sizeof part->doubt);
    return code;
}

/* Stores the reasons of all keys of a pattern. Returns false if the first was not measured. */
static bool add_doubts(const servet_profile *profile, const servet_at *at, const char *pattern,
                       size_t length, int number, servet_part *part)
{
    char key[SERVET_NAME_MAX];
    int item = 1, first = SERVET_OK, code;
    do {
        fill_in(pattern, length, number, item, key);
        code = add_doubt(profile, at, key, part);
        first = item == 1 ? code : first;
    } while (first == SERVET_OK && (code == SERVET_OK || code == SERVET_EUNMEASURED) &&
             memchr(pattern, 'N', length) && ++item);
    return first == SERVET_OK;
}

/* Adds the facts that are known of one core, or of the job. */
static void add_facts(const servet_profile *profile, const servet_at *at, const row *of, int number,
                      servet_part *part)
{
    size_t length;
    for (const char *keys = of->keys; *keys; keys += length + strspn(keys + length, " ")) {
        length = strcspn(keys, " ");
        bool known = add_doubts(profile, at, keys, length, number, part);
        part->known = part->known && (known || keys != of->keys);
    }
}

/* The first core of the type. */
static int core_of(const srv_core_kind *kind)
{
    const char *cores = kind->cores;
    int first = SERVET_ANY_CORE, last;
    (void)srv_ranges_next(&cores, &first, &last);
    return first;
}

/* Adds the facts of each core type that has the level. */
static void add_kinds(const subject *about, const row *of, int number, servet_part *part)
{
    bool of_levels = of->of == OF_SIZES || of->of == OF_LEVELS;
    const srv_core_kind *kind;
    for (int i = 0; (kind = find_kind(about, i)); i++) {
        const servet_at at = {about->class->name, core_of(kind)};
        if (!of_levels || is_of_level(of, kind, number))
            add_facts(about->profile, &at, of, number, part);
    }
}

/* --- the query -------------------------------------------------------------------------------- */

static void name_part(const row *of, int number, servet_part *part)
{
    bool of_layer = of->of == OF_LAYERS, of_level = of->of == OF_SIZES || of->of == OF_LEVELS;
    if (of_layer || of_level)
        snprintf(part->of, sizeof part->of, "%s%d", of_layer ? "layer " : "L", number);
    snprintf(part->name, sizeof part->name, "%s%s%s", of->fact,
             *of->fact && *part->of ? " of " : "", part->of);
}

int servet_profile_part(const servet_profile *profile, const servet_at *at, int index,
                        servet_part *part)
{
    servet_profile all = *profile;
    const srv_class *first = profile->classes.items;
    srv_target target = {.core = SERVET_ANY_CORE};
    int number;
    all.trusted_only = false;
    (void)srv_target_find(profile, at, &target, NULL);
    const subject about = {&all, target.node_class, profile->network.items, target.core};
    const row *of = index < 0 ? NULL : find_part(&about, index, &number);
    if (!of)
        return SERVET_ERANGE;
    *part = (servet_part){.fact = of->fact,
                          .benchmark = of->benchmark,
                          .of_job = is_of_job(of),
                          .of_pairs = of->flags & PAIRS,
                          .used = of->flags & USED,
                          .known = true};
    name_part(of, number, part);
    /* The first class serves for the job's facts: NULL means this node, which the profile need not
     * describe. */
    const servet_at any = {profile->classes.count ? first->name : NULL, SERVET_ANY_CORE};
    const servet_at whole = {is_of_job(of) ? any.node_class : about.class->name, SERVET_ANY_CORE};
    if (is_of_job(of) || !find_kind(&about, 0))
        add_facts(&all, &whole, of, number, part);
    else
        add_kinds(&about, of, number, part);
    return SERVET_OK;
}
