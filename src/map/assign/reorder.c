/* SPDX-License-Identifier: BSD-3-Clause */
/* Reorders the ranks of a program that runs already. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "map/assign/assign.h"
#include "map/cost/program.h"
#include "map/cost/placement_tree.h"

/* A slot with its number and the name of its host. */
typedef struct numbered {
    const servet_map_seat *slot;
    int number;
} numbered;

static int by_host_and_core(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    int order = strcmp(x->slot->host, y->slot->host);
    return order ? order : (x->slot->core > y->slot->core) - (x->slot->core < y->slot->core);
}

/* Finds the node that the job measured under this name, or else one of the same node class. */
static void find_host(const servet_profile *profile, const char *host, srv_map_slot *slot)
{
    int node_class = 0;
    slot->job_node = -1;
    if (servet_network_node_of(profile, host, &slot->job_node) == SERVET_OK) {
        slot->like = slot->job_node;
        return;
    }
    bool listed = servet_profile_class_of(profile, host, &node_class) == SERVET_OK ||
                  servet_profile_class_count(profile) == 1;
    slot->like = listed ? srv_representative_node(profile, node_class) : -1;
}

/* Numbers the hosts in the order of their names. */
static int number_hosts(const servet_profile *profile, const numbered *items, int count,
                        srv_map_slot *slots, servet_error *error)
{
    srv_map_slot slot = {.node = -1};
    for (int i = 0; i < count; i++) {
        const servet_map_seat *own = items[i].slot, *before = i ? items[i - 1].slot : NULL;
        if (before && by_host_and_core(&items[i - 1], &items[i]) == 0)
            return srv_fail(error, SERVET_EARGUMENT, "core %d of %.64s is listed twice", own->core,
                            own->host);
        if (!before || strcmp(before->host, own->host) != 0) {
            slot.node++;
            find_host(profile, own->host, &slot);
        }
        slot.core = own->core;
        slots[items[i].number] = slot;
    }
    return SERVET_OK;
}

static int make_site(srv_slot_tree *tree, const servet_profile *profile,
                     const servet_map_seat *slots, int count, servet_error *error)
{
    numbered *items = calloc((size_t)count, sizeof *items);
    srv_map_slot *found = calloc((size_t)count, sizeof *found);
    int code = items && found ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK) {
        for (int i = 0; i < count; i++)
            items[i] = (numbered){&slots[i], i};
        qsort(items, (size_t)count, sizeof *items, by_host_and_core);
        code = number_hosts(profile, items, count, found, error);
    }
    if (code == SERVET_OK)
        code = srv_slot_tree_begin(tree, profile, found, count, error);
    free(items);
    free(found);
    return code;
}

int servet_map_reorder(const servet_profile *profile, const servet_traffic *traffic,
                       const servet_map_seat slots[], int slot_of[], servet_error *error)
{
    srv_program program = {0};
    srv_slot_tree tree = {0};
    srv_map_load load;
    bool better = false;
    int count = servet_traffic_processes(traffic);
    int code = make_site(&tree, profile, slots, count, error);
    if (code == SERVET_OK)
        code = srv_program_begin(&program, profile, traffic, error);
    if (code == SERVET_OK)
        code = srv_assign_better(&program, &tree, slot_of, &load, &better, error);
    for (int rank = 0; rank < count && code == SERVET_OK && !better; rank++)
        slot_of[rank] = rank;
    srv_program_finish(&program);
    srv_slot_tree_finish(&tree);
    return code;
}
