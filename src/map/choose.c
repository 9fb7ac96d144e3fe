/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/choose.h"

#include <stdlib.h>

#include "core/error.h"
#include "map/deal.h"
#include "map/view.h"

typedef struct choosing {
    const servet_profile *profile;
    const servet_map_request *request;
    srv_program program;
    servet_map *best;
    srv_map_load load; /* of the best */
    servet_error *error;
} choosing;

/* --- a candidate ------------------------------------------------------------------------------ */

/* Lets rank r take the place that rank seat_of[r] has. */
static int exchange(servet_map *map, const int *seat_of, servet_error *error)
{
    srv_map_place *places = calloc((size_t)map->count, sizeof *places);
    if (!places)
        return srv_fail_memory(error);
    for (int rank = 0; rank < map->count; rank++)
        places[rank] = map->places[seat_of[rank]];
    free(map->places);
    map->places = places;
    srv_map_list(map);
    return SERVET_OK;
}

/* Deals the seats out by the messages, if that is predicted better than as they are. */
static int improve(const choosing *on, servet_map *map, const srv_site *site, srv_map_load *load,
                   int *seat_of)
{
    srv_map_load dealt;
    int code = srv_deal(&on->program, site, seat_of, on->error);
    if (code == SERVET_OK)
        code = srv_load_of(&on->program, site, seat_of, &dealt, on->error);
    if (code != SERVET_OK || !srv_load_less(&dealt, load))
        return code;
    *load = dealt;
    return exchange(map, seat_of, on->error);
}

/* What the placement is predicted to cost; where `deal`, at its best. */
static int weigh(const choosing *on, servet_map *map, bool deal, srv_map_load *load)
{
    srv_site site = {0};
    int *seat_of = calloc((size_t)map->count, sizeof *seat_of);
    int code =
        seat_of ? srv_view_begin(&site, map, on->profile, on->error) : srv_fail_memory(on->error);
    for (int rank = 0; rank < map->count && code == SERVET_OK; rank++)
        seat_of[rank] = rank;
    if (code == SERVET_OK)
        code = srv_load_of(&on->program, &site, seat_of, load, on->error);
    if (code == SERVET_OK && deal && !on->program.traffic->uniform)
        code = improve(on, map, &site, load, seat_of);
    srv_site_finish(&site);
    free(seat_of);
    return code;
}

/* Compares one more placement with the best so far; of equals the earlier one stays. */
static int consider(choosing *on, servet_order order, int node_count, bool deal)
{
    servet_map_request request = *on->request;
    request.order = order;
    request.node_count = node_count;
    servet_map *map;
    srv_map_load load;
    int code = srv_map_make(&map, on->profile, &request, on->error);
    if (code != SERVET_OK)
        return code;
    code = weigh(on, map, deal, &load);
    if (code == SERVET_OK && (!on->best || srv_load_less(&load, &on->load))) {
        servet_map *worse = on->best;
        on->best = map;
        on->load = load;
        map = worse;
    }
    servet_map_destroy(map);
    return code;
}

/* --- candidates ------------------------------------------------------------------------------- */

/* How many processes the first nodes have seats for. */
static long long seats_of(const servet_map *map, int node_count)
{
    long long seats = 0;
    for (int n = 0; n < node_count; n++)
        seats += srv_map_kind_of(map, n)->seat_count;
    return seats;
}

/* Spread evenly over all nodes, half of them, and so on. */
static int consider_fewer_nodes(choosing *on, int nodes)
{
    int code = SERVET_OK;
    for (int count = nodes / 2; count > 0 && code == SERVET_OK; count /= 2) {
        if (seats_of(on->best, count) <= on->request->processes)
            break;
        code = consider(on, SERVET_ORDER_CYCLIC, count, true);
    }
    return code;
}

static int consider_all(choosing *on)
{
    int all = on->request->node_count;
    if (on->request->code == SERVET_CODE_MEMORY)
        return consider(on, SERVET_ORDER_SERVET, all, true);
    int code = consider(on, SERVET_ORDER_BLOCK, all, true);
    if (code != SERVET_OK)
        return code;
    int nodes = on->best->nodes.count;
    bool choice = seats_of(on->best, nodes) > on->request->processes; /* or all seats are taken */
    code = consider(on, SERVET_ORDER_CYCLIC, all, choice);
    if (code == SERVET_OK && choice)
        code = consider(on, SERVET_ORDER_SERVET, all, true);
    if (code == SERVET_OK && choice)
        code = consider_fewer_nodes(on, nodes);
    return code;
}

int srv_map_choose(servet_map **map, const servet_profile *profile,
                   const servet_map_request *request, servet_error *error)
{
    choosing on = {.profile = profile, .request = request, .error = error};
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
