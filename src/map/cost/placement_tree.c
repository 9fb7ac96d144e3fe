/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/cost/placement_tree.h"

#include <stdlib.h>

#include "core/error.h"
#include "servet/network.h"

int srv_representative_node(const servet_profile *profile, int node_class)
{
    const char *host;
    int own, only = servet_profile_class_count(profile) == 1;
    for (int i = 0; (host = servet_network_node(profile, i)); i++)
        if (only ||
            (servet_profile_class_of(profile, host, &own) == SERVET_OK && own == node_class))
            return i;
    return -1;
}

static srv_map_slot slot_of(const servet_map *map, int rank, const int *like)
{
    servet_map_process process;
    (void)servet_map_process_get(map, rank, &process);
    const srv_map_node *node = &map->nodes.items[process.node];
    return (srv_map_slot){process.node, node->job_node,
                          node->job_node >= 0 ? node->job_node : like[node->node_class],
                          process.cores[0]};
}

int srv_placement_tree_begin(srv_slot_tree *tree, const servet_map *map,
                             const servet_profile *profile, servet_error *error)
{
    int *like = calloc((size_t)map->class_count + 1, sizeof *like);
    srv_map_slot *slots = calloc((size_t)map->count, sizeof *slots);
    int code = like && slots ? SERVET_OK : srv_fail_memory(error);
    for (int c = 0; c < map->class_count && code == SERVET_OK; c++)
        like[c] = srv_representative_node(profile, c);
    for (int rank = 0; rank < map->count && code == SERVET_OK; rank++)
        slots[rank] = slot_of(map, rank, like);
    if (code == SERVET_OK)
        code = srv_slot_tree_begin(tree, profile, slots, map->count, error);
    free(like);
    free(slots);
    return code;
}
