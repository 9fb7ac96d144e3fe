/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/placement/make.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"
#include "core/search.h"
#include "map/nodes/node_class.h"
#include "map/nodes/speed.h"
#include "map/placement/place.h"
#include "profile/types.h"

/* Returns the first core with the least weight that is not taken; at least one must be left. */
static int lightest(const srv_weight *weights, const bool *taken, int count)
{
    int found = -1;
    for (int i = 0; i < count; i++)
        if (!taken[i] && (found < 0 || weights[i] < weights[found]))
            found = i;
    return found;
}

/* Room for the work on a node. */
typedef struct workspace {
    srv_weight *weights, *proximity;
    bool *taken, *no_leader; /* cores in slots; cores that are not the first of a free slot */
    int *slots;              /* cores of all slots, by their position in class->cores */
    int grouping_count;      /* number of groupings that are used: all, or none */
    bool by_rules;           /* false: they are not, nor are the speeds of cores */
    srv_room room;
} workspace;

/* Adds `weight` (0: the weight of the grouping) to all cores that are in a group with core `with`.
 */
static void add_weights(const srv_map_class *class, const workspace *bench, int with,
                        srv_weight weight, srv_weight *weights)
{
    for (int f = 0; f < bench->grouping_count; f++) {
        const srv_grouping *grouping = &class->groupings[f];
        int group = grouping->group[with];
        srv_weight added = weight ? weight : grouping->weight;
        for (int i = 0; group >= 0 && i < class->core_count; i++)
            weights[i] += grouping->group[i] == group ? added : 0;
    }
}

static int make_bench(workspace *bench, size_t cores, servet_error *error)
{
    srv_room *room = &bench->room;
    bench->weights = srv_room_take(room, cores + 1, sizeof *bench->weights);
    bench->proximity = srv_room_take(room, cores + 1, sizeof *bench->proximity);
    bench->taken = srv_room_take(room, cores + 1, sizeof *bench->taken);
    bench->no_leader = srv_room_take(room, cores + 1, sizeof *bench->no_leader);
    bench->slots = srv_room_take(room, cores + 1, sizeof *bench->slots);
    return room->failed ? srv_fail_memory(error) : SERVET_OK;
}

/* Puts cores that are not as fast as the first one of a slot behind all others. */
static void keep_type(const srv_map_class *class, const workspace *bench, int first)
{
    srv_weight more = (srv_weight)(bench->grouping_count + 1) * class->threads;
    for (int i = 0; bench->by_rules && i < class->core_count; i++)
        bench->proximity[i] += class->speed[i] != class->speed[first] ? more : 0;
}

/* Fills a slot: it begins with the first free core. Then the core is added that shares the most
 * groups with the cores of the slot, and so on; those of its type come first. */
static void fill_slot(const srv_map_class *class, const workspace *bench, int *slot)
{
    for (int i = 0; i < class->core_count; i++)
        bench->proximity[i] = 0;
    for (int t = 0; t < class->threads; t++) {
        slot[t] = lightest(bench->proximity, bench->taken, class->core_count);
        bench->taken[slot[t]] = true;
        if (t == 0)
            keep_type(class, bench, slot[0]);
        if (t + 1 < class->threads)
            add_weights(class, bench, slot[t], -1, bench->proximity);
    }
}

static void fill_slots(const srv_map_class *class, const workspace *bench)
{
    for (int i = 0; i < class->core_count; i++)
        bench->no_leader[i] = true;
    for (int s = 0; s < class->slot_count; s++) {
        int *slot = &bench->slots[s * class->threads];
        fill_slot(class, bench, slot);
        bench->no_leader[slot[0]] = false;
        for (int t = 0; bench->by_rules && t < class->threads; t++) {
            srv_weight slow = srv_map_speed_weight(class->speed[slot[t]]);
            bench->weights[slot[0]] =
                slow > bench->weights[slot[0]] ? slow : bench->weights[slot[0]];
        }
    }
}

static bool begins_before(const void *slot, const void *leader)
{
    return *(const int *)slot < *(const int *)leader;
}

/* Finds the slot that begins with a core; the first cores of slots ascend. */
static const int *slot_of(const srv_map_class *class, const workspace *bench, int leader)
{
    size_t size = (size_t) class->threads * sizeof *bench->slots;
    int slot = srv_count_before(bench->slots, class->slot_count, size, begins_before, &leader);
    return &bench->slots[slot * class->threads];
}

/* Finds the order in which slots are taken. A slot has the weight of its first core. */
static void take_slots(srv_map_class *class, const workspace *bench, int count)
{
    for (int s = 0; s < count; s++) {
        int leader = lightest(bench->weights, bench->no_leader, class->core_count);
        const int *slot = slot_of(class, bench, leader);
        class->next[s] = bench->weights[leader];
        for (int t = 0; t < class->threads; t++)
            class->slot_cores[s * class->threads + t] = class->cores[slot[t]];
        bench->no_leader[leader] = true;
        add_weights(class, bench, leader, 0, bench->weights);
    }
}

