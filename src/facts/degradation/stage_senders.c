/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/degradation/stage_senders.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/places.h"
#include "core/ranges.h"
#include "facts/degradation/stage_spread.h"

/* Room for a node's cores. */
typedef struct room {
    int *cores, *order, *picked;
    char *text;
    size_t text_size;
} room;

enum { DIGITS_MAX = 12 };

static bool allocate(room *on, size_t cores)
{
    *on = (room){calloc(cores, sizeof(int)), calloc(cores, sizeof(int)), calloc(cores, sizeof(int)),
                 calloc(cores, DIGITS_MAX), cores * DIGITS_MAX};
    return on->cores && on->order && on->picked && on->text;
}

static void release(room *on)
{
    free(on->cores);
    free(on->order);
    free(on->picked);
    free(on->text);
}

/* True if a core of a node is in a set of cores of several nodes. */
static bool has(const char *places, int node, int core)
{
    for (srv_places_part part; srv_places_next(&places, &part);)
        if (node >= part.first_node && node <= part.last_node && core >= part.first_core &&
            core <= part.last_core)
            return true;
    return false;
}

/* Adds those of the node's `count` cores that are in a group, as a set. */
static int add_set(const char *group, int node, int count, room *on, srv_sets *sets,
                   servet_error *error)
{
    int n = 0;
    for (int i = 0; i < count; i++)
        if (has(group, node, on->cores[i]))
            on->picked[n++] = on->cores[i];
    if (n < 2 || !srv_ranges_write(on->picked, n, on->text, on->text_size))
        return SERVET_OK;
    return srv_sets_add(sets, on->text, error);
}

/* Adds the known sets of cores of a node. */
static int add_sets(const srv_network_job *job, int node, int count, room *on, srv_sets *sets,
                    servet_error *error)
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
            code = add_set(group, node, count, on, sets, error);
    }
    return code;
}

static int order_node(const srv_network_job *job, int node, room *on, servet_error *error)
{
    int count = srv_network_job_size(job, node);
    srv_sets sets = {0};
    for (int i = 0; i < count; i++)
        on->cores[i] = job->ranks[job->of_node[job->first[node] + i]].core;
    int code = add_sets(job, node, count, on, &sets, error);
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
    room on = {0};
    senders->stride = least;
    senders->ranks = calloc((size_t)wanted * (size_t)least, sizeof *senders->ranks);
    int code = allocate(&on, (size_t)most) && senders->ranks
                   ? find(job, wanted, senders, &on, error)
                   : srv_fail_memory(error);
    release(&on);
    return code;
}
