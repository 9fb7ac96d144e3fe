/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/kind.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"

void srv_kind_finish(srv_map_kind *kind)
{
    for (int i = 0; i < kind->family_count; i++)
        free(kind->families[i].group);
    free(kind->families);
    free(kind->cores);
    free(kind->seat_cores);
    free(kind->next);
    *kind = (srv_map_kind){0};
}

int srv_kind_begin(srv_map_kind *kind, const char *cores, servet_error *error)
{
    int first, last;
    kind->cores = calloc((size_t)srv_ranges_count(cores) + 1, sizeof *kind->cores);
    if (!kind->cores)
        return srv_fail_memory(error);
    while (srv_ranges_next(&cores, &first, &last))
        for (int core = first; core <= last; core++)
            kind->cores[kind->core_count++] = core;
    return SERVET_OK;
}

srv_family *srv_map_kind_add(srv_map_kind *kind, srv_map_rule rule, srv_weight weight)
{
    size_t count = (size_t)kind->family_count;
    srv_family *families = realloc(kind->families, (count + 1) * sizeof *families);
    if (!families)
        return NULL;
    kind->families = families;
    int *group = malloc((size_t)kind->core_count * sizeof *group);
    if (!group)
        return NULL;
    for (int i = 0; i < kind->core_count; i++)
        group[i] = -1;
    families[kind->family_count++] = (srv_family){.rule = rule, .group = group, .weight = weight};
    return &families[count];
}

int srv_kind_place(const srv_map_kind *kind, int number)
{
    int low = 0, high = kind->core_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (kind->cores[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void srv_family_mark(const srv_map_kind *kind, srv_family *family, int group, int first, int last)
{
    for (int i = srv_kind_place(kind, first); i < kind->core_count && kind->cores[i] <= last; i++)
        family->group[i] = group;
    if (group >= family->group_count)
        family->group_count = group + 1;
}
