/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/near.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/places.h"
#include "servet/network.h"

void srv_near_finish(srv_near *near)
{
    free(near->layer);
    free(near->steps);
    free(near->group);
    free(near->order);
    free(near->first);
    free(near->last);
    *near = (srv_near){0};
}

/* --- groups ----------------------------------------------------------------------------------- */

/* The groups of a layer by the job's nodes, in `of_job`, which has `count` of them. */
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

static int fill_groups(srv_near *near, const servet_profile *profile, const srv_nodes *nodes,
                       servet_error *error)
{
    servet_network network;
    if (servet_network_get(profile, &network) != SERVET_OK)
        return SERVET_OK;
    int *of_job = calloc((size_t)network.nodes + 1, sizeof *of_job);
    if (!of_job)
        return srv_fail_memory(error);
    for (int l = 0; l < near->layer_count; l++) {
        find_groups(profile, near->layer[l], of_job, network.nodes);
        for (int n = 0; n < nodes->count; n++) {
            int job_node = nodes->items[n].job_node;
            near->group[n * near->layer_count + l] = job_node < 0 ? -1 : of_job[job_node];
        }
    }
    free(of_job);
    return SERVET_OK;
}

/* --- order ------------------------------------------------------------------------------------ */

/* A node, with what it is sorted by. */
typedef struct ordered {
    const int *group; /* by layer */
    int layer_count, node;
} ordered;

/* By the groups of the farthest layer, then of the next, then by their numbers. */
static int compare(const void *a, const void *b)
{
    const ordered *x = a, *y = b;
    for (int l = x->layer_count - 1; l >= 0; l--)
        if (x->group[l] != y->group[l])
            return x->group[l] < y->group[l] ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int sort_nodes(srv_near *near, int count, servet_error *error)
{
    ordered *items = calloc((size_t)count, sizeof *items);
    if (!items)
        return srv_fail_memory(error);
    for (int n = 0; n < count; n++)
        items[n] = (ordered){&near->group[n * near->layer_count], near->layer_count, n};
    qsort(items, (size_t)count, sizeof *items, compare);
    for (int n = 0; n < count; n++)
        near->order[n] = items[n].node;
    free(items);
    return SERVET_OK;
}

/* Groups lie within those of the farther layers, so the nodes of one stand side by side. */
static void find_ends(srv_near *near, int count, int layer)
{
    int stride = near->layer_count;
    for (int begin = 0, end; begin < count; begin = end) {
        int group = near->group[near->order[begin] * stride + layer];
        for (end = begin; end < count; end++)
            if (near->group[near->order[end] * stride + layer] != group)
                break;
        for (int i = begin; i < end; i++) {
            near->first[near->order[i] * stride + layer] = begin;
            near->last[near->order[i] * stride + layer] = end - 1;
        }
    }
}

/* Keeps the layers between nodes of all `count` layers. */
static void choose_layers(srv_near *near, const servet_profile *profile, int count)
{
    servet_network_layer layer;
    for (int i = 0; i < count; i++)
        if (servet_network_layer_get(profile, i + 1, &layer) == SERVET_OK && layer.between_nodes) {
            near->layer[near->layer_count] = i + 1;
            near->steps[near->layer_count++] = near->steps[i];
        }
}

static bool make_room(srv_near *near, size_t nodes)
{
    size_t room = nodes * (size_t)near->layer_count + 1;
    near->group = calloc(room, sizeof *near->group);
    near->first = calloc(room, sizeof *near->first);
    near->last = calloc(room, sizeof *near->last);
    near->order = calloc(nodes + 1, sizeof *near->order);
    return near->group && near->first && near->last && near->order;
}

int srv_near_begin(srv_near *near, const servet_profile *profile, const srv_nodes *nodes,
                   servet_code code, servet_error *error)
{
    int layers, result = srv_rules_layers(profile, code, &near->steps, &layers, error);
    if (result != SERVET_OK)
        return result;
    near->layer = calloc((size_t)layers + 1, sizeof *near->layer);
    if (!near->layer)
        return srv_fail_memory(error);
    choose_layers(near, profile, layers);
    if (!make_room(near, (size_t)nodes->count))
        return srv_fail_memory(error);
    result = fill_groups(near, profile, nodes, error);
    if (result == SERVET_OK)
        result = sort_nodes(near, nodes->count, error);
    for (int l = 0; l < near->layer_count && result == SERVET_OK; l++)
        find_ends(near, nodes->count, l);
    return result;
}
