/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/tree/slot_tree.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/error.h"
#include "map/nodes/known_torus.h"
#include "profile/spans.h"
#include "servet/network.h"

void srv_slot_tree_finish(srv_slot_tree *tree)
{
    srv_room_free(&tree->room);
}

const int *srv_slot_tree_groups(const srv_slot_tree *tree, int slot)
{
    return &tree->group[(size_t)slot * (size_t)tree->levels];
}

int srv_slot_tree_common_level(const srv_slot_tree *tree, int a, int b)
{
    const int *of_a = srv_slot_tree_groups(tree, a), *of_b = srv_slot_tree_groups(tree, b);
    int level = 0;
    while (of_a[level] != of_b[level])
        level++;
    return level;
}

/* --- levels ----------------------------------------------------------------------------------- */

/* Adds the layers within nodes or between them, from level `level` on; returns the next level. */
static int list_layers(srv_slot_tree *tree, const servet_profile *profile, int count,
                       bool between_nodes, int level)
{
    servet_network_layer layer;
    for (int number = 1; number <= count; number++)
        if (servet_network_layer_get(profile, number, &layer) == SERVET_OK &&
            layer.between_nodes == between_nodes)
            tree->layer[level++] = number;
    return level;
}

/* Lists the levels. Messages within a node that meet in no layer have the cost of the farthest
 * layer within nodes; other messages that meet in no layer have the cost of the farthest layer of
 * all. */
static int list_levels(srv_slot_tree *tree, const servet_profile *profile, servet_error *error)
{
    int layers = 0;
    (void)servet_network_layer_count(profile, &layers);
    if (layers == 0)
        return srv_fail(error, SERVET_EUNMEASURED,
                        "the profile has no message costs: run servet-mpi measure");
    size_t most = (size_t)layers + 2;
    tree->layer = srv_room_take(&tree->room, most, sizeof *tree->layer);
    tree->group_count = srv_room_take(&tree->room, most, sizeof *tree->group_count);
    if (tree->room.failed)
        return srv_fail_memory(error);
    tree->node_level = list_layers(tree, profile, layers, false, 0);
    tree->layer[tree->node_level] = tree->node_level > 0 ? tree->layer[tree->node_level - 1] : 1;
    int last = list_layers(tree, profile, layers, true, tree->node_level + 1);
    tree->layer[last] = tree->layer[last - 1];
    tree->levels = last + 1;
    return SERVET_OK;
}

/* --- groups ----------------------------------------------------------------------------------- */

/* A slot and the number of its group in a level. */
typedef struct keyed {
    int64_t key;
    int slot;
} keyed;

/* The key of a slot in no group: above any number of a group. */
static const int64_t alone = (int64_t)1 << 31;

/* Returns the key of a slot's group; `groups` are the groups of the level's layer. A node is in the
 * group of its first core. Nodes are in the order of their places in a torus, others follow. */
static int64_t key_of(const srv_slot_tree *tree, const srv_list *groups, const srv_map_slot *slot,
                      int number, int level)
{
    bool placed = slot->job_node >= 0 && slot->job_node < tree->place_count;
    int64_t node = placed ? tree->place[slot->job_node] : tree->place_count + (int64_t)slot->node;
    if (level == tree->levels - 1)
        return 0;
    if (level == tree->node_level)
        return node;
    if (level > tree->node_level) {
        int group = srv_spans_first(groups, slot->job_node);
        return group >= 0 ? group : alone + node;
    }
    int group = srv_spans_find(groups, (servet_place){slot->like, slot->core});
    return node << 32 | (group >= 0 ? group : alone + number);
}

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

/* Numbers the groups of a level. */
static void find_groups(srv_slot_tree *tree, const srv_comm *comm, const srv_map_slot *slots,
                        int level, keyed *items)
{
    const srv_comm_layer *layers = comm->layers.items;
    const srv_list *groups = &layers[tree->layer[level] - 1].groups;
    for (int s = 0; s < tree->count; s++)
        items[s] = (keyed){key_of(tree, groups, &slots[s], s, level), s};
    qsort(items, (size_t)tree->count, sizeof *items, by_key);
    int group = -1;
    for (int i = 0; i < tree->count; i++) {
        group += i == 0 || items[i].key != items[i - 1].key;
        tree->group[(size_t)items[i].slot * (size_t)tree->levels + (size_t)level] = group;
    }
    tree->group_count[level] = group + 1;
}

/* Sorts slots by their group in a level. The groups of a level lie within groups of the next one,
 * so that stable sorts by all levels, nearest first, make the slots of each group contiguous. */
static void sort_by_group(srv_slot_tree *tree, int level, int *begin, int *sorted)
{
    int groups = tree->group_count[level];
    for (int g = 0; g <= groups; g++)
        begin[g] = 0;
    for (int i = 0; i < tree->count; i++)
        begin[srv_slot_tree_groups(tree, i)[level] + 1]++;
    for (int g = 0; g < groups; g++)
        begin[g + 1] += begin[g];
    for (int i = 0; i < tree->count; i++)
        sorted[begin[srv_slot_tree_groups(tree, tree->order[i])[level]]++] = tree->order[i];
    for (int i = 0; i < tree->count; i++)
        tree->order[i] = sorted[i];
}

/* Finds the places of the job's nodes if they form a torus, so that near nodes are near in the
 * order. */
static void place_nodes(srv_slot_tree *tree, const servet_profile *profile)
{
    srv_known_torus known;
    srv_torus_get(profile, &known);
    if (known.torus.count == 0)
        return;
    tree->place_count = srv_torus_nodes(&known.torus);
    tree->place = srv_room_take(&tree->room, (size_t)tree->place_count, sizeof *tree->place);
    if (tree->place)
        srv_torus_order(&known.torus, tree->place);
}

int srv_slot_tree_begin(srv_slot_tree *tree, const servet_profile *profile,
                        const srv_map_slot *slots, int count, servet_error *error)
{
    size_t n = (size_t)count;
    srv_room work = {0};
    tree->count = count;
    int code = list_levels(tree, profile, error);
    if (code != SERVET_OK)
        return code;
    tree->group = srv_room_take(&tree->room, n * (size_t)tree->levels, sizeof *tree->group);
    tree->order = srv_room_take(&tree->room, n, sizeof *tree->order);
    tree->job_node = srv_room_take(&tree->room, n, sizeof *tree->job_node);
    keyed *items = srv_room_take(&work, n, sizeof *items);
    int *begin = srv_room_take(&work, n + 1, sizeof *begin);
    int *sorted = srv_room_take(&work, n, sizeof *sorted);
    place_nodes(tree, profile);
    bool failed = tree->room.failed || work.failed;
    for (int s = 0; s < count && !failed; s++) {
        tree->order[s] = s;
        tree->job_node[s] = slots[s].job_node;
    }
    for (int level = 0; level < tree->levels && !failed; level++) {
        find_groups(tree, profile->network.items, slots, level, items);
        sort_by_group(tree, level, begin, sorted);
    }
    srv_room_free(&work);
    return failed ? srv_fail_memory(error) : SERVET_OK;
}
