/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "profile/diff/walk.h"
#include "servet/diff.h"

/* Returns the name of a class or core type, with which both structs begin. */
static const char *name_of(const srv_list *list, size_t size, int i)
{
    return (const char *)list->items + (size_t)i * size;
}

/* Returns the item of `in` with the name of item `i` of `from`. If both lists have a single item,
 * these are partners. */
static const void *partner(const srv_list *from, int i, const srv_list *in, size_t size)
{
    for (int j = 0; j < in->count; j++)
        if (strcmp(name_of(from, size, i), name_of(in, size, j)) == 0)
            return name_of(in, size, j);
    return from->count == 1 && in->count == 1 ? in->items : NULL;
}

/* Adds the names of a class or core type that only one profile has, or of the classes of a node;
 * `key` is the key of the name. */
static int add_name(srv_diff_walk *on, const char *key, const char *host, const char *first,
                    const char *second)
{
    servet_diff_fact fact = {
        .node_class = on->node_class,
        .kind = on->kind,
        .host = host,
        .key = key,
        .quantity = SERVET_QUANTITY_WORD,
        .comparison = SERVET_COMPARISON_CHANGED,
        .first = first,
        .second = second,
        .first_trusted = true,
        .second_trusted = true,
        .change = NAN,
    };
    if (!first || !second)
        fact.comparison = first ? SERVET_COMPARISON_GONE : SERVET_COMPARISON_NEW;
    return srv_diff_add(on->diff, &fact, on->error);
}

/* Compares two structs of one name. */
typedef int comparer(srv_diff_walk *on, const void *first, const void *second);

/* Compares the items of two lists with their partners; `*name` becomes the name of the item, `key`
 * is the key of the name. */
static int compare_lists(srv_diff_walk *on, const srv_list *a, const srv_list *b, size_t size,
                         const char **name, const char *key, comparer *compare)
{
    int code = SERVET_OK;
    for (int i = 0; i < a->count && code == SERVET_OK; i++) {
        const void *other = partner(a, i, b, size);
        *name = name_of(a, size, i);
        code = other ? compare(on, *name, other) : add_name(on, key, NULL, *name, NULL);
    }
    for (int i = 0; i < b->count && code == SERVET_OK; i++) {
        *name = name_of(b, size, i);
        if (!partner(b, i, a, size))
            code = add_name(on, key, NULL, NULL, *name);
    }
    *name = NULL;
    return code;
}

static int compare_kind(srv_diff_walk *on, const void *first, const void *second)
{
    return srv_diff_scope(on, SRV_OF_KIND, first, second);
}

static int compare_class(srv_diff_walk *on, const void *first, const void *second)
{
    const srv_class *a = first, *b = second;
    int code = srv_diff_scope(on, SRV_OF_CLASS, first, second);
    return code == SERVET_OK ? compare_lists(on, &a->kinds, &b->kinds, sizeof(srv_core_kind),
                                             &on->kind, "kind.name", compare_kind)
                             : code;
}

/* Returns the name of the class that lists a host; NULL if there is none. */
static const char *class_of(const servet_profile *profile, const char *host)
{
    int index;
    bool listed = servet_profile_class_of(profile, host, &index) == SERVET_OK;
    return listed ? servet_profile_class_name(profile, index) : NULL;
}

/* Adds the nodes that only profile `mine` lists; for the first profile, also nodes whose class
 * changed. */
static int compare_nodes(srv_diff_walk *on, int mine)
{
    const servet_profile *theirs = on->profile[!mine];
    const srv_list *classes = &on->profile[mine]->classes;
    int code = SERVET_OK;
    for (int i = 0; i < classes->count; i++) {
        const srv_class *class = (const srv_class *)classes->items + i;
        const srv_class *other = partner(classes, i, &theirs->classes, sizeof *class);
        char *const *nodes = class->nodes.items;
        for (int j = 0; j < class->nodes.count && code == SERVET_OK; j++) {
            const char *there = class_of(theirs, nodes[j]);
            if (!there)
                code = add_name(on, "class.name", nodes[j], mine ? NULL : class->name,
                                mine ? class->name : NULL);
            else if (!mine && (!other || strcmp(there, other->name) != 0))
                code = add_name(on, "class.name", nodes[j], class->name, there);
        }
    }
    return code;
}

/* Compares all classes, their kinds, and the nodes that they list. Errors: SERVET_EMEMORY. */
static int diff_classes(srv_diff_walk *on)
{
    int code = compare_lists(on, &on->profile[0]->classes, &on->profile[1]->classes,
                             sizeof(srv_class), &on->node_class, "class.name", compare_class);
    for (int i = 0; i < 2 && code == SERVET_OK; i++)
        code = compare_nodes(on, i);
    return code;
}

/* --- names ------------------------------------------------------------------------------------ */

#define USUAL(name, text, usual) usual,
static const double usual_tolerance[] = {SERVET_QUANTITY_LIST(USUAL)};
#undef USUAL

SRV_NAMES(servet_quantity_name, servet_quantity, SERVET_QUANTITY_LIST)
SRV_NAMES(servet_comparison_name, servet_comparison, SERVET_COMPARISON_LIST)

double servet_quantity_tolerance(servet_quantity quantity)
{
    return (unsigned)quantity < SERVET_QUANTITY_COUNT ? usual_tolerance[quantity] : NAN;
}

/* --- the difference --------------------------------------------------------------------------- */

/* Fills the tolerances: the default ones, except for those that are given. */
static int set_tolerance(double set[SERVET_QUANTITY_COUNT], const double *given, int count,
                         servet_error *error)
{
    memcpy(set, usual_tolerance, sizeof usual_tolerance);
    if (given && (count < 0 || count > SERVET_QUANTITY_COUNT))
        return srv_fail(error, SERVET_EARGUMENT, "tolerances of %d quantities; there are %d", count,
                        SERVET_QUANTITY_COUNT);
    for (int i = 0; given && i < count; i++) {
        if (!(given[i] >= 0))
            return srv_fail(error, SERVET_EARGUMENT,
                            "the tolerance of a %s must be between 0 and 1, not %g",
                            servet_quantity_name((servet_quantity)i), given[i]);
        set[i] = given[i];
    }
    return SERVET_OK;
}

static int compare_all(srv_diff_walk *on)
{
    int code = srv_diff_scope(on, SRV_OF_PROFILE, on->profile[0], on->profile[1]);
    return code == SERVET_OK ? diff_classes(on) : code;
}

int servet_diff_create(servet_diff **diff, const servet_profile *first,
                       const servet_profile *second, const double tolerance[], int count,
                       servet_error *error)
{
    double set[SERVET_QUANTITY_COUNT];
    srv_diff_walk on = {.profile = {first, second}, .tolerance = set, .error = error};
    int code = set_tolerance(set, tolerance, count, error);
    if (code != SERVET_OK)
        return code;
    on.diff = calloc(1, sizeof *on.diff);
    code = on.diff ? compare_all(&on) : srv_fail_memory(error);
    if (code == SERVET_OK)
        *diff = on.diff;
    else
        servet_diff_destroy(on.diff);
    return code;
}
