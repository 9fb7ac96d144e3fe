/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/nodes/node_class.h"

#include <limits.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "core/search.h"

void srv_map_class_finish(srv_map_class *class)
{
    free(class->groupings);
    srv_room_free(&class->room);
}

int srv_map_class_begin(srv_map_class *class, const char *cores, servet_error *error)
{
    int first, last;
    class->cores =
        srv_room_take(&class->room, (size_t)srv_ranges_count(cores) + 1, sizeof *class->cores);
    if (!class->cores)
        return srv_fail_memory(error);
    while (srv_ranges_next(&cores, &first, &last))
        for (int core = first; core <= last; core++)
            class->cores[class->core_count++] = core;
    return SERVET_OK;
}

/* The logical number of a PU is the number of PUs before it. */
int srv_map_class_number(srv_map_class *class, const char *order, servet_error *error)
{
    int first, last;
    class->logical =
        srv_room_take(&class->room, (size_t) class->core_count + 1, sizeof *class->logical);
    if (!class->logical)
        return srv_fail_memory(error);
    for (int i = 0; i < class->core_count; i++)
        class->logical[i] = -1;
    for (long long before = 0; srv_ranges_next(&order, &first, &last); before += last - first + 1)
        for (int i = srv_map_class_index(class, first);
             i < class->core_count && class->cores[i] <= last; i++)
            if (before + class->cores[i] - first <= INT_MAX)
                class->logical[i] = (int)(before + class->cores[i] - first);
    return SERVET_OK;
}

srv_grouping *srv_map_class_add(srv_map_class *class, servet_rule rule, srv_weight weight)
{
    size_t count = (size_t) class->grouping_count;
    srv_grouping *groupings = realloc(class->groupings, (count + 1) * sizeof *groupings);
    if (!groupings)
        return NULL;
    class->groupings = groupings;
    int *group = srv_room_take(&class->room, (size_t) class->core_count, sizeof *group);
    if (!group)
        return NULL;
    for (int i = 0; i < class->core_count; i++)
        group[i] = -1;
    groupings[class->grouping_count++] =
        (srv_grouping){.rule = rule, .group = group, .weight = weight};
    return &groupings[count];
}

static bool is_below(const void *core, const void *number)
{
    return *(const int *)core < *(const int *)number;
}

int srv_map_class_index(const srv_map_class *class, int number)
{
    return srv_count_before(class->cores, class->core_count, sizeof number, is_below, &number);
}

void srv_grouping_mark(const srv_map_class *class, srv_grouping *grouping, int group, int first,
                       int last)
{
    for (int i = srv_map_class_index(class, first);
         i < class->core_count && class->cores[i] <= last; i++)
        grouping->group[i] = group;
    if (group >= grouping->group_count)
        grouping->group_count = group + 1;
}
