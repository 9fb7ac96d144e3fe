/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/diff/groups.h"

#include <stdlib.h>
#include <string.h>

#include "core/places.h"
#include "core/ranges.h"

/* Cores first..last of a node, which are in a group. */
typedef struct stretch {
    int node, first, last, group;
} stretch;

/* So many cores that are in group `a` of one list and `b` of the other. */
typedef struct overlap {
    int a, b;
    double cores;
} overlap;

static int add_nodes(srv_list *stretches, const srv_places_part *part, int group)
{
    for (int node = part->first_node; node <= part->last_node; node++) {
        stretch *added = srv_list_add(stretches, sizeof *added);
        if (!added)
            return SERVET_EMEMORY;
        *added = (stretch){node, part->first_core, part->last_core, group};
    }
    return SERVET_OK;
}

/* A set of cores without nodes is one of node 0. */
static int add_set(srv_list *stretches, const char *set, int group)
{
    srv_places_part part = {0, 0, 0, 0};
    int code = SERVET_OK;
    bool of_nodes = strchr(set, ':') != NULL;
    while (code == SERVET_OK &&
           (of_nodes ? srv_places_next(&set, &part)
                     : srv_ranges_next(&set, &part.first_core, &part.last_core)))
        code = add_nodes(stretches, &part, group);
    return code;
}

static int in_order(const void *a, const void *b)
{
    const stretch *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* All stretches of a list of sets, by node and core. */
static int spread_out(const srv_list *sets, srv_list *stretches)
{
    int code = SERVET_OK;
    for (int i = 0; i < sets->count && code == SERVET_OK; i++)
        code = add_set(stretches, ((char *const *)sets->items)[i], i);
    if (stretches->count)
        qsort(stretches->items, (size_t)stretches->count, sizeof(stretch), in_order);
    return code;
}

static bool ends_before(const stretch *a, const stretch *b)
{
    return a->node != b->node ? a->node < b->node : a->last < b->first;
}

static double length(int first, int last)
{
    return (double)last - first + 1;
}

static int add_overlap(srv_list *overlaps, const stretch *a, const stretch *b)
{
    overlap *added = srv_list_add(overlaps, sizeof *added);
    if (!added)
        return SERVET_EMEMORY;
    int first = a->first > b->first ? a->first : b->first;
    int last = a->last < b->last ? a->last : b->last;
    *added = (overlap){a->group, b->group, length(first, last)};
    return SERVET_OK;
}

/* Where both lists have a core: goes along both at once. */
static int meet(const srv_list *of_a, const srv_list *of_b, srv_list *overlaps)
{
    const stretch *a = of_a->items, *b = of_b->items;
    const stretch *end_a = a + of_a->count, *end_b = b + of_b->count;
    int code = SERVET_OK;
    while (a < end_a && b < end_b && code == SERVET_OK) {
        if (ends_before(a, b))
            a++;
        else if (ends_before(b, a))
            b++;
        else {
            code = add_overlap(overlaps, a, b);
            if (a->last < b->last)
                a++;
            else
                b++;
        }
    }
    return code;
}

static int by_groups(const void *a, const void *b)
{
    const overlap *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* Pairs of cores of which both are in the same group of either list. */
static double pairs_of(srv_list *overlaps)
{
    overlap *all = overlaps->items;
    double pairs = 0;
    if (overlaps->count)
        qsort(all, (size_t)overlaps->count, sizeof *all, by_groups);
    for (int i = 0; i < overlaps->count;) {
        double cores = 0;
        int group = i;
        for (; i < overlaps->count && by_groups(&all[i], &all[group]) == 0; i++)
            cores += all[i].cores;
        pairs += cores * cores;
    }
    return pairs;
}

static int pairs_within(const srv_list *a, const srv_list *b, double *pairs)
{
    srv_list overlaps = {0};
    int code = meet(a, b, &overlaps);
    *pairs = pairs_of(&overlaps);
    free(overlaps.items);
    return code;
}

int srv_groups_difference(const srv_list *a, const srv_list *b, double *share)
{
    srv_list of_a = {0}, of_b = {0};
    double both = 0, in_a = 0, in_b = 0;
    int code = spread_out(a, &of_a);
    if (code == SERVET_OK)
        code = spread_out(b, &of_b);
    if (code == SERVET_OK)
        code = pairs_within(&of_a, &of_b, &both);
    if (code == SERVET_OK)
        code = pairs_within(&of_a, &of_a, &in_a);
    if (code == SERVET_OK)
        code = pairs_within(&of_b, &of_b, &in_b);
    free(of_a.items);
    free(of_b.items);
    if (code == SERVET_OK)
        *share = 1 - both / (in_a + in_b - both);
    return code;
}
