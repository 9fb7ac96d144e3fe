/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/map.h"

#include <stdlib.h>

#include "core/error.h"
#include "map/near.h"
#include "map/spread.h"

const srv_kind *srv_map_kind_of(const servet_map *map, int node)
{
    return &map->kinds[map->nodes.items[node].node_class];
}

int srv_map_processes_on(const servet_map *map, int node)
{
    return map->first_rank[node + 1] - map->first_rank[node];
}

/* --- within the nodes ------------------------------------------------------------------------- */

static int read_cores(srv_kind *kind, const servet_profile *profile, int node_class,
                      servet_error *error)
{
    servet_machine machine;
    servet_at at = {servet_profile_class_name(profile, node_class), SERVET_ANY_CORE};
    int code = servet_profile_machine(profile, &at, &machine);
    if (code != SERVET_OK || !*machine.cores)
        return srv_fail(error, SERVET_EUNMEASURED, "node class '%s' does not say what cores it has",
                        at.node_class ? at.node_class : "?");
    return srv_kind_begin(kind, machine.cores, error);
}

/* What is measured of a class holds for all its nodes: it is asked of the first one. */
static int order_kinds(servet_map *map, const servet_profile *profile,
                       const servet_map_request *request, servet_error *error)
{
    for (int n = 0; n < map->nodes.count; n++) {
        const srv_map_node *node = &map->nodes.items[n];
        srv_kind *kind = &map->kinds[node->node_class];
        if (kind->cores)
            continue;
        int code = read_cores(kind, profile, node->node_class, error);
        if (code == SERVET_OK)
            code = srv_rules_node(kind, profile, node, request->code, error);
        if (code == SERVET_OK)
            code = srv_kind_order(kind, map->threads, request->processes, error);
        if (code != SERVET_OK)
            return code;
    }
    return SERVET_OK;
}

static int check_room(const servet_map *map, int processes, servet_error *error)
{
    long long seats = 0;
    for (int n = 0; n < map->nodes.count; n++)
        seats += srv_map_kind_of(map, n)->seat_count;
    if (processes <= seats)
        return SERVET_OK;
    return srv_fail(
        error, SERVET_ERANGE,
        "%d processes of %d thread%s do not fit: there are cores for %lld on the %d node%s",
        processes, map->threads, map->threads == 1 ? "" : "s", seats, map->nodes.count,
        map->nodes.count == 1 ? "" : "s");
}

/* --- over the nodes --------------------------------------------------------------------------- */

/* More than all that the rules add up to; a full node is that heavy. */
static const srv_weight full = 1LL << 60;

/* What the tree knows, and where each node is in it. */
typedef struct placing {
    srv_spread spread;
    srv_near near;
    int *leaf;
    int *taken; /* processes on each node */
} placing;

static srv_weight next_weight(const srv_kind *kind, int taken)
{
    return taken < kind->seat_count ? kind->next[taken] : full;
}

static void take(placing *state, const srv_kind *kind, int node)
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

static int place(servet_map *map, const servet_profile *profile, const servet_map_request *request,
                 servet_error *error)
{
    placing state = {0};
    int code = begin_state(&state, map, profile, request->code, error);
    for (int i = 0; i < request->processes && code == SERVET_OK; i++) {
        int node = srv_spread_best(&state.spread);
        take(&state, srv_map_kind_of(map, node), node);
    }
    for (int n = 0; n < map->nodes.count && code == SERVET_OK; n++)
        map->first_rank[n + 1] = map->first_rank[n] + state.taken[n];
    finish_state(&state);
    return code;
}

/* --- the placement ---------------------------------------------------------------------------- */

static int check(const servet_map_request *request, servet_error *error)
{
    if (request->processes < 1)
        return srv_fail(error, SERVET_EARGUMENT, "at least one process has to be placed");
    if (request->threads < 0 || request->node_count < 0)
        return srv_fail(error, SERVET_EARGUMENT, "numbers of threads and nodes are not negative");
    if ((int)request->code < 0 || request->code >= SERVET_CODE_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "there is no class %d of programs",
                        (int)request->code);
    return SERVET_OK;
}

static int make_room(servet_map *map, const servet_profile *profile, servet_error *error)
{
    map->kind_count = servet_profile_class_count(profile);
    map->kinds = calloc((size_t)map->kind_count + 1, sizeof *map->kinds);
    map->first_rank = calloc((size_t)map->nodes.count + 1, sizeof *map->first_rank);
    return map->kinds && map->first_rank ? SERVET_OK : srv_fail_memory(error);
}

int servet_map_create(servet_map **map, const servet_profile *profile,
                      const servet_map_request *request, servet_error *error)
{
    int code = check(request, error);
    if (code != SERVET_OK)
        return code;
    servet_map *made = calloc(1, sizeof *made);
    if (!made)
        return srv_fail_memory(error);
    made->threads = request->threads ? request->threads : 1;
    code = srv_nodes_begin(&made->nodes, profile, request, error);
    if (code == SERVET_OK)
        code = make_room(made, profile, error);
    if (code == SERVET_OK)
        code = order_kinds(made, profile, request, error);
    if (code == SERVET_OK)
        code = check_room(made, request->processes, error);
    if (code == SERVET_OK)
        code = place(made, profile, request, error);
    if (code == SERVET_OK)
        *map = made;
    else
        servet_map_destroy(made);
    return code;
}

void servet_map_destroy(servet_map *map)
{
    if (!map)
        return;
    for (int i = 0; i < map->kind_count && map->kinds; i++)
        srv_kind_finish(&map->kinds[i]);
    free(map->kinds);
    free(map->first_rank);
    srv_nodes_finish(&map->nodes);
    free(map);
}

int servet_map_process_count(const servet_map *map)
{
    return map->first_rank[map->nodes.count];
}

/* The last node whose first rank is not above `rank` has it: nodes without processes come before.
 */
static int node_of(const servet_map *map, int rank)
{
    int low = 0, high = map->nodes.count - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (map->first_rank[middle] <= rank)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int servet_map_process_get(const servet_map *map, int rank, servet_map_process *process)
{
    if (rank < 0 || rank >= servet_map_process_count(map))
        return SERVET_ERANGE;
    int node = node_of(map, rank), local = rank - map->first_rank[node];
    *process = (servet_map_process){
        .host = map->nodes.items[node].host,
        .node = node,
        .local = local,
        .cores = &srv_map_kind_of(map, node)->seat_cores[local * map->threads],
        .core_count = map->threads,
    };
    return SERVET_OK;
}
