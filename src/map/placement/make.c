/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/placement/make.h"

#include <limits.h>
#include <stdlib.h>

#include "core/error.h"
#include "map/nodes/speed.h"
#include "map/placement/near.h"
#include "map/placement/place.h"
#include "map/placement/slot_order.h"
#include "profile/types.h"

/* --- within the nodes ------------------------------------------------------------------------- */

static int read_cores(srv_map_class *class, const servet_profile *profile, int node_class,
                      servet_error *error)
{
    const srv_class *of = (const srv_class *)profile->classes.items + node_class;
    if (!*of->machine.cores)
        return srv_fail(error, SERVET_EUNMEASURED, "node class '%s' has no list of cores",
                        of->name);
    int code = srv_map_class_begin(class, of->machine.cores, error);
    return code == SERVET_OK ? srv_map_class_number(class, of->machine.logical_order, error) : code;
}

/* Finds the order of slots in a class. The facts of its first node are used for all its nodes. */
static int order_slots(servet_map *map, const servet_profile *profile,
                       const servet_map_request *request, servet_error *error)
{
    for (int n = 0; n < map->nodes.count; n++) {
        const srv_map_node *node = &map->nodes.items[n];
        srv_map_class *class = &map->classes[node->node_class];
        if (class->cores)
            continue;
        const char *name = servet_profile_class_name(profile, node->node_class);
        int code = read_cores(class, profile, node->node_class, error);
        if (code == SERVET_OK)
            code = srv_map_class_speeds(class, profile, name, request->code, request->work, error);
        if (code == SERVET_OK)
            code = srv_rules_node(class, profile, node, request->code, error);
        if (code == SERVET_OK)
            code = srv_map_class_order(class, map->threads,
                                       request->accelerators ? INT_MAX : request->processes,
                                       request->order == SERVET_ORDER_SERVET, error);
        if (code == SERVET_OK && request->accelerators)
            code = srv_map_class_near(class, profile, name, request->accelerators, &class->devices,
                                      error);
        if (code != SERVET_OK)
            return code;
    }
    return SERVET_OK;
}

static int check_room(const servet_map *map, int processes, servet_error *error)
{
    long long slots = 0;
    for (int n = 0; n < map->nodes.count; n++)
        slots += srv_map_class_of(map, n)->slot_count;
    if (processes <= slots)
        return SERVET_OK;
    return srv_fail(
        error, SERVET_ERANGE,
        "%d processes of %d thread%s do not fit: the cores suffice for %lld on %d node%s",
        processes, map->threads, map->threads == 1 ? "" : "s", slots, map->nodes.count,
        map->nodes.count == 1 ? "" : "s");
}

/* --- the placement ---------------------------------------------------------------------------- */

static int make_room(servet_map *map, const servet_profile *profile, servet_error *error)
{
    map->class_count = servet_profile_class_count(profile);
    map->classes = calloc((size_t)map->class_count + 1, sizeof *map->classes);
    map->places = calloc((size_t)map->count, sizeof *map->places);
    map->first = calloc((size_t)map->nodes.count + 1, sizeof *map->first);
    map->ranks = calloc((size_t)map->count, sizeof *map->ranks);
    bool made = map->classes && map->places && map->first && map->ranks;
    return made ? SERVET_OK : srv_fail_memory(error);
}

static int fill(servet_map *map, const servet_profile *profile, const servet_map_request *request,
                servet_error *error)
{
    map->threads = request->threads ? request->threads : 1;
    map->count = request->processes;
    map->by_rules = request->order == SERVET_ORDER_SERVET;
    int code = srv_nodes_begin(&map->nodes, profile, request, error);
    if (code == SERVET_OK)
        code = make_room(map, profile, error);
    if (code == SERVET_OK)
        code = order_slots(map, profile, request, error);
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
