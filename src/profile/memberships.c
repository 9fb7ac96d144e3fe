/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/memberships.h"

#include <stdlib.h>
#include <string.h>

#include "core/places.h"

/* --- going over the cores --------------------------------------------------------------------- */

/* A set of cores of one layer. */
typedef struct group_at {
    int layer, group;
    const char *places;
} group_at;

typedef int visitor(void *context, const group_at *at, const srv_places_part *part,
                    srv_json_path *where);

static int visit_group(const group_at *at, visitor *visit, void *context, srv_json_path *where)
{
    srv_places_part part;
    int code = SERVET_OK;
    srv_json_path_enter_item(where, at->group);
    for (const char *cursor = at->places; code == SERVET_OK && srv_places_next(&cursor, &part);)
        code = visit(context, at, &part, where);
    srv_json_path_leave(where);
    return code;
}

/* Calls `visit` for each part of each group of a layer. */
static int visit_layer(const srv_list *groups, int layer, visitor *visit, void *context,
                       srv_json_path *where)
{
    int code = SERVET_OK;
    srv_json_path_enter_item(where, layer);
    srv_json_path_enter(where, "groups");
    for (int i = 0; i < groups->count && code == SERVET_OK; i++) {
        const group_at at = {layer, i, ((char *const *)groups->items)[i]};
        code = visit_group(&at, visit, context, where);
    }
    srv_json_path_leave(where);
    srv_json_path_leave(where);
    return code;
}

static int visit_all(const srv_comm *comm, visitor *visit, void *context, srv_json_path *where)
{
    const srv_comm_layer *layers = comm->layers.items;
    int code = SERVET_OK;
    srv_json_path_enter(where, "network");
    srv_json_path_enter(where, "layers");
    for (int i = 0; i < comm->layers.count && code == SERVET_OK; i++)
        code = visit_layer(&layers[i].groups, i, visit, context, where);
    srv_json_path_leave(where);
    srv_json_path_leave(where);
    return code;
}

/* --- counting --------------------------------------------------------------------------------- */

/* Cores by node, and how many more a layer may have: so that a file of a few bytes,
 * 0-9:0-2000000000, takes no memory. */
typedef struct census {
    const srv_comm *comm;
    int *begin; /* [node + 1]: cores of the node, those in several layers more than once */
    int layer, left;
    size_t total;
} census;

static int count_part(void *context, const group_at *at, const srv_places_part *part,
                      srv_json_path *where)
{
    census *on = context;
    if (on->layer != at->layer) {
        on->layer = at->layer;
        on->left = on->comm->fact.ranks;
    }
    if (part->last_node >= on->comm->nodes.count)
        return srv_json_path_fail(where, "there is no node %d, only %d", part->last_node,
                                  on->comm->nodes.count);
    long long cores = (long long)part->last_core - part->first_core + 1;
    long long nodes = (long long)part->last_node - part->first_node + 1;
    if (cores > on->left || cores * nodes > on->left)
        return srv_json_path_fail(where, "more cores than the %d processes of the job",
                                  on->comm->fact.ranks);
    on->left -= (int)(cores * nodes);
    on->total += (size_t)(cores * nodes);
    for (int node = part->first_node; node <= part->last_node; node++)
        on->begin[node + 1] += (int)cores;
    return SERVET_OK;
}

/* --- listing ---------------------------------------------------------------------------------- */

typedef struct listing {
    srv_memberships *memberships;
    int *end; /* of each node's cores that are listed so far */
} listing;

