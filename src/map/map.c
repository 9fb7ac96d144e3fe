/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes placements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "map/assign/assign.h"
#include "map/cost/program.h"
#include "map/placement/make.h"
#include "map/placement/placement.h"
#include "map/cost/placement_tree.h"
#include "profile/types.h"
#include "servet/map.h"

typedef struct selection {
    const servet_profile *profile;
    const servet_map_request *request;
    srv_program program;
    servet_map *best;
    double speed;      /* of the slowest core of the best placement */
    srv_map_load load; /* its load */
    servet_error *error;
} selection;

/* --- a candidate ------------------------------------------------------------------------------ */

/* Moves each rank r to the slot of rank slot_of[r]. */
static int permute(servet_map *map, const int *slot_of, servet_error *error)
{
    srv_map_place *places = srv_room_take(&map->room, (size_t)map->count, sizeof *places);
    if (!places)
        return srv_fail_memory(error);
    for (int rank = 0; rank < map->count; rank++)
        places[rank] = map->places[slot_of[rank]];
    map->places = places;
    srv_map_list(map);
    return SERVET_OK;
}

/* Predicts the load of a placement; with `assign`, after assigning processes by their messages, if
 * the prediction improves. */
static int weigh(const selection *on, servet_map *map, bool assign, srv_map_load *load)
{
    srv_slot_tree tree = {0};
    bool better = false;
    int *slot_of = calloc((size_t)map->count, sizeof *slot_of);
    int code = slot_of ? srv_placement_tree_begin(&tree, map, on->profile, on->error)
                       : srv_fail_memory(on->error);
    if (code == SERVET_OK)
        code = assign ? srv_assign_better(&on->program, &tree, slot_of, load, &better, on->error)
                      : srv_load_of(&on->program, &tree, NULL, load, on->error);
    if (better)
        code = permute(map, slot_of, on->error);
    srv_slot_tree_finish(&tree);
    free(slot_of);
    return code;
}

static double slowest_of(const servet_map *map)
{
    double slowest = 1;
    for (int rank = 0; rank < map->count; rank++)
        slowest = fmin(slowest, srv_map_speed(map, &map->places[rank]));
    return slowest;
}

/* Returns true if a placement is better than the best one so far: all processes wait for one on a
 * slower core in each step, as long as they compute. */
static bool is_better(const selection *on, double speed, const srv_map_load *load)
{
    return !on->best || speed > on->speed ||
           (speed == on->speed && srv_load_gains(&on->program, load, &on->load));
}

/* Makes one more placement and keeps it if it is better than the best one so far. */
static int consider(selection *on, servet_order order, int node_count, bool assign)
{
    servet_map_request request = *on->request;
    request.order = order;
    request.node_count = node_count;
    servet_map *map;
    srv_map_load load;
    int code = srv_map_make(&map, on->profile, &request, on->error);
    if (code != SERVET_OK)
        return code;
    code = weigh(on, map, assign, &load);
    double speed = code == SERVET_OK ? slowest_of(map) : 0;
    if (code == SERVET_OK && is_better(on, speed, &load)) {
        servet_map *worse = on->best;
        on->best = map;
        on->speed = speed;
        on->load = load;
        map = worse;
    }
    servet_map_destroy(map);
    return code;
}

/* --- candidates ------------------------------------------------------------------------------- */

/* The number of processes for which the first nodes have slots. */
static long long slots_of(const servet_map *map, int node_count)
{
    long long slots = 0;
    for (int n = 0; n < node_count; n++)
        slots += srv_map_class_of(map, n)->slot_count;
    return slots;
}

/* Tries half of all nodes, a quarter, and so on, with evenly distributed processes. */
static int consider_fewer_nodes(selection *on, int nodes)
{
    int code = SERVET_OK;
    for (int count = nodes / 2; count > 0 && code == SERVET_OK; count /= 2) {
        if (slots_of(on->best, count) <= on->request->processes)
            break;
        code = consider(on, SERVET_ORDER_CYCLIC, count, true);
    }
    return code;
}

