/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/degradation/stage_senders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/places.h"
#include "core/ranges.h"
#include "core/room.h"

typedef struct spread {
    const int *cores;
    int count;
    bool *in;     /* whether set s has core c, at [s * count + c] */
    int *size;    /* of each set, cores that are not here left out */
    int *taken;   /* of each set */
    bool *chosen; /* of each core */
    int set_count;
} spread;

static void fill(spread *on, const srv_sets *sets)
{
    on->set_count = sets->count;
    for (int s = 0; s < sets->count; s++)
        for (int c = 0; c < on->count; c++)
            if (srv_ranges_contain(sets->set[s], on->cores[c])) {
                on->in[s * on->count + c] = true;
                on->size[s]++;
            }
}

static int next_core(const spread *on, int bits)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < 1 << bits; i++) {
        /* The i-th of 2^bits places such that every prefix is spread evenly: the bits of i,
         * reversed. Without other knowledge, neighbours in the OS's numbering probably share
         * more than others. */
        int core = 0;
        for (int bit = 0; bit < bits; bit++)
            core |= (i >> bit & 1) << (bits - 1 - bit);
        if (core >= on->count || on->chosen[core])
            continue;
        /* How full the sets of a core are, all together. */
        double full = 0;
        for (int s = 0; s < on->set_count; s++)
            if (on->in[s * on->count + core])
                full += (double)on->taken[s] / on->size[s];
        if (full < least) {
            least = full;
            best = core;
        }
    }
    return best;
}

int srv_network_spread(const srv_sets *sets, const int *cores, int count, int *order,
                       servet_error *error)
{
    spread on = {.cores = cores, .count = count};
    int bits = 0;
    while (1 << bits < count)
        bits++;
    srv_room room = {0};
    on.in = srv_room_take(&room, (size_t)sets->count * (size_t)count + 1, sizeof *on.in);
    on.size = srv_room_take(&room, (size_t)sets->count + 1, sizeof *on.size);
    on.taken = srv_room_take(&room, (size_t)sets->count + 1, sizeof *on.taken);
    on.chosen = srv_room_take(&room, (size_t)count, sizeof *on.chosen);
    bool allocated = !room.failed;
    if (allocated) {
        fill(&on, sets);
        for (int i = 0; i < count; i++) {
            order[i] = next_core(&on, bits);
            on.chosen[order[i]] = true;
            for (int s = 0; s < on.set_count; s++)
                on.taken[s] += on.in[s * on.count + order[i]];
        }
    }
    srv_room_free(&room);
    return allocated ? SERVET_OK : srv_fail_memory(error);
}

/* A node's cores. */
typedef struct node_cores {
    int *cores, *order;
} node_cores;

/* Adds a node's cores in a group as a set: of "0-3:0-15,0-3:32-47" the node's parts. */
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

static int order_node(const srv_network_job *job, int node, node_cores *on, servet_error *error)
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

static int find(const srv_network_job *job, int wanted, srv_network_senders *senders,
                node_cores *on, servet_error *error)
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

int srv_network_senders_find(const srv_network_job *job, srv_network_senders *senders,
                             servet_error *error)
{
    int most = 0, least = job->rank_count, slow = 0, last_slow = -1;
    int wanted = job->options->nodes ? job->options->nodes : job->node_count;
    for (int node = 0; node < wanted; node++)
        if (srv_network_is_slow(job->profile, node)) {
            slow++;
            last_slow = node;
        }
    bool left_out = slow > 0 && wanted - slow > 1;
    *senders = (srv_network_senders){.left_out = left_out, .slow = left_out ? -1 : last_slow};
    for (int node = 0; node < wanted; node++) {
        int size = srv_network_job_size(job, node);
        most = size > most ? size : most;
        least = size < least ? size : least;
    }
    node_cores on = {calloc((size_t)most, sizeof(int)), calloc((size_t)most, sizeof(int))};
    senders->stride = least;
    senders->ranks = calloc((size_t)wanted * (size_t)least, sizeof *senders->ranks);
    int code = on.cores && on.order && senders->ranks ? find(job, wanted, senders, &on, error)
                                                      : srv_fail_memory(error);
    free(on.cores);
    free(on.order);
    return code;
}
