/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/classes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/*
 * Nodes of one type measure the same within some percent, each time anew; a memory channel that is
 * missing, a clock that is throttled or a neighbour that eats bandwidth costs a quarter and more.
 * Sizes of caches are rounded to nominal ones, and the next one is a quarter off.
 */
static const double TOLERANCE = 1.25;

/* --- facts that are compared --------------------------------------------------------------------
 */

typedef enum sort {
    SAME, /* text: tells hardware apart */
    SIZE, /* number, too, within the tolerance */
    TIME, /* less is better */
    RATE, /* more is better */
} sort;

/* N is a level: 1 to as many as the count says. */
typedef struct fact {
    const char *count, *key, *rest; /* key, the level, rest */
    sort sort;
} fact;

static const fact facts[] = {
    {NULL, "machine.cpu", "", SAME},
    {NULL, "machine.pu_count", "", SAME},
    {NULL, "machine.core_count", "", SAME},
    {NULL, "machine.package_count", "", SAME},
    {NULL, "machine.numa_count", "", SAME},
    {NULL, "machine.memory_bytes", "", SIZE},
    {NULL, "kinds.count", "", SAME},
    {NULL, "caches.count", "", SAME},
    {"caches.count", "caches.", ".bytes", SIZE},
    {"caches.count", "caches.", ".groups", SAME},
    {"caches.count", "caches.", ".latency_ns", TIME},
    {NULL, "memory.latency_ns", "", TIME},
    {NULL, "memory.single", "", RATE},
    {NULL, "memory.bandwidth", "", RATE},
    {"memory.levels.count", "memory.levels.", ".bandwidth", RATE},
    {"distance.layers.count", "distance.layers.", ".latency_ns", TIME},
};

enum { FACT_MAX = 1024, KEY_MAX = 64 };

/* What is compared: a class of a profile. */
typedef struct subject {
    const servet_profile *profile;
    int node_class;
} subject;

static bool get(const subject *of, const char *key, char text[FACT_MAX])
{
    servet_at at = {servet_profile_class_name(of->profile, of->node_class), SERVET_ANY_CORE};
    return servet_profile_get(of->profile, &at, key, text, FACT_MAX, NULL) == SERVET_OK;
}

/* How much worse b is than a, at least 1 where that is a difference; else 0. */
static double judge(sort kind, const char *a, const char *b)
{
    double x = strtod(a, NULL), y = strtod(b, NULL);
    if (kind == SAME)
        return strcmp(a, b) != 0;
    if (!(x > 0 && y > 0))
        return 0;
    double worse = kind == RATE ? x / y : y / x;
    double off = fmax(worse, 1 / worse);
    return off > TOLERANCE ? worse : 0;
}

static bool is_hardware(sort kind)
{
    return kind == SAME || kind == SIZE;
}

/* A node that is better than the others is different, too, but not sick. */
static void note(srv_difference *difference, sort kind, double worse, const char *text)
{
    difference->alike = false;
    difference->slower = !is_hardware(kind) && worse > 1;
    snprintf(difference->text, sizeof difference->text, "%s", text);
}

typedef struct comparison {
    subject usual, other;
    srv_difference difference;
    bool hardware;   /* differs */
    double greatest; /* of the differences so far */
} comparison;

static void compare(comparison *of, const char *key, sort kind)
{
    char usual[FACT_MAX], other[FACT_MAX], text[SERVET_TEXT_MAX];
    if (of->hardware || !get(&of->usual, key, usual) || !get(&of->other, key, other))
        return;
    double worse = judge(kind, usual, other);
    double size = worse > 0 ? fmax(worse, 1 / worse) : 0;
    if (size == 0 || (size <= of->greatest && !is_hardware(kind)))
        return;
    of->greatest = size;
    of->hardware = is_hardware(kind);
    usual[strcspn(usual, "\n")] = other[strcspn(other, "\n")] = '\0';
    snprintf(text, sizeof text, "%s is %.64s instead of %.64s", key, other, usual);
    note(&of->difference, kind, worse, text);
}

static void compare_levels(comparison *of, const fact *row)
{
    char text[FACT_MAX], key[KEY_MAX];
    int count = get(&of->usual, row->count, text) ? atoi(text) : 0;
    for (int i = 1; i <= count; i++) {
        snprintf(key, sizeof key, "%s%d%s", row->key, i, row->rest);
        compare(of, key, row->sort);
    }
}

