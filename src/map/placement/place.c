/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/placement/place.h"

#include <limits.h>
#include <stdbool.h>

#include "core/error.h"
#include "map/nodes/node_class.h"
#include "map/placement/proximity.h"

/* Nodes at the leaves of a binary tree, in an order in which close nodes are contiguous. */
typedef struct srv_balance {
    int size;          /* leaves: a power of two */
    srv_weight *least; /* weight of the lightest node below, without weights added above */
    srv_weight *added; /* weight added to all nodes below */
    int *best;         /* number of the lightest node below */
} srv_balance;

/* The weight of a full node, and of an unused leaf: more than the rules can add. */
static const srv_weight full = 1LL << 60;

static void refresh(srv_balance *balance, int at)
{
    int left = 2 * at, right = 2 * at + 1;
    srv_weight a = balance->least[left], b = balance->least[right];
    bool take_left = a != b ? a < b : balance->best[left] < balance->best[right];
    int child = take_left ? left : right;
    balance->least[at] = balance->least[child] + balance->added[at];
    balance->best[at] = balance->best[child];
}

/* Puts node order[i] at leaf i, for `count` nodes without weight. Errors: SERVET_EMEMORY. */
static int balance_begin(srv_balance *balance, const int *order, int count, srv_room *room,
                         servet_error *error)
{
    balance->size = 1;
    while (balance->size < count)
        balance->size *= 2;
    size_t size = 2 * (size_t)balance->size;
    balance->least = srv_room_take(room, size, sizeof *balance->least);
    balance->added = srv_room_take(room, size, sizeof *balance->added);
    balance->best = srv_room_take(room, size, sizeof *balance->best);
    if (room->failed)
        return srv_fail_memory(error);
    for (int i = 0; i < balance->size; i++) {
        balance->best[balance->size + i] = i < count ? order[i] : INT_MAX;
        balance->least[balance->size + i] = i < count ? 0 : full;
    }
    for (int at = balance->size - 1; at > 0; at--)
        refresh(balance, at);
    return SERVET_OK;
}

/* Adds the weight to the leaves first..last among the leaves low..high below `at`. */
static void add(srv_balance *balance, int at, int low, int high, int first, int last,
                srv_weight weight)
{
    if (last < low || high < first)
        return;
    if (first <= low && high <= last) {
        balance->least[at] += weight;
        balance->added[at] += weight;
        return;
    }
    int middle = low + (high - low) / 2;
    add(balance, 2 * at, low, middle, first, last, weight);
    add(balance, 2 * at + 1, middle + 1, high, first, last, weight);
    refresh(balance, at);
}

/* Adds `weight` to the nodes at the leaves first..last. */
static void balance_add(srv_balance *balance, int first, int last, srv_weight weight)
{
    add(balance, 1, 0, balance->size - 1, first, last, weight);
}

/* --- the scheduler's orders ------------------------------------------------------------------- */

/* Fills the nodes one after the other, node n with taken[n] processes. */
static void fill_places(servet_map *map, const int *taken)
{
    int rank = 0;
    for (int n = 0; n < map->nodes.count; n++)
        for (int slot = 0; slot < taken[n]; slot++)
            map->places[rank++] = (srv_map_place){.node = n, .slot = slot};
}

static int place_block(servet_map *map)
{
    int rank = 0;
    for (int n = 0; n < map->nodes.count; n++)
        for (int slot = 0; slot < srv_map_class_of(map, n)->slot_count && rank < map->count; slot++)
            map->places[rank++] = (srv_map_place){.node = n, .slot = slot};
    return SERVET_OK;
}

static int place_cyclic(servet_map *map)
{
    for (int rank = 0, slot = 0; rank < map->count; slot++)
        for (int n = 0; n < map->nodes.count && rank < map->count; n++)
            if (slot < srv_map_class_of(map, n)->slot_count)
                map->places[rank++] = (srv_map_place){.node = n, .slot = slot};
    return SERVET_OK;
}

/* --- the rules -------------------------------------------------------------------------------- */

/* The tree of nodes, and the position of each node in it. */
typedef struct placing {
    srv_balance balance;
    srv_proximity proximity;
    int *leaf;
    int *taken; /* processes on each node */
    srv_room room;
} placing;

static srv_weight next_weight(const srv_map_class *class, int taken)
{
    return taken < class->slot_count ? class->next[taken] : full;
}

static void take(placing *state, const srv_map_class *class, int node)
{
    const srv_proximity *proximity = &state->proximity;
    srv_weight before = next_weight(class, state->taken[node]++);
    srv_weight after = next_weight(class, state->taken[node]);
    balance_add(&state->balance, state->leaf[node], state->leaf[node], after - before);
    for (int l = 0; l < proximity->layer_count; l++) {
        int at = node * proximity->layer_count + l;
        if (proximity->first[at] >= 0)
            balance_add(&state->balance, proximity->first[at], proximity->last[at],
                        proximity->steps[l]);
    }
}

static int begin_state(placing *state, const servet_map *map, const servet_profile *profile,
                       servet_code code, servet_error *error)
{
    int count = map->nodes.count;
    state->leaf = srv_room_take(&state->room, (size_t)count, sizeof *state->leaf);
    state->taken = srv_room_take(&state->room, (size_t)count, sizeof *state->taken);
    if (state->room.failed)
        return srv_fail_memory(error);
    int result = srv_proximity_begin(&state->proximity, profile, &map->nodes, code, error);
    if (result == SERVET_OK)
        result = balance_begin(&state->balance, state->proximity.order, count, &state->room, error);
    for (int i = 0; i < count && result == SERVET_OK; i++) {
        int node = state->proximity.order[i];
        state->leaf[node] = i;
        balance_add(&state->balance, i, i, next_weight(srv_map_class_of(map, node), 0));
    }
    return result;
}

static int place_by_rules(servet_map *map, const servet_profile *profile, servet_code code,
                          servet_error *error)
{
    placing state = {0};
    int result = begin_state(&state, map, profile, code, error);
    for (int i = 0; i < map->count && result == SERVET_OK; i++) {
        int node = state.balance.best[1];
        take(&state, srv_map_class_of(map, node), node);
    }
    if (result == SERVET_OK)
        fill_places(map, state.taken);
    srv_proximity_finish(&state.proximity);
    srv_room_free(&state.room);
    return result;
}

int srv_place(servet_map *map, const servet_profile *profile, const servet_map_request *request,
              servet_error *error)
{
    if (request->order == SERVET_ORDER_BLOCK)
        return place_block(map);
    if (request->order == SERVET_ORDER_CYCLIC)
        return place_cyclic(map);
    return place_by_rules(map, profile, request->code, error);
}
