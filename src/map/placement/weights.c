/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers which weights decided on a placement. */
#include "core/names.h"
#include "map/placement/placement.h"

SRV_NAMES(servet_rule_name, servet_rule, SERVET_RULE_LIST)

/* Counts the groups within the node: groups of other nodes of the class have numbers, too. */
static int groups_within(const srv_map_class *class, const srv_grouping *grouping)
{
    int groups = 0;
    for (int i = 0; i < class->core_count; i++) {
        bool is_first = grouping->group[i] >= 0;
        for (int k = 0; k < i && is_first; k++)
            is_first = grouping->group[k] != grouping->group[i];
        groups += is_first;
    }
    return groups;
}

int servet_map_weight_count(const servet_map *map, int node, int *count)
{
    if (node < 0 || node >= map->nodes.count || srv_map_processes_on(map, node) == 0)
        return SERVET_ERANGE;
    *count = map->by_rules ? srv_map_class_of(map, node)->grouping_count : 0;
    return SERVET_OK;
}

int servet_map_weight_get(const servet_map *map, int node, int index, servet_map_weight *weight)
{
    int count, code = servet_map_weight_count(map, node, &count);
    if (code != SERVET_OK || index < 0 || index >= count)
        return SERVET_ERANGE;
    const srv_map_class *class = srv_map_class_of(map, node);
    const srv_grouping *grouping = &class->groupings[index];
    *weight = (servet_map_weight){.rule = grouping->rule,
                                  .level = grouping->level,
                                  .groups = groups_within(class, grouping),
                                  .weight = (double)grouping->weight / SRV_WEIGHT_UNIT};
    return SERVET_OK;
}