static srv_difference compare_all(subject usual, subject other)
{
    comparison of = {.usual = usual, .other = other, .difference = {.alike = true}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].count)
            compare_levels(&of, &facts[i]);
        else
            compare(&of, facts[i].key, facts[i].sort);
    return of.difference;
}

srv_difference srv_compare_nodes(const servet_profile *usual, const servet_profile *other)
{
    return compare_all((subject){usual, 0}, (subject){other, 0});
}

srv_difference srv_compare_classes(const servet_profile *profile, int usual, int other)
{
    return compare_all((subject){profile, usual}, (subject){profile, other});
}

/* --- classes ------------------------------------------------------------------------------------
 */

/* The first node that measures like node i. */
static int find_like(servet_profile *const *profiles, const int *like, int i)
{
    for (int j = 0; j < i; j++)
        if (profiles[j] && like[j] == j && srv_compare_nodes(profiles[j], profiles[i]).alike)
            return j;
    return i;
}

/* The first node of the largest class; -1 where nothing was measured. */
static int find_usual(servet_profile *const *profiles, int *like, int *size, int count)
{
    int usual = -1;
    for (int i = 0; i < count; i++) {
        size[i] = 0;
        if (!profiles[i])
            continue;
        like[i] = find_like(profiles, like, i);
        size[like[i]]++;
    }
    for (int i = 0; i < count; i++)
        if (size[i] > 0 && (usual < 0 || size[i] > size[usual]))
            usual = i;
    return usual;
}

/* The share of its time that a node lost to others; all of it where that is not known. */
static double noise_of(const servet_profile *profile)
{
    servet_run run;
    bool known = servet_profile_run(profile, &run) == SERVET_OK && servet_value_known(&run.noise);
    return known ? run.noise.value : 1;
}

/* The least disturbed node of each class speaks for it, in place of the first. */
static void choose_quietest(servet_profile *const *profiles, int *like, int *quietest, int count)
{
    for (int i = 0; i < count; i++) {
        quietest[i] = i;
        if (profiles[i] && noise_of(profiles[i]) < noise_of(profiles[quietest[like[i]]]))
            quietest[like[i]] = i;
    }
    for (int i = 0; i < count; i++)
        if (profiles[i])
            like[i] = quietest[like[i]];
}

/* The class of each node that speaks for one becomes a number in the cluster's profile. */
static int adopt_classes(servet_profile **profiles, const int *like, int count, int usual,
                         int *number, servet_error *error)
{
    int classes = 1, code = SERVET_OK;
    number[usual] = 0;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        char name[SERVET_NAME_MAX];
        if (!profiles[i] || like[i] != i || i == usual)
            continue;
        number[i] = classes++;
        snprintf(name, sizeof name, "other-%d", number[i]);
        code = servet_profile_adopt_class(profiles[usual], profiles[i], name, error);
    }
    return code;
}

static int add_nodes(servet_profile **profiles, const int *like, int count, int usual,
                     const int *number, servet_error *error)
{
    int code = SERVET_OK;
    char host[FACT_MAX];
    for (int i = 0; i < count && code == SERVET_OK; i++)
        if (profiles[i] && like[i] != i &&
            get(&(subject){profiles[i], 0}, "machine.hostname", host))
            code = servet_profile_add_node(profiles[usual], number[like[i]], host, error);
    return code;
}

static int merge(servet_profile **profiles, int count, int *work, servet_profile **cluster,
                 servet_error *error)
{
    int *like = work, *size = work + count, *number = work + 2 * count;
    int usual = find_usual(profiles, like, size, count);
    if (usual < 0)
        return SERVET_OK;
    choose_quietest(profiles, like, number, count);
    usual = like[usual];
    int code = adopt_classes(profiles, like, count, usual, number, error);
    if (code == SERVET_OK)
        code = add_nodes(profiles, like, count, usual, number, error);
    if (code == SERVET_OK) {
        *cluster = profiles[usual];
        profiles[usual] = NULL;
    }
    return code;
}

int srv_merge_nodes(servet_profile **profiles, int count, servet_profile **cluster,
                    servet_error *error)
{
    int *work = calloc(3 * (size_t)count, sizeof *work);
    *cluster = NULL;
    int code = work ? merge(profiles, count, work, cluster, error) : srv_fail_memory(error);
    free(work);
    for (int i = 0; i < count; i++) {
        servet_profile_close(profiles[i]);
        profiles[i] = NULL;
    }
    return code;
}
