/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/placement/slot_order.h"

#include <stdlib.h>

#include "core/error.h"
#include "map/nodes/speed.h"

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

static void free_bench(workspace *bench)
{
    free(bench->weights);
    free(bench->proximity);
    free(bench->taken);
    free(bench->no_leader);
    free(bench->slots);
}

static int make_bench(workspace *bench, size_t cores, servet_error *error)
{
    bench->weights = calloc(cores + 1, sizeof *bench->weights);
    bench->proximity = calloc(cores + 1, sizeof *bench->proximity);
    bench->taken = calloc(cores + 1, sizeof *bench->taken);
    bench->no_leader = calloc(cores + 1, sizeof *bench->no_leader);
    bench->slots = calloc(cores + 1, sizeof *bench->slots);
    if (bench->weights && bench->proximity && bench->taken && bench->no_leader && bench->slots)
        return SERVET_OK;
    return srv_fail_memory(error);
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

/* Finds the slot that begins with a core; the first cores of slots ascend. */
static const int *slot_of(const srv_map_class *class, const workspace *bench, int leader)
{
    int low = 0, high = class->slot_count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (bench->slots[middle * class->threads] < leader)
            low = middle + 1;
        else
            high = middle;
    }
    return &bench->slots[low * class->threads];
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

int srv_map_class_order(srv_map_class *class, int threads, int processes, bool by_rules,
                        servet_error *error)
{
    size_t cores = (size_t) class->core_count;
    workspace bench = {.grouping_count = by_rules ? class->grouping_count : 0,
                       .by_rules = by_rules};
    int code = make_bench(&bench, cores, error);
    class->threads = threads;
    class->slot_count = class->core_count / threads;
    class->slot_cores = calloc(cores + 1, sizeof *class->slot_cores);
    class->next = calloc(cores + 1, sizeof *class->next);
    if (code == SERVET_OK && (!class->slot_cores || !class->next))
        code = srv_fail_memory(error);
    if (code == SERVET_OK) {
        fill_slots(class, &bench);
        take_slots(class, &bench, processes < class->slot_count ? processes : class->slot_count);
    }
    free_bench(&bench);
    return code;
}
