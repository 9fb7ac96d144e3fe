/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/placement/placement.h"

#include <math.h>
#include <stdlib.h>

#include "core/names.h"

const srv_map_class *srv_map_class_of(const servet_map *map, int node)
{
    return &map->classes[map->nodes.items[node].node_class];
}

int srv_map_processes_on(const servet_map *map, int node)
{
    return map->first[node + 1] - map->first[node];
}

void srv_map_list(servet_map *map)
{
    for (int n = 0; n <= map->nodes.count; n++)
        map->first[n] = 0;
    for (int rank = 0; rank < map->count; rank++)
        map->places[rank].local = map->first[map->places[rank].node + 1]++;
    for (int n = 0; n < map->nodes.count; n++)
        map->first[n + 1] += map->first[n];
    for (int rank = 0; rank < map->count; rank++)
        map->ranks[map->first[map->places[rank].node] + map->places[rank].local] = rank;
}

void servet_map_destroy(servet_map *map)
{
    if (!map)
        return;
    for (int i = 0; i < map->class_count && map->classes; i++)
        srv_map_class_finish(&map->classes[i]);
    srv_room_free(&map->room);
    srv_nodes_finish(&map->nodes);
    free(map);
}

double srv_map_speed(const servet_map *map, const srv_map_place *place)
{
    const srv_map_class *class = srv_map_class_of(map, place->node);
    double slowest = 1;
    for (int t = 0; t < map->threads; t++) {
        int core = class->slot_cores[place->slot * map->threads + t];
        slowest = fmin(slowest, class->speed[srv_map_class_index(class, core)]);
    }
    return slowest;
}

int servet_map_process_count(const servet_map *map)
{
    return map->count;
}

int servet_map_process_get(const servet_map *map, int rank, servet_map_process *process)
{
    if (rank < 0 || rank >= map->count)
        return SERVET_ERANGE;
    const srv_map_place *place = &map->places[rank];
    int devices = srv_map_class_of(map, place->node)->devices;
    *process = (servet_map_process){
        .host = map->nodes.items[place->node].host,
        .node = place->node,
        .local = place->local,
        .cores = &srv_map_class_of(map, place->node)->slot_cores[place->slot * map->threads],
        .core_count = map->threads,
        .accelerator = devices > 0 ? place->slot % devices : -1,
        .weight = (double)srv_map_class_of(map, place->node)->next[place->slot] / SRV_WEIGHT_UNIT,
        .speed = srv_map_speed(map, place),
    };
    return SERVET_OK;
}

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
