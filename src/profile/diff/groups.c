/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/diff/groups.h"

#include <stdlib.h>

#include "profile/spans.h"

/* The number of cores that are in group `a` of one list and in group `b` of the other. */
typedef struct overlap {
    int a, b;
    double cores;
} overlap;

static bool ends_before(const srv_span *a, const srv_span *b)
{
    return a->node != b->node ? a->node < b->node : a->last < b->first;
}

static double length(int first, int last)
{
    return (double)last - first + 1;
}

static int add_overlap(srv_list *overlaps, const srv_span *a, const srv_span *b)
{
    overlap *added = srv_list_add(overlaps, sizeof *added);
    if (!added)
        return SERVET_EMEMORY;
    int first = a->first > b->first ? a->first : b->first;
    int last = a->last < b->last ? a->last : b->last;
    *added = (overlap){a->item, b->item, length(first, last)};
    return SERVET_OK;
}

/* Finds the common cores of two lists, in one pass over both. */
static int meet(const srv_list *of_a, const srv_list *of_b, srv_list *overlaps)
{
    const srv_span *a = of_a->spans->span, *b = of_b->spans->span;
    const srv_span *end_a = a + of_a->spans->count, *end_b = b + of_b->spans->count;
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

/* Counts the pairs of cores that are in one group of either list. */
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
    double both = 0, in_a = 0, in_b = 0;
    int code = pairs_within(a, b, &both);
    if (code == SERVET_OK)
        code = pairs_within(a, a, &in_a);
    if (code == SERVET_OK)
        code = pairs_within(b, b, &in_b);
    if (code == SERVET_OK)
        *share = 1 - both / (in_a + in_b - both);
    return code;
}