/* Finds the slots of `threads` cores, and the order in which up to `processes` of them are taken:
 * by the groupings, or ascending. Errors: SERVET_EMEMORY. */
static int map_class_order(srv_map_class *class, int threads, int processes, bool by_rules,
                           servet_error *error)
{
    size_t cores = (size_t) class->core_count;
    workspace bench = {.grouping_count = by_rules ? class->grouping_count : 0,
                       .by_rules = by_rules};
    int code = make_bench(&bench, cores, error);
    class->threads = threads;
    class->slot_count = class->core_count / threads;
    class->slot_cores = srv_room_take(&class->room, cores + 1, sizeof *class->slot_cores);
    class->next = srv_room_take(&class->room, cores + 1, sizeof *class->next);
    if (code == SERVET_OK && class->room.failed)
        code = srv_fail_memory(error);
    if (code == SERVET_OK) {
        fill_slots(class, &bench);
        take_slots(class, &bench, processes < class->slot_count ? processes : class->slot_count);
    }
    srv_room_free(&bench.room);
    return code;
}

/* --- near cores ------------------------------------------------------------------------------- */

/* The near cores of a device (from 0), owned by the profile; NULL: they are not known. */
static const char *near_cores(const servet_profile *profile, const servet_at *at, int device)
{
    servet_accelerator found = {.cores = ""};
    const int number = device + 1;
    int code =
        servet_profile_item(profile, at, "accelerators.devices", &number, &found, sizeof found);
    bool sure = found.trusted || !profile->trusted_only;
    return code == SERVET_OK && *found.cores && sure ? found.cores : NULL;
}

static int count_devices(const servet_profile *profile, const servet_at *at, int accelerators)
{
    int count = 0;
    if (servet_profile_count(profile, at, "accelerators.devices", NULL, &count) != SERVET_OK)
        return 0;
    return count < accelerators ? count : accelerators;
}

/* --- in turn ---------------------------------------------------------------------------------- */

static bool is_near(const srv_map_class *class, int slot, const char *cores)
{
    for (int t = 0; t < class->threads; t++)
        if (!srv_ranges_contain(cores, class->slot_cores[slot * class->threads + t]))
            return false;
    return true;
}

/* The first slot from `first` on that is near; the first one of all if none is. */
static int choose_slot(const srv_map_class *class, int first, const char *cores)
{
    for (int s = first; s < class->slot_count; s++)
        if (is_near(class, s, cores))
            return s;
    return first;
}

/* Moves a slot before those from `to` on, which keep their order. The weights stay: a node's load
 * depends on how many slots are taken. */
static void move_slot(srv_map_class *class, int from, int to, int *room)
{
    size_t size = (size_t) class->threads * sizeof *room;
    int *slots = class->slot_cores;
    memcpy(room, slots + from * class->threads, size);
    memmove(slots + (to + 1) * class->threads, slots + to * class->threads,
            (size_t)(from - to) * size);
    memcpy(slots + to * class->threads, room, size);
}

/* Gives the slots of a class, all of which are in order, to its first `accelerators` devices in
 * turn: device 0 gets the first slot whose cores are near to it, and so on; where none is left, any
 * slot. So slot s belongs to device s % *devices. Errors: SERVET_EUNMEASURED (no accelerators, or
 * the near cores of one are not known), SERVET_EMEMORY. */
static int map_class_near(srv_map_class *class, const servet_profile *profile,
                          const char *class_name, int accelerators, int *used, servet_error *error)
{
    const servet_at at = {.node_class = class_name, .core = SERVET_ANY_CORE};
    int devices = count_devices(profile, &at, accelerators);
    if (devices == 0)
        return srv_fail(error, SERVET_EUNMEASURED,
                        "node class '%s' has no accelerators that were measured", class_name);
    int *room = malloc((size_t) class->threads * sizeof *room);
    if (!room)
        return srv_fail_memory(error);
    int code = SERVET_OK;
    for (int s = 0; s < class->slot_count && code == SERVET_OK; s++) {
        const char *cores = near_cores(profile, &at, s % devices);
        if (!cores)
            code = srv_fail(error, SERVET_EUNMEASURED,
                            "which cores of node class '%s' are near to accelerator %d was not "
                            "measured",
                            class_name, s % devices);
        else
            move_slot(class, choose_slot(class, s, cores), s, room);
    }
    free(room);
    *used = devices;
    return code;
}

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
            code = map_class_order(class, map->threads,
                                   request->accelerators ? INT_MAX : request->processes,
                                   request->order == SERVET_ORDER_SERVET, error);
        if (code == SERVET_OK && request->accelerators)
            code =
                map_class_near(class, profile, name, request->accelerators, &class->devices, error);
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
    map->classes = srv_room_take(&map->room, (size_t)map->class_count + 1, sizeof *map->classes);
    map->places = srv_room_take(&map->room, (size_t)map->count, sizeof *map->places);
    map->first = srv_room_take(&map->room, (size_t)map->nodes.count + 1, sizeof *map->first);
    map->ranks = srv_room_take(&map->room, (size_t)map->count, sizeof *map->ranks);
    return map->room.failed ? srv_fail_memory(error) : SERVET_OK;
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