static int consider_all(selection *on)
{
    int all = on->request->node_count;
    if (on->request->code == SERVET_CODE_MEMORY)
        return consider(on, SERVET_ORDER_SERVET, all, true);
    int code = consider(on, SERVET_ORDER_BLOCK, all, true);
    if (code != SERVET_OK)
        return code;
    int nodes = on->best->nodes.count;
    bool choice =
        slots_of(on->best, nodes) > on->request->processes; /* false: all slots are needed */
    code = consider(on, SERVET_ORDER_CYCLIC, all, choice);
    if (code == SERVET_OK && choice)
        code = consider(on, SERVET_ORDER_SERVET, all, true);
    if (code == SERVET_OK && choice)
        code = consider_fewer_nodes(on, nodes);
    return code;
}

/* Does what servet_map_create() promises for a request with traffic. */
static int map_choose(servet_map **map, const servet_profile *profile,
                      const servet_map_request *request, servet_error *error)
{
    selection on = {.profile = profile, .request = request, .error = error};
    int code = srv_program_begin(&on.program, profile, request->traffic, error);
    if (code == SERVET_OK)
        code = consider_all(&on);
    if (code == SERVET_OK)
        *map = on.best;
    else
        servet_map_destroy(on.best);
    srv_program_finish(&on.program);
    return code;
}

static int check(const servet_map_request *request, servet_error *error)
{
    if (request->processes < 1)
        return srv_fail(error, SERVET_EARGUMENT, "the number of processes must be at least 1");
    if (request->threads < 0 || request->node_count < 0)
        return srv_fail(error, SERVET_EARGUMENT,
                        "numbers of threads and nodes must not be negative");
    if (request->accelerators < 0)
        return srv_fail(error, SERVET_EARGUMENT, "the number of accelerators must not be negative");
    if ((int)request->code < 0 || request->code >= SERVET_CODE_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown kind of program %d", (int)request->code);
    if ((unsigned)request->order >= SERVET_ORDER_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown order %d", (int)request->order);
    if ((unsigned)request->work >= SERVET_WORK_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown kind of work %d", (int)request->work);
    if (request->traffic && servet_traffic_processes(request->traffic) != request->processes)
        return srv_fail(error, SERVET_EARGUMENT, "messages of %d processes, not of %d",
                        servet_traffic_processes(request->traffic), request->processes);
    return SERVET_OK;
}

static int create(servet_map **map, const servet_profile *profile,
                  const servet_map_request *request, servet_error *error)
{
    if (request->traffic && request->order == SERVET_ORDER_SERVET)
        return map_choose(map, profile, request, error);
    return srv_map_make(map, profile, request, error);
}

static bool is_same_process(const servet_map *a, const servet_map *b, int rank)
{
    servet_map_process x, y;
    bool same = servet_map_process_get(a, rank, &x) == servet_map_process_get(b, rank, &y) &&
                strcmp(x.host, y.host) == 0 && x.core_count == y.core_count;
    for (int i = 0; i < x.core_count && same; i++)
        same = x.cores[i] == y.cores[i];
    return same;
}

/* Fails if the placement is another one without the facts that are not trusted. */
static int check_sure(const servet_map *map, const servet_profile *profile,
                      const servet_map_request *request, servet_error *error)
{
    servet_profile sure = *profile;
    servet_map *by_sure = NULL;
    sure.trusted_only = true;
    int code = create(&by_sure, &sure, request, NULL);
    if (code == SERVET_EMEMORY)
        return srv_fail_memory(error);
    bool same = code == SERVET_OK;
    for (int rank = 0; rank < map->count && same; rank++)
        same = is_same_process(map, by_sure, rank);
    servet_map_destroy(by_sure);
    return same ? SERVET_OK
                : srv_fail(error, SERVET_EUNTRUSTED,
                           "the placement depends on facts that are not trusted");
}

int servet_map_create(servet_map **map, const servet_profile *profile,
                      const servet_map_request *request, servet_error *error)
{
    servet_profile all = *profile;
    servet_map *made = NULL;
    all.trusted_only = false;
    int code = check(request, error);
    if (code == SERVET_OK)
        code = create(&made, &all, request, error);
    if (code == SERVET_OK && profile->trusted_only)
        code = check_sure(made, profile, request, error);
    if (code == SERVET_OK)
        *map = made;
    else
        servet_map_destroy(made);
    return code;
}