static int list_part(void *context, const group_at *at, const srv_places_part *part,
                     srv_json_path *where)
{
    listing *on = context;
    (void)at;
    (void)where;
    for (int node = part->first_node; node <= part->last_node; node++)
        for (int core = part->first_core; core <= part->last_core; core++)
            on->memberships->core[on->end[node]++] = core;
    return SERVET_OK;
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Each node's cores ascending, each once; the nodes move together. */
static void tidy(srv_memberships *memberships)
{
    int *core = memberships->core, used = 0, from = 0;
    for (int node = 0; node < memberships->node_count; node++) {
        int end = memberships->begin[node + 1], begin = used;
        qsort(core + from, (size_t)(end - from), sizeof *core, by_number);
        for (; from < end; from++)
            if (used == begin || core[used - 1] != core[from])
                core[used++] = core[from];
        memberships->begin[node + 1] = used;
    }
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Where a core is in `core`, -1 where it is not. */
static int find_member(const srv_memberships *memberships, int node, int core)
{
    int low = memberships->begin[node], high = memberships->begin[node + 1];
    int guess = low + core - (low < high ? memberships->core[low] : 0);
    if (guess >= low && guess < high && memberships->core[guess] == core)
        return guess; /* as where cores are numbered without gaps */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (memberships->core[middle] < core)
            low = middle + 1;
        else
            high = middle;
    }
    return low < memberships->begin[node + 1] && memberships->core[low] == core ? low : -1;
}

static int *groups_at(const srv_memberships *memberships, int member)
{
    return memberships->group + (size_t)member * (size_t)memberships->layer_count;
}

static int enter_part(void *context, const group_at *at, const srv_places_part *part,
                      srv_json_path *where)
{
    const srv_memberships *memberships = context;
    for (int node = part->first_node; node <= part->last_node; node++)
        for (int core = part->first_core; core <= part->last_core; core++) {
            int *group = groups_at(memberships, find_member(memberships, node, core)) + at->layer;
            if (*group >= 0)
                return srv_json_path_fail(where, "core %d of node %d is in two groups", core, node);
            *group = at->group;
        }
    return SERVET_OK;
}

static int allot_groups(const srv_comm *comm, srv_memberships *memberships, srv_json_path *where)
{
    size_t member_count = (size_t)memberships->begin[memberships->node_count];
    size_t bytes = member_count * (size_t)memberships->layer_count * sizeof *memberships->group;
    memberships->group = malloc(bytes);
    if (!memberships->group)
        return srv_fail_memory(where->error);
    memset(memberships->group, -1, bytes);
    return visit_all(comm, enter_part, memberships, where);
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Lists the cores of memberships->begin, which has their number by node. */
static int list_cores(const srv_comm *comm, srv_memberships *memberships, size_t total,
                      srv_json_path *where)
{
    size_t nodes = (size_t)memberships->node_count;
    memberships->core = malloc(total * sizeof *memberships->core);
    listing on = {memberships, malloc(nodes * sizeof *on.end)};
    int code = memberships->core && on.end ? SERVET_OK : srv_fail_memory(where->error);
    for (size_t i = 0; i < nodes; i++)
        memberships->begin[i + 1] += memberships->begin[i];
    if (code == SERVET_OK) {
        memcpy(on.end, memberships->begin, nodes * sizeof *on.end);
        code = visit_all(comm, list_part, &on, where);
    }
    free(on.end);
    if (code == SERVET_OK)
        tidy(memberships);
    return code;
}

static int fill(const srv_comm *comm, srv_memberships *memberships, size_t *total,
                srv_json_path *where)
{
    memberships->node_count = comm->nodes.count;
    memberships->layer_count = comm->layers.count;
    memberships->begin = calloc((size_t)memberships->node_count + 1, sizeof *memberships->begin);
    if (!memberships->begin)
        return srv_fail_memory(where->error);
    census on = {comm, memberships->begin, -1, 0, 0};
    int code = visit_all(comm, count_part, &on, where);
    *total = on.total;
    if (code == SERVET_OK && on.total)
        code = list_cores(comm, memberships, on.total, where);
    return code == SERVET_OK && on.total ? allot_groups(comm, memberships, where) : code;
}

int srv_memberships_create(const srv_comm *comm, srv_memberships **memberships,
                           srv_json_path *where)
{
    size_t total = 0;
    srv_memberships *created = calloc(1, sizeof *created);
    int code = created ? fill(comm, created, &total, where) : srv_fail_memory(where->error);
    if (code != SERVET_OK || !total) {
        srv_memberships_destroy(created);
        created = NULL;
    }
    if (code == SERVET_OK)
        *memberships = created;
    return code;
}

void srv_memberships_destroy(srv_memberships *memberships)
{
    if (!memberships)
        return;
    free(memberships->begin);
    free(memberships->core);
    free(memberships->group);
    free(memberships);
}

const int *srv_memberships_groups(const srv_memberships *memberships, servet_place place)
{
    if (!memberships || place.node < 0 || place.node >= memberships->node_count)
        return NULL;
    int member = find_member(memberships, place.node, place.core);
    return member >= 0 ? groups_at(memberships, member) : NULL;
}
