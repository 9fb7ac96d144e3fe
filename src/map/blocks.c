/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/blocks.h"

#include <stdbool.h>
#include <stdlib.h>

#include "servet/error.h"

/* Sorts `order` by the groups of a family, those in none last; what is equal stays in its order. */
static void sort_by(const srv_family *family, int *order, int count, int *begin, int *sorted)
{
    int groups = family->group_count;
    for (int g = 0; g <= groups + 1; g++)
        begin[g] = 0;
    for (int i = 0; i < count; i++)
        begin[(family->group[i] < 0 ? groups : family->group[i]) + 1]++;
    for (int g = 0; g <= groups; g++)
        begin[g + 1] += begin[g];
    for (int i = 0; i < count; i++) {
        int group = family->group[order[i]];
        sorted[begin[group < 0 ? groups : group]++] = order[i];
    }
    for (int i = 0; i < count; i++)
        order[i] = sorted[i];
}

/* The family after `last` when they are sorted by their numbers of groups, the most first; NULL:
 * none. */
static const srv_family *next_wider(const srv_map_kind *kind, const srv_family *last)
{
    const srv_family *found = NULL;
    for (const srv_family *f = kind->families; f < kind->families + kind->family_count; f++) {
        bool wider = !last || f->group_count < last->group_count ||
                     (f->group_count == last->group_count && f > last);
        if (wider && (!found || f->group_count > found->group_count))
            found = f;
    }
    return found;
}

/* Cores that share the widest groups together, among them those that share the next, ... */
static void sort_cores(const srv_map_kind *kind, int *order, int *begin, int *sorted)
{
    for (int i = 0; i < kind->core_count; i++)
        order[i] = i;
    const srv_family *family = NULL;
    while (kind->family_count && (family = next_wider(kind, family)))
        sort_by(family, order, kind->core_count, begin, sorted);
}

static int most_groups(const srv_map_kind *kind)
{
    int most = 0;
    for (int i = 0; i < kind->family_count; i++)
        if (kind->families[i].group_count > most)
            most = kind->families[i].group_count;
    return most;
}

int srv_blocks_add(srv_map_kind *kind, int count, srv_weight weight)
{
    size_t cores = (size_t)kind->core_count;
    int *order = calloc(cores + 1, sizeof *order);
    int *sorted = calloc(cores + 1, sizeof *sorted);
    int *begin = calloc((size_t)most_groups(kind) + 2, sizeof *begin);
    if (order && sorted && begin)
        sort_cores(kind, order, begin, sorted);
    srv_family *family =
        order && sorted && begin ? srv_map_kind_add(kind, SRV_RULE_NETWORK, weight) : NULL;
    for (int i = 0; family && i < kind->core_count; i++)
        family->group[order[i]] = (int)((long long)i * count / kind->core_count);
    if (family)
        family->group_count = count;
    free(order);
    free(sorted);
    free(begin);
    return family ? SERVET_OK : SERVET_EMEMORY;
}
