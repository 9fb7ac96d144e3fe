/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/placement/place.h"

#include <stdlib.h>

#include "core/error.h"
#include "map/nodes/proximity.h"
#include "map/placement/balance.h"

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

/* The weight of a full node: more than the rules can add. */
static const srv_weight full = 1LL << 60;

/* The tree of nodes, and the position of each node in it. */
typedef struct placing {
    srv_balance balance;
    srv_proximity proximity;
    int *leaf;
    int *taken; /* processes on each node */
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
    srv_balance_add(&state->balance, state->leaf[node], state->leaf[node], after - before);
    for (int l = 0; l < proximity->layer_count; l++) {
        int at = node * proximity->layer_count + l;
        if (proximity->group[at] >= 0)
            srv_balance_add(&state->balance, proximity->first[at], proximity->last[at],
                            proximity->steps[l]);
    }
}

static void finish_state(placing *state)
{
    srv_balance_finish(&state->balance);
    srv_proximity_finish(&state->proximity);
    free(state->leaf);
    free(state->taken);
}

static int begin_state(placing *state, const servet_map *map, const servet_profile *profile,
                       servet_code code, servet_error *error)
{
    int count = map->nodes.count;
    state->leaf = calloc((size_t)count, sizeof *state->leaf);
    state->taken = calloc((size_t)count, sizeof *state->taken);
    if (!state->leaf || !state->taken)
        return srv_fail_memory(error);
    int result = srv_proximity_begin(&state->proximity, profile, &map->nodes, code, error);
    if (result == SERVET_OK)
        result = srv_balance_begin(&state->balance, state->proximity.order, count, error);
    for (int i = 0; i < count && result == SERVET_OK; i++) {
        int node = state->proximity.order[i];
        state->leaf[node] = i;
        srv_balance_add(&state->balance, i, i, next_weight(srv_map_class_of(map, node), 0));
    }
    return result;
}

static int place_by_rules(servet_map *map, const servet_profile *profile, servet_code code,
                          servet_error *error)
{
    placing state = {0};
    int result = begin_state(&state, map, profile, code, error);
    for (int i = 0; i < map->count && result == SERVET_OK; i++) {
        int node = srv_balance_best(&state.balance);
        take(&state, srv_map_class_of(map, node), node);
    }
    if (result == SERVET_OK)
        fill_places(map, state.taken);
    finish_state(&state);
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
