/* SPDX-License-Identifier: BSD-3-Clause */
/* The one rule for the fitness of a profile, used by all that store or install one. */
#include "servet/record.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ranges.h"
#include "core/text.h"
#include "profile/trust.h"

/* --- facts ------------------------------------------------------------------------------------ */

/* True if a fact is not trusted for another reason than two modes, which belong to the machine and
 * would show in another measurement. */
static bool is_doubtful(const servet_profile *profile, const servet_at *at, const char *key)
{
    servet_trust trust;
    return servet_profile_trust(profile, at, key, &trust, NULL) == SERVET_OK && !trust.trusted &&
           strcmp(trust.reason, SRV_TWO_MODES) != 0;
}

enum { MEMBERS_MAX = 3 };

/* One fact, or a list: its number of items, and members of each: KEY.N.MEMBER. */
typedef struct part {
    const char *name, *key, *members[MEMBERS_MAX];
} part;

/* Placements and block sizes rest on these and on caches; the rest (TLBs, loads in flight, curves)
 * refines them. */
static const part of_class[] = {
    {"coherence block", "coherence_line", {NULL}},
    {"distances between cores", "distance.layers", {"latency_ns", "groups"}},
    {"memory bandwidth", "memory.single", {NULL}},
    {"memory overhead of several cores", "memory.levels", {"bandwidth", "groups", "saturation"}},
    {"number of cores that saturate memory", "memory.saturation", {NULL}},
};
static const part of_job = {"communication layers", "layers", {"latency_us", "groups"}};

static int count_in(const srv_shape *shape, const void *item, const char *list)
{
    const srv_field *row = srv_row_named(shape, list);
    return ((const srv_list *)(const void *)((const char *)item + row->offset))->count;
}

static bool doubtful_item(const servet_profile *profile, const servet_at *at, const part *of,
                          int number)
{
    char key[SERVET_NAME_MAX];
    bool doubtful = false;
    for (int i = 0; i < MEMBERS_MAX && of->members[i] && !doubtful; i++) {
        snprintf(key, sizeof key, "%s.%d.%s", of->key, number, of->members[i]);
        doubtful = is_doubtful(profile, at, key);
    }
    return doubtful;
}

/* True if any part of a struct is doubtful; its number of items, also 0, may be. */
static bool doubtful_part(const servet_profile *profile, const servet_at *at,
                          const srv_shape *shape, const void *item, const part *of)
{
    char key[SERVET_NAME_MAX];
    if (!of->members[0])
        return is_doubtful(profile, at, of->key);
    snprintf(key, sizeof key, "%s.count", of->key);
    bool doubtful = is_doubtful(profile, at, key);
    int count = count_in(shape, item, of->key);
    for (int i = 1; i <= count && !doubtful; i++)
        doubtful = doubtful_item(profile, at, of, i);
    return doubtful;
}

/* --- "L1, L2 and memory bandwidth of node class fat, and L3 of node class thin" ----------------
 */

/* The last item is kept back, because "and" precedes it. */
typedef struct enumeration {
    FILE *to;            /* NULL: items are only counted */
    const char *paths;   /* of the facts that count; NULL: all do */
    int count, in_group; /* items: of all groups, of the one that was begun */
    char last[SERVET_NAME_MAX];
} enumeration;

static void write_last(enumeration *list, const char *between)
{
    const char *before = list->count > list->in_group ? ", and " : "";
    if (list->to && list->in_group)
        fprintf(list->to, "%s%s", list->in_group > 1 ? between : before, list->last);
}

/* True if one of the paths, separated by blanks, leads to a member or to what has it. */
static bool is_among(const char *paths, const char *member)
{
    for (; *paths; paths += strspn(paths, " ")) {
        size_t length = strcspn(paths, " ");
        if (strncmp(paths, member, length) == 0)
            return true;
        paths += length;
    }
    return false;
}

static void add(enumeration *list, const char *name, const char *path)
{
    if (list->paths && !is_among(list->paths, path))
        return;
    write_last(list, ", ");
    snprintf(list->last, sizeof list->last, "%s", name);
    list->count++;
    list->in_group++;
}

/* The items since the last call are those of node class `of`; "": of the whole profile. */
static void end_group(enumeration *list, const char *of)
{
    write_last(list, " and ");
    if (list->to && list->in_group && *of)
        fprintf(list->to, " of node class %s", of);
    list->in_group = 0;
}

/* --- a class ---------------------------------------------------------------------------------- */

static bool doubtful_member(const servet_profile *profile, const servet_at *at, int level,
                            const char *member)
{
    char key[SERVET_NAME_MAX];
    snprintf(key, sizeof key, "caches.%d.%s", level, member);
    return is_doubtful(profile, at, key);
}

/* Doubts about the levels of any core type, as bits by their number. */
typedef struct levels {
    unsigned values, groups;
    bool count;
} levels;

/* No program blocks for what it gets of a cache that others fill: neither that part, which is never
 * trusted as a capacity, nor its latency, which changes with it, makes a profile unfit. */
static void add_levels(levels *doubtful, const servet_profile *profile, const servet_at *at,
                       const srv_core_kind *kind)
{
    const srv_cache *caches = kind->caches.items;
    doubtful->count |= is_doubtful(profile, at, "caches.count");
    for (int i = 0; i < kind->caches.count && i < SERVET_CACHE_LEVELS_MAX; i++) {
        bool size = caches[i].fact.kind == SERVET_CACHE_CAPACITY;
        unsigned bit = 1u << (i + 1);
        if (size && (doubtful_member(profile, at, i + 1, "bytes") ||
                     doubtful_member(profile, at, i + 1, "latency_ns")))
            doubtful->values |= bit;
        if (doubtful_member(profile, at, i + 1, "groups"))
            doubtful->groups |= bit;
    }
}

