/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/degradation/stage_senders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/places.h"
#include "facts/degradation/stage_spread.h"

/* Room for a node's cores. */
typedef struct room {
    int *cores, *order;
} room;

/* Adds the cores of the node that are in a group, as a set: of "0-3:0-15,0-3:32-47" those parts
 * that have the node. */
static int add_set(const char *group, int node, srv_sets *sets, servet_error *error)
{
    size_t size = 2 * strlen(group) + 1, used = 0; /* "7:100" becomes "100-100" */
    char *text = malloc(size);
    if (!text)
        return srv_fail_memory(error);
    for (srv_places_part part; srv_places_next(&group, &part);)
        if (node >= part.first_node && node <= part.last_node)
            used += (size_t)snprintf(text + used, size - used, "%s%d-%d", used ? "," : "",
                                     part.first_core, part.last_core);
    int code = used ? srv_sets_add(sets, text, error) : SERVET_OK;
    free(text);
    return code;
}

/* Adds the known sets of cores of a node. */
static int add_sets(const srv_network_job *job, int node, srv_sets *sets, servet_error *error)
{
    const srv_sets *objects = job->options->objects;
    int code = SERVET_OK;
    for (int i = 0; objects && i < objects->count && code == SERVET_OK; i++)
        code = srv_sets_add(sets, objects->set[i], error);
    for (int layer = 1; layer <= srv_network_job_layers(job); layer++) {
        const char *group;
        bool between_nodes = srv_network_job_layer(job, layer).fact.between_nodes;
        for (int i = 0; !between_nodes && code == SERVET_OK &&
                        servet_network_group(job->profile, layer, i, &group) == SERVET_OK;
             i++)
            code = add_set(group, node, sets, error);
    }
    return code;
}

static int order_node(const srv_network_job *job, int node, room *on, servet_error *error)
{
    int count = srv_network_job_size(job, node);
    srv_sets sets = {0};
    for (int i = 0; i < count; i++)
        on->cores[i] = job->ranks[job->of_node[job->first[node] + i]].core;
    int code = add_sets(job, node, &sets, error);
    if (code == SERVET_OK)
        code = srv_network_spread(&sets, on->cores, count, on->order, error);
    srv_sets_finish(&sets);
    return code;
}

/* Nodes with the same cores have the same groups. */
static bool like_before(const srv_network_job *job, int node)
{
    return node > 0 && strcmp(job->nodes[node].cores, job->nodes[node - 1].cores) == 0;
}

/* Finds the senders of the first `wanted` nodes. */
static int find(const srv_network_job *job, int wanted, srv_network_senders *senders, room *on,
                servet_error *error)
{
    int code = SERVET_OK, count = 0;
    for (int node = 0; node < wanted && code == SERVET_OK; node++) {
        if (!like_before(job, node))
            code = order_node(job, node, on, error);
        if (senders->left_out && srv_network_is_slow(job->profile, node))
            continue;
        for (int i = 0; i < senders->stride && code == SERVET_OK; i++)
            senders->ranks[count * senders->stride + i] =
                job->of_node[job->first[node] + on->order[i]];
        count++;
    }
    senders->nodes = count;
    return code;
}

/* How many of the nodes are slow; `*last` becomes one of them. */
static int slow_nodes(const srv_network_job *job, int wanted, int *last)
{
    int count = 0;
    *last = -1;
    for (int node = 0; node < wanted; node++)
        if (srv_network_is_slow(job->profile, node)) {
            count++;
            *last = node;
        }
    return count;
}

int srv_network_senders_find(const srv_network_job *job, srv_network_senders *senders,
                             servet_error *error)
{
    int most = 0, least = job->rank_count;
    int wanted = job->options->nodes ? job->options->nodes : job->node_count;
    int last_slow, slow = slow_nodes(job, wanted, &last_slow);
    bool left_out = slow > 0 && wanted - slow > 1;
    *senders = (srv_network_senders){.left_out = left_out, .slow = left_out ? -1 : last_slow};
    for (int node = 0; node < wanted; node++) {
        int size = srv_network_job_size(job, node);
        most = size > most ? size : most;
        least = size < least ? size : least;
    }
    room on = {calloc((size_t)most, sizeof(int)), calloc((size_t)most, sizeof(int))};
    senders->stride = least;
    senders->ranks = calloc((size_t)wanted * (size_t)least, sizeof *senders->ranks);
    int code = on.cores && on.order && senders->ranks ? find(job, wanted, senders, &on, error)
                                                      : srv_fail_memory(error);
    free(on.cores);
    free(on.order);
    return code;
}
