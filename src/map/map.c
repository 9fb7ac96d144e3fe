/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/map.h"

#include <stdlib.h>

#include "core/error.h"
#include "map/choose.h"
#include "map/place.h"

const srv_map_kind *srv_map_kind_of(const servet_map *map, int node)
{
    return &map->kinds[map->nodes.items[node].node_class];
}

int srv_map_processes_on(const servet_map *map, int node)
{
    return map->first[node + 1] - map->first[node];
}

/* --- within the nodes ------------------------------------------------------------------------- */

static int read_cores(srv_map_kind *kind, const servet_profile *profile, int node_class,
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
        srv_map_kind *kind = &map->kinds[node->node_class];
        if (kind->cores)
            continue;
        int code = read_cores(kind, profile, node->node_class, error);
        if (code == SERVET_OK)
            code = srv_rules_node(kind, profile, node, request->code, error);
        if (code == SERVET_OK)
            code = srv_kind_order(kind, map->threads, request->processes,
                                  request->order == SERVET_ORDER_SERVET, error);
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
    if ((unsigned)request->order >= SERVET_ORDER_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "there is no order %d", (int)request->order);
    if (request->traffic && servet_traffic_processes(request->traffic) != request->processes)
        return srv_fail(error, SERVET_EARGUMENT, "messages of %d processes, not of %d",
                        servet_traffic_processes(request->traffic), request->processes);
    return SERVET_OK;
}

static int make_room(servet_map *map, const servet_profile *profile, servet_error *error)
{
    map->kind_count = servet_profile_class_count(profile);
    map->kinds = calloc((size_t)map->kind_count + 1, sizeof *map->kinds);
    map->places = calloc((size_t)map->count, sizeof *map->places);
    map->first = calloc((size_t)map->nodes.count + 1, sizeof *map->first);
    map->ranks = calloc((size_t)map->count, sizeof *map->ranks);
    bool made = map->kinds && map->places && map->first && map->ranks;
    return made ? SERVET_OK : srv_fail_memory(error);
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

static int fill(servet_map *map, const servet_profile *profile, const servet_map_request *request,
                servet_error *error)
{
    map->threads = request->threads ? request->threads : 1;
    map->count = request->processes;
    int code = srv_nodes_begin(&map->nodes, profile, request, error);
    if (code == SERVET_OK)
        code = make_room(map, profile, error);
    if (code == SERVET_OK)
        code = order_kinds(map, profile, request, error);
    if (code == SERVET_OK)
        code = check_room(map, request->processes, error);
    if (code == SERVET_OK)
        code = srv_place(map, profile, request, error);
    if (code == SERVET_OK)
        srv_map_list(map);
    return code;
}

int srv_map_make(servet_map **map, const servet_profile *profile, const servet_map_request *request,
                 servet_error *error)
{
    servet_map *made = calloc(1, sizeof *made);
    if (!made)
        return srv_fail_memory(error);
    int code = fill(made, profile, request, error);
    if (code == SERVET_OK)
        *map = made;
    else
        servet_map_destroy(made);
    return code;
}

int servet_map_create(servet_map **map, const servet_profile *profile,
                      const servet_map_request *request, servet_error *error)
{
    int code = check(request, error);
    if (code != SERVET_OK)
        return code;
    if (request->traffic && request->order == SERVET_ORDER_SERVET)
        return srv_map_choose(map, profile, request, error);
    return srv_map_make(map, profile, request, error);
}

void servet_map_destroy(servet_map *map)
{
    if (!map)
        return;
    for (int i = 0; i < map->kind_count && map->kinds; i++)
        srv_kind_finish(&map->kinds[i]);
    free(map->kinds);
    free(map->places);
    free(map->first);
    free(map->ranks);
    srv_nodes_finish(&map->nodes);
    free(map);
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
    *process = (servet_map_process){
        .host = map->nodes.items[place->node].host,
        .node = place->node,
        .local = place->local,
        .cores = &srv_map_kind_of(map, place->node)->seat_cores[place->seat * map->threads],
        .core_count = map->threads,
    };
    return SERVET_OK;
}
