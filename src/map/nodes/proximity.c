/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/nodes/proximity.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/places.h"
#include "servet/network.h"

void srv_proximity_finish(srv_proximity *proximity)
{
    free(proximity->layer);
    free(proximity->steps);
    free(proximity->group);
    free(proximity->order);
    free(proximity->first);
    free(proximity->last);
    *proximity = (srv_proximity){0};
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Stores the group of each of the job's `count` nodes in of_job[]. */
static void find_groups(const servet_profile *profile, int layer, int *of_job, int count)
{
    int groups = 0;
    const char *places;
    srv_places_part part;
    for (int i = 0; i < count; i++)
        of_job[i] = -1;
    (void)servet_network_group_count(profile, layer, &groups);
    for (int g = 0; g < groups; g++) {
        if (servet_network_group(profile, layer, g, &places) != SERVET_OK)
            continue;
        while (srv_places_next(&places, &part))
            for (int i = part.first_node; i <= part.last_node && i < count; i++)
                of_job[i] = g;
    }
}

static int fill_groups(srv_proximity *proximity, const servet_profile *profile,
                       const srv_nodes *nodes, servet_error *error)
{
    servet_network network;
    if (servet_network_get(profile, &network) != SERVET_OK)
        return SERVET_OK;
    int *of_job = calloc((size_t)network.nodes + 1, sizeof *of_job);
    if (!of_job)
        return srv_fail_memory(error);
    for (int l = 0; l < proximity->layer_count; l++) {
        find_groups(profile, proximity->layer[l], of_job, network.nodes);
        for (int n = 0; n < nodes->count; n++) {
            int job_node = nodes->items[n].job_node;
            proximity->group[n * proximity->layer_count + l] = job_node < 0 ? -1 : of_job[job_node];
        }
    }
    free(of_job);
    return SERVET_OK;
}

/* --- order ------------------------------------------------------------------------------------ */

/* A node with its keys for sorting. */
typedef struct ordered {
    const int *group; /* by layer */
    int layer_count, node;
} ordered;

/* Orders by the groups of the farthest layer, then of the next, then by their numbers. */
static int compare(const void *a, const void *b)
{
    const ordered *x = a, *y = b;
    for (int l = x->layer_count - 1; l >= 0; l--)
        if (x->group[l] != y->group[l])
            return x->group[l] < y->group[l] ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int sort_nodes(srv_proximity *proximity, int count, servet_error *error)
{
    ordered *items = calloc((size_t)count, sizeof *items);
    if (!items)
        return srv_fail_memory(error);
    for (int n = 0; n < count; n++)
        items[n] =
            (ordered){&proximity->group[n * proximity->layer_count], proximity->layer_count, n};
    qsort(items, (size_t)count, sizeof *items, compare);
    for (int n = 0; n < count; n++)
        proximity->order[n] = items[n].node;
    free(items);
    return SERVET_OK;
}

/* Finds the first and the last node of each group. The groups of a layer lie within groups of
 * farther layers, so the nodes of a group are contiguous. */
static void find_ends(srv_proximity *proximity, int count, int layer)
{
    int stride = proximity->layer_count;
    for (int begin = 0, end; begin < count; begin = end) {
        int group = proximity->group[proximity->order[begin] * stride + layer];
        for (end = begin; end < count; end++)
            if (proximity->group[proximity->order[end] * stride + layer] != group)
                break;
        for (int i = begin; i < end; i++) {
            proximity->first[proximity->order[i] * stride + layer] = begin;
            proximity->last[proximity->order[i] * stride + layer] = end - 1;
        }
    }
}

/* Keeps only the layers between nodes, of `count` layers. */
static void choose_layers(srv_proximity *proximity, const servet_profile *profile, int count)
{
    servet_network_layer layer;
    for (int i = 0; i < count; i++)
        if (servet_network_layer_get(profile, i + 1, &layer) == SERVET_OK && layer.between_nodes) {
            proximity->layer[proximity->layer_count] = i + 1;
            proximity->steps[proximity->layer_count++] = proximity->steps[i];
        }
}

static bool make_room(srv_proximity *proximity, size_t nodes)
{
    size_t room = nodes * (size_t)proximity->layer_count + 1;
    proximity->group = calloc(room, sizeof *proximity->group);
    proximity->first = calloc(room, sizeof *proximity->first);
    proximity->last = calloc(room, sizeof *proximity->last);
    proximity->order = calloc(nodes + 1, sizeof *proximity->order);
    return proximity->group && proximity->first && proximity->last && proximity->order;
}

int srv_proximity_begin(srv_proximity *proximity, const servet_profile *profile,
                        const srv_nodes *nodes, servet_code code, servet_error *error)
{
    int layers, result = srv_rules_layers(profile, code, &proximity->steps, &layers, error);
    if (result != SERVET_OK)
        return result;
    proximity->layer = calloc((size_t)layers + 1, sizeof *proximity->layer);
    if (!proximity->layer)
        return srv_fail_memory(error);
    choose_layers(proximity, profile, layers);
    if (!make_room(proximity, (size_t)nodes->count))
        return srv_fail_memory(error);
    result = fill_groups(proximity, profile, nodes, error);
    if (result == SERVET_OK)
        result = sort_nodes(proximity, nodes->count, error);
    for (int l = 0; l < proximity->layer_count && result == SERVET_OK; l++)
        find_ends(proximity, nodes->count, l);
    return result;
}
