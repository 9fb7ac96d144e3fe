/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/record/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/*
 * Nodes of one type measure the same within some percent, each time anew; a memory channel that is
 * missing, a clock that is throttled or a neighbour that eats bandwidth costs a quarter and more.
 * Sizes of caches are rounded to nominal ones, and the next one is a quarter off.
 */
static const double TOLERANCE = 1.25;

/* --- facts that are compared ------------------------------------------------------------------ */

typedef enum sort {
    SAME, /* text: identifies hardware; unknown where it is empty */
    SIZE, /* number, too, within the tolerance */
    TIME, /* less is better */
    RATE, /* more is better */
} sort;

/* N is a level: 1, 2, ... */
typedef struct fact {
    const char *key;
    sort sort;
} fact;

static const fact facts[] = {
    {"machine.cpu", SAME},
    {"machine.pu_count", SAME},
    {"machine.core_count", SAME},
    {"machine.package_count", SAME},
    {"machine.numa_count", SAME},
    {"machine.logical_order", SAME},
    {"machine.memory_bytes", SIZE},
    {"kinds.count", SAME},
    {"caches.count", SAME},
    {"caches.N.bytes", SIZE},
    {"caches.N.groups", SAME},
    {"caches.N.latency_ns", TIME},
    {"memory.latency_ns", TIME},
    {"memory.single", RATE},
    {"memory.bandwidth", RATE},
    {"memory.levels.N.bandwidth", RATE},
    {"distance.layers.N.latency_ns", TIME},
};

enum { FACT_MAX = 1024, KEY_MAX = 64 };

/* A class of a profile. */
typedef struct class_of {
    const servet_profile *profile;
    int number;
} class_of;

static bool get(class_of of, const char *key, char text[FACT_MAX])
{
    servet_at at = {.node_class = servet_profile_class_name(of.profile, of.number),
                    .core = SERVET_ANY_CORE};
    return servet_profile_get(of.profile, &at, key, text, FACT_MAX, NULL) == SERVET_OK;
}

/* How much worse b is than a, at least 1 where that is a difference; else 0. */
static double how_much_worse(sort kind, const char *a, const char *b)
{
    double x = strtod(a, NULL), y = strtod(b, NULL);
    if (kind == SAME)
        return *a && *b && !srv_text_same(a, b);
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
    class_of usual, other;
    srv_difference difference;
    bool hardware;   /* differs */
    double greatest; /* of the differences so far */
} comparison;

static void compare(comparison *of, const char *key, sort kind)
{
    char usual[FACT_MAX], other[FACT_MAX], text[SERVET_TEXT_MAX];
    if (of->hardware || !get(of->usual, key, usual) || !get(of->other, key, other))
        return;
    double worse = how_much_worse(kind, usual, other);
    double size = worse > 0 ? fmax(worse, 1 / worse) : 0;
    if (size == 0 || (size <= of->greatest && !is_hardware(kind)))
        return;
    of->greatest = size;
    of->hardware = is_hardware(kind);
    usual[strcspn(usual, "\n")] = other[strcspn(other, "\n")] = '\0';
    snprintf(text, sizeof text, "%s is %.64s instead of %.64s", key, other, usual);
    note(&of->difference, kind, worse, text);
}

/* "caches.count" says how many levels "caches.N.bytes" has. */
static void compare_levels(comparison *of, const fact *row)
{
    char text[FACT_MAX], key[KEY_MAX];
    int before = (int)strcspn(row->key, "N");
    snprintf(key, sizeof key, "%.*scount", before, row->key);
    int count = get(of->usual, key, text) ? atoi(text) : 0;
    for (int level = 1; level <= count; level++) {
        snprintf(key, sizeof key, "%.*s%d%s", before, row->key, level, row->key + before + 1);
        compare(of, key, row->sort);
    }
}

srv_difference srv_compare_classes(const servet_profile *usual, int usual_class,
                                   const servet_profile *other, int other_class)
{
    comparison of = {.usual = {usual, usual_class},
                     .other = {other, other_class},
                     .difference = {.alike = true}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (strchr(facts[i].key, 'N'))
            compare_levels(&of, &facts[i]);
        else
            compare(&of, facts[i].key, facts[i].sort);
    return of.difference;
}
