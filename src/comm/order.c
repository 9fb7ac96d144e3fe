/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/order.h"

#include <stdbool.h>
#include <stdlib.h>

#include "comm/groups.h"

/* State while an order is computed. A group has the number of its first rank. */
typedef struct sorting {
    const srv_peers *peers;
    const servet_profile *profile;
    int *order;
    int *group; /* group of each rank: the key of the next sort */
    int *begin; /* position of each group in the new order; has one element more than ranks */
    int *sorted;
} sorting;

/* Sorts the ranks by their groups; the sort is stable. */
static void sort_by_group(sorting *on)
{
    int count = on->peers->count;
    for (int i = 0; i <= count; i++)
        on->begin[i] = 0;
    for (int i = 0; i < count; i++)
        on->begin[on->group[i] + 1]++;
    for (int i = 0; i < count; i++)
        on->begin[i + 1] += on->begin[i];
    for (int i = 0; i < count; i++)
        on->sorted[on->begin[on->group[on->order[i]]]++] = on->order[i];
    for (int i = 0; i < count; i++)
        on->order[i] = on->sorted[i];
}

/* Sorts by the layers within nodes, or between them, fastest first, so that the slowest decides. */
static int sort_by_layers(sorting *on, int layers, bool between_nodes, servet_error *error)
{
    servet_network_layer layer;
    int code = SERVET_OK;
    for (int i = 1; i <= layers && code == SERVET_OK; i++) {
        if (servet_network_layer_get(on->profile, i, &layer) == SERVET_OK &&
            layer.between_nodes != between_nodes)
            continue;
        code = srv_groups_find(on->peers, on->profile, i, false, on->group, error);
        if (code == SERVET_OK)
            sort_by_group(on);
    }
    return code;
}

/* Keeps the ranks of a host together, even if they are in different measured layers. */
static void sort_by_host(sorting *on)
{
    const srv_peers *peers = on->peers;
    for (int i = 0; i < peers->count; i++)
        on->group[i] = peers->host[peers->peer[i].host].first;
    sort_by_group(on);
}

int srv_order_find(const srv_peers *peers, const servet_profile *profile, int *order,
                   servet_error *error)
{
    int layers;
    size_t count = (size_t)peers->count;
    int *room = calloc(3 * count + 1, sizeof *room);
    if (!room)
        return srv_fail_memory(error);
    sorting on = {peers, profile, order, room, room + 2 * count, room + count};
    int code = servet_network_layer_count(profile, &layers);
    if (code != SERVET_OK)
        srv_fail(error, code,
                 code == SERVET_EUNTRUSTED ? "communication layers: not trusted"
                                           : "the profile has no communication layers");
    for (int i = 0; i < peers->count; i++)
        order[i] = i;
    if (code == SERVET_OK)
        code = sort_by_layers(&on, layers, false, error);
    sort_by_host(&on);
    if (code == SERVET_OK)
        code = sort_by_layers(&on, layers, true, error);
    free(room);
    return code;
}