static levels doubtful_levels(const servet_profile *profile, const srv_class *class)
{
    const srv_core_kind *kinds = class->kinds.items;
    levels doubtful = {0, 0, false};
    for (int i = 0; i < class->kinds.count; i++) {
        const char *cores = kinds[i].cores;
        servet_at at = {.node_class = class->name, .core = SERVET_ANY_CORE};
        int last;
        (void)srv_ranges_next(&cores, &at.core, &last);
        add_levels(&doubtful, profile, &at, &kinds[i]);
    }
    return doubtful;
}

static void add_named(enumeration *list, unsigned bits, const char *before, const char *path)
{
    char name[SERVET_NAME_MAX];
    for (int level = 1; level <= SERVET_CACHE_LEVELS_MAX; level++)
        if (bits >> level & 1) {
            snprintf(name, sizeof name, "%sL%d", before, level);
            add(list, name, path);
        }
}

static void add_class(enumeration *list, const servet_profile *profile, const srv_class *class)
{
    const servet_at at = {.node_class = class->name, .core = SERVET_ANY_CORE};
    levels doubtful = doubtful_levels(profile, class);
    if (doubtful.count)
        add(list, "number of cache levels", "kinds.caches.count");
    add_named(list, doubtful.values, "", "kinds.caches.bytes");
    add_named(list, doubtful.groups, "sharing of ", "kinds.caches.groups");
    for (size_t i = 0; i < sizeof of_class / sizeof *of_class; i++)
        if (doubtful_part(profile, &at, &srv_class_shape, class, &of_class[i]))
            add(list, of_class[i].name, of_class[i].key);
}

/* Lists doubtful facts of one class, or of all. */
static void list_doubtful(enumeration *list, const servet_profile *profile, const srv_class *one)
{
    const srv_class *classes = one ? one : profile->classes.items;
    int count = one ? 1 : profile->classes.count;
    for (int i = 0; i < count; i++) {
        add_class(list, profile, &classes[i]);
        if (count > 1)
            end_group(list, classes[i].name);
    }
    /* Any class, because no class means this node, which the profile need not describe. */
    const servet_at any = {.node_class = count ? classes[0].name : NULL, .core = SERVET_ANY_CORE};
    if (profile->network.count &&
        doubtful_part(profile, &any, &srv_comm_shape, profile->network.items, &of_job))
        add(list, of_job.name, "network.layers");
    end_group(list, "");
}

/* --- noise ------------------------------------------------------------------------------------ */

/* Share of time lost. A quiet virtual machine loses 2-5 % to its host (share/doc/measuring.md):
 * below twice that users can do nothing about it. */
static const double WORTH_SAYING = 0.1;

static const struct disturbance {
    size_t offset; /* of the share in servet_run */
    const char *before, *after;
} disturbances[] = {
    {offsetof(servet_run, noise), "other work took", "of the measuring time"},
    {offsetof(servet_run, others), "other processes had the cores", "of the time"},
    {offsetof(servet_run, steal), "the hypervisor took", "of the time"},
    {offsetof(servet_run, drift), "cores slowed down by", "meanwhile"},
};

/* The greatest share that the run lost, and how; "" for little. */
static void say_noise(const servet_run *run, char *text)
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
}

/* --- the rule --------------------------------------------------------------------------------- */

/* The class that `at` names; NULL: it names none. */
static int find_class(const servet_profile *profile, const servet_at *at, const srv_class **class)
{
    bool names = at && at->node_class;
    *class = names ? srv_class_named(profile, at) : NULL;
    return names && !*class ? SERVET_ERANGE : SERVET_OK;
}

int servet_profile_fitness(const servet_profile *profile, const servet_at *at,
                           servet_fitness *fitness)
{
    servet_run run;
    const srv_class *class;
    enumeration doubtful = {.to = NULL};
    int code = find_class(profile, at, &class);
    if (code == SERVET_EARGUMENT)
        return code;
    *fitness = (servet_fitness){.fit = false};
    if (code != SERVET_OK)
        return code;
    if (servet_profile_run(profile, &run) == SERVET_OK)
        say_noise(&run, fitness->noise);
    list_doubtful(&doubtful, profile, class);
    fitness->doubtful_count = doubtful.count;
    fitness->fit = !doubtful.count;
    return SERVET_OK;
}

bool servet_profile_doubts(const servet_profile *profile, const servet_at *at, const char *paths)
{
    const srv_class *class;
    enumeration doubtful = {.to = NULL, .paths = paths};
    if (find_class(profile, at, &class) != SERVET_OK)
        return false;
    list_doubtful(&doubtful, profile, class);
    return doubtful.count > 0;
}

typedef struct wanted {
    const servet_profile *profile;
    const srv_class *class;
} wanted;

static void write_doubtful(FILE *to, const void *context)
{
    const wanted *of = context;
    enumeration list = {.to = to};
    list_doubtful(&list, of->profile, of->class);
}

int servet_profile_doubtful(const servet_profile *profile, const servet_at *at, char *text,
                            size_t size)
{
    wanted of = {profile, NULL};
    int code = find_class(profile, at, &of.class);
    if (code != SERVET_OK)
        return code;
    char *list = srv_text_written(write_doubtful, &of);
    if (!list)
        return SERVET_EMEMORY;
    bool fits = strlen(list) < size;
    if (fits)
        memcpy(text, list, strlen(list) + 1);
    free(list);
    return fits ? SERVET_OK : SERVET_ERANGE;
}
