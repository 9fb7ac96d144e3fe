/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/record/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "profile/trust.h"

/*
 * Nodes of one type measure the same within some percent. A missing memory channel, a throttled
 * clock, or a neighbour that uses bandwidth costs a quarter or more. Sizes of caches are rounded to
 * usual sizes, of which the next one is a quarter larger.
 */
static const double TOLERANCE = 1.25;

/* --- facts that are compared ------------------------------------------------------------------ */

/* The part of a cache that a node reaches. It is not trusted in a turnover: there, no measurement
 * is a property of the node. */
#define REACH "caches.N.reachable_bytes"

typedef enum sort {
    SAME, /* text that identifies hardware; unknown if it is empty */
    SIZE, /* number that identifies hardware, within the tolerance */
    TIME, /* less is better */
    RATE, /* more is better */
} sort;

/* N is a level: 1, 2, ... */
typedef struct fact {
    const char *key;
    sort sort;
    const char *needs; /* a fact that must be trusted, too; NULL: none. For a count, it is a fact of
                          the first item that only one of the nodes has. */
} fact;

static const fact facts[] = {
    {"machine.cpu", SAME, NULL},
    {"machine.pu_count", SAME, NULL},
    {"machine.core_count", SAME, NULL},
    {"machine.package_count", SAME, NULL},
    {"machine.numa_count", SAME, NULL},
    {"machine.logical_order", SAME, NULL},
    {"machine.memory_bytes", SIZE, NULL},
    {"kinds.count", SAME, NULL},
    {"caches.count", SAME, REACH},
    {"caches.N.bytes", SIZE, NULL},
    {"caches.N.groups", SAME, REACH},
    {"caches.N.latency_ns", TIME, REACH},
    {"memory.latency_ns", TIME, NULL},
    {"memory.single", RATE, NULL},
    {"memory.bandwidth", RATE, NULL},
    {"memory.levels.N.bandwidth", RATE, NULL},
    {"distance.layers.N.latency_ns", TIME, NULL},
};

/* A class of a profile. */
typedef struct class_of {
    const servet_profile *profile;
    int number;
} class_of;

static servet_at at_class(class_of of)
{
    return (servet_at){.node_class = servet_profile_class_name(of.profile, of.number),
                       .core = SERVET_ANY_CORE};
}

/* Gets a fact that is trusted. */
static bool get(class_of of, const char *key, char text[SERVET_CORES_MAX])
{
    servet_at at = at_class(of);
    servet_trust trust;
    return servet_profile_trust(of.profile, &at, key, &trust, NULL) == SERVET_OK && trust.trusted &&
           !(trust.confidence < SRV_CONFIDENCE_LEAST) &&
           servet_profile_get(of.profile, &at, key, text, SERVET_CORES_MAX, NULL) == SERVET_OK;
}

/* Returns the factor by which b is worse than a: at least 1 if they differ, otherwise 0. */
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

typedef struct comparison {
    class_of usual, other;
    srv_difference difference;
    bool hardware;   /* the hardware differs */
    double greatest; /* the greatest difference so far */
} comparison;

static void compare(comparison *of, const char *key, sort kind)
{
    char usual[SERVET_CORES_MAX], other[SERVET_CORES_MAX];
    srv_difference *difference = &of->difference;
    if (of->hardware || !get(of->usual, key, usual) || !get(of->other, key, other))
        return;
    difference->compared++;
    double worse = how_much_worse(kind, usual, other);
    double size = worse > 0 ? fmax(worse, 1 / worse) : 0;
    if (size == 0 || (size <= of->greatest && !is_hardware(kind)))
        return;
    of->greatest = size;
    of->hardware = is_hardware(kind);
    usual[strcspn(usual, "\n")] = other[strcspn(other, "\n")] = '\0';
    difference->alike = false;
    /* A node that is better than the others is different, but not slower. */
    difference->slower = !is_hardware(kind) && worse > 1;
    snprintf(difference->text, sizeof difference->text, "%s is %.64s instead of %.64s", key, other,
             usual);
}

/* Writes the key of item `number` of a list. */
static void write_key(char key[SERVET_NAME_MAX], const char *pattern, int number)
{
    int before = (int)strcspn(pattern, "N");
    snprintf(key, SERVET_NAME_MAX, "%.*s%d%s", before, pattern, number, pattern + before + 1);
}

static bool needs_met(class_of of, const fact *row, int number)
{
    char key[SERVET_NAME_MAX], text[SERVET_CORES_MAX];
    if (!row->needs)
        return true;
    write_key(key, row->needs, number);
    return get(of, key, text);
}

/* Returns the length of the list in "LIST.N.FACT", trusted or not. */
static int count_items(class_of of, const char *pattern)
{
    char key[SERVET_NAME_MAX], text[SERVET_CORES_MAX];
    snprintf(key, sizeof key, "%.*scount", (int)strcspn(pattern, "N"), pattern);
    servet_at at = at_class(of);
    bool known = servet_profile_get(of.profile, &at, key, text, sizeof text, NULL) == SERVET_OK;
    return known ? atoi(text) : 0;
}

static void compare_items(comparison *of, const fact *row)
{
    char key[SERVET_NAME_MAX];
    int count = count_items(of->usual, row->key);
    for (int number = 1; number <= count; number++) {
        write_key(key, row->key, number);
        if (needs_met(of->usual, row, number) && needs_met(of->other, row, number))
            compare(of, key, row->sort);
    }
}

static void compare_one(comparison *of, const fact *row)
{
    int a = row->needs ? count_items(of->usual, row->needs) : 0;
    int b = row->needs ? count_items(of->other, row->needs) : 0;
    if (needs_met(a > b ? of->usual : of->other, row, (a < b ? a : b) + 1))
        compare(of, row->key, row->sort);
}

srv_difference srv_compare_classes(const servet_profile *usual, int usual_class,
                                   const servet_profile *other, int other_class)
{
    comparison of = {.usual = {usual, usual_class},
                     .other = {other, other_class},
                     .difference = {.alike = true}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (strchr(facts[i].key, 'N'))
            compare_items(&of, &facts[i]);
        else
            compare_one(&of, &facts[i]);
    return of.difference;
}
