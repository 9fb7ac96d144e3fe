/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/nodes/blocks.h"

#include <stdbool.h>

#include "servet/error.h"

/* Sorts `order` by the groups of a grouping, cores without a group last; the sort is stable. */
static void sort_by(const srv_grouping *grouping, int *order, int count, int *begin, int *sorted)
{
    int groups = grouping->group_count;
    for (int g = 0; g <= groups + 1; g++)
        begin[g] = 0;
    for (int i = 0; i < count; i++)
        begin[(grouping->group[i] < 0 ? groups : grouping->group[i]) + 1]++;
    for (int g = 0; g <= groups; g++)
        begin[g + 1] += begin[g];
    for (int i = 0; i < count; i++) {
        int group = grouping->group[order[i]];
        sorted[begin[group < 0 ? groups : group]++] = order[i];
    }
    for (int i = 0; i < count; i++)
        order[i] = sorted[i];
}

/* Returns the grouping after `last`, ordered by the number of groups, largest first; NULL: none is
 * left.
 */
static const srv_grouping *next_wider(const srv_map_class *class, const srv_grouping *last)
{
    const srv_grouping *found = NULL;
    for (const srv_grouping *f = class->groupings; f < class->groupings + class->grouping_count;
         f++) {
        bool wider = !last || f->group_count < last->group_count ||
                     (f->group_count == last->group_count && f > last);
        if (wider && (!found || f->group_count > found->group_count))
            found = f;
    }
    return found;
}

/* Sorts cores by the widest groups that they share, then by the next, and so on. */
static void sort_cores(const srv_map_class *class, int *order, int *begin, int *sorted)
{
    for (int i = 0; i < class->core_count; i++)
        order[i] = i;
    const srv_grouping *grouping = NULL;
    while (class->grouping_count && (grouping = next_wider(class, grouping)))
        sort_by(grouping, order, class->core_count, begin, sorted);
}

static int most_groups(const srv_map_class *class)
{
    int most = 0;
    for (int i = 0; i < class->grouping_count; i++)
        if (class->groupings[i].group_count > most)
            most = class->groupings[i].group_count;
    return most;
}

int srv_blocks_add(srv_map_class *class, int count, srv_weight weight)
{
    size_t cores = (size_t) class->core_count;
    srv_room room = {0};
    int *order = srv_room_take(&room, cores + 1, sizeof *order);
    int *sorted = srv_room_take(&room, cores + 1, sizeof *sorted);
    int *begin = srv_room_take(&room, (size_t)most_groups(class) + 2, sizeof *begin);
    if (!room.failed)
        sort_cores(class, order, begin, sorted);
    srv_grouping *grouping =
        room.failed ? NULL : srv_map_class_add(class, SERVET_RULE_NETWORK, weight);
    for (int i = 0; grouping && i < class->core_count; i++)
        grouping->group[order[i]] = (int)((long long)i * count / class->core_count);
    if (grouping)
        grouping->group_count = count;
    srv_room_free(&room);
    return grouping ? SERVET_OK : SERVET_EMEMORY;
}
