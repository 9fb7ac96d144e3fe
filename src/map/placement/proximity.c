/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/placement/proximity.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "map/tree/slot_tree.h"
#include "profile/query/network.h"
#include "profile/spans.h"

void srv_proximity_finish(srv_proximity *proximity)
{
    srv_room_free(&proximity->room);
}

/* Returns true if a group of the layer, from 1, has a node of the job. */
static bool is_joined(const servet_profile *profile, int layer, int job_node)
{
    const srv_comm *comm = profile->network.items;
    const srv_comm_layer *layers = comm->layers.items;
    return srv_spans_first(&layers[layer - 1].groups, job_node) >= 0;
}

/* Finds the first and the last node of each group of a level of the tree. */
static void find_ends(srv_proximity *proximity, const servet_profile *profile,
                      const srv_slot_tree *tree, int level)
{
    int layer = tree->layer[level], count = tree->count;
    bool known = srv_demand_groups(profile, layer) == SERVET_OK;
    for (int begin = 0, end; begin < count; begin = end) {
        int group = srv_slot_tree_groups(tree, tree->order[begin])[level];
        for (end = begin; end < count; end++)
            if (srv_slot_tree_groups(tree, tree->order[end])[level] != group)
                break;
        for (int i = begin; i < end; i++) {
            int node = tree->order[i];
            int at = node * proximity->layer_count + level - tree->node_level - 1;
            bool joined = known && is_joined(profile, layer, tree->job_node[node]);
            proximity->first[at] = joined ? begin : -1;
            proximity->last[at] = end - 1;
        }
    }
}

static bool make_room(srv_proximity *proximity, size_t nodes)
{
    size_t layers = (size_t)proximity->layer_count;
    proximity->steps = srv_room_take(&proximity->room, layers, sizeof *proximity->steps);
    proximity->first = srv_room_take(&proximity->room, nodes * layers, sizeof *proximity->first);
    proximity->last = srv_room_take(&proximity->room, nodes * layers, sizeof *proximity->last);
    return !proximity->room.failed;
}

/* Reads the levels of the tree that are layers between nodes. */
static int read_layers(srv_proximity *proximity, const servet_profile *profile,
                       const srv_slot_tree *tree, servet_code code)
{
    srv_weight *steps;
    int layers, first = tree->node_level + 1;
    proximity->layer_count = tree->levels - 1 - first;
    if (!make_room(proximity, (size_t)tree->count) ||
        srv_rules_layers(profile, code, &steps, &layers, NULL) != SERVET_OK)
        return SERVET_EMEMORY;
    memcpy(proximity->order, tree->order, (size_t)tree->count * sizeof *tree->order);
    for (int l = 0; l < proximity->layer_count; l++) {
        proximity->steps[l] = steps[tree->layer[first + l] - 1];
        find_ends(proximity, profile, tree, first + l);
    }
    free(steps);
    return SERVET_OK;
}

int srv_proximity_begin(srv_proximity *proximity, const servet_profile *profile,
                        const srv_nodes *nodes, servet_code code, servet_error *error)
{
    size_t count = (size_t)nodes->count;
    srv_slot_tree tree = {0};
    srv_map_slot *slots = srv_room_take(&proximity->room, count, sizeof *slots);
    proximity->order = srv_room_take(&proximity->room, count, sizeof *proximity->order);
    if (proximity->room.failed)
        return srv_fail_memory(error);
    for (int n = 0; n < nodes->count; n++) {
        int job_node = nodes->items[n].job_node;
        proximity->order[n] = n;
        slots[n] = (srv_map_slot){n, job_node, job_node, 0};
    }
    int result = srv_slot_tree_begin(&tree, profile, slots, nodes->count, NULL);
    if (result == SERVET_OK)
        result = read_layers(proximity, profile, &tree, code);
    srv_slot_tree_finish(&tree);
    return result == SERVET_EMEMORY ? srv_fail_memory(error) : SERVET_OK;
}
