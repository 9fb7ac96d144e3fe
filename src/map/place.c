/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/place.h"

#include <stdlib.h>

#include "core/error.h"
#include "map/near.h"
#include "map/spread.h"

/* --- the scheduler's orders ------------------------------------------------------------------- */

/* Puts the first processes, taken[n] of node n, on their nodes, node by node. */
static void fill_places(servet_map *map, const int *taken)
{
    int rank = 0;
    for (int n = 0; n < map->nodes.count; n++)
        for (int seat = 0; seat < taken[n]; seat++)
            map->places[rank++] = (srv_map_place){.node = n, .seat = seat};
}

static int place_block(servet_map *map)
{
    int rank = 0;
    for (int n = 0; n < map->nodes.count; n++)
        for (int seat = 0; seat < srv_map_kind_of(map, n)->seat_count && rank < map->count; seat++)
            map->places[rank++] = (srv_map_place){.node = n, .seat = seat};
    return SERVET_OK;
}

static int place_cyclic(servet_map *map)
{
    for (int rank = 0, seat = 0; rank < map->count; seat++)
        for (int n = 0; n < map->nodes.count && rank < map->count; n++)
            if (seat < srv_map_kind_of(map, n)->seat_count)
                map->places[rank++] = (srv_map_place){.node = n, .seat = seat};
    return SERVET_OK;
}

/* --- the rules -------------------------------------------------------------------------------- */

/* More than all that the rules add up to; a full node is that heavy. */
static const srv_weight full = 1LL << 60;

/* What the tree knows, and where each node is in it. */
typedef struct placing {
    srv_map_spread spread;
    srv_near near;
    int *leaf;
    int *taken; /* processes on each node */
} placing;

static srv_weight next_weight(const srv_map_kind *kind, int taken)
{
    return taken < kind->seat_count ? kind->next[taken] : full;
}

static void take(placing *state, const srv_map_kind *kind, int node)
{
    const srv_near *near = &state->near;
    srv_weight before = next_weight(kind, state->taken[node]++);
    srv_weight after = next_weight(kind, state->taken[node]);
    srv_spread_add(&state->spread, state->leaf[node], state->leaf[node], after - before);
    for (int l = 0; l < near->layer_count; l++) {
        int at = node * near->layer_count + l;
        if (near->group[at] >= 0)
            srv_spread_add(&state->spread, near->first[at], near->last[at], near->steps[l]);
    }
}

static void finish_state(placing *state)
{
    srv_spread_finish(&state->spread);
    srv_near_finish(&state->near);
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
    int result = srv_near_begin(&state->near, profile, &map->nodes, code, error);
    if (result == SERVET_OK)
        result = srv_spread_begin(&state->spread, state->near.order, count, error);
    for (int i = 0; i < count && result == SERVET_OK; i++) {
        int node = state->near.order[i];
        state->leaf[node] = i;
        srv_spread_add(&state->spread, i, i, next_weight(srv_map_kind_of(map, node), 0));
    }
    return result;
}

static int place_by_rules(servet_map *map, const servet_profile *profile, servet_code code,
                          servet_error *error)
{
    placing state = {0};
    int result = begin_state(&state, map, profile, code, error);
    for (int i = 0; i < map->count && result == SERVET_OK; i++) {
        int node = srv_spread_best(&state.spread);
        take(&state, srv_map_kind_of(map, node), node);
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
