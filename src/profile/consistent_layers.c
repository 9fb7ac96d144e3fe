/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/consistent_layers.h"

#include <stdio.h>

#include "profile/contradiction.h"
#include "profile/query/network.h"
#include "profile/spans.h"
#include "servet/network.h"
#include "servet/profile.h"
#include "servet/record.h"

/* A layer of a job. */
typedef struct layer {
    servet_profile *profile;
    const srv_comm *comm;
    srv_comm_layer *stored;
    int index; /* from 0 */
    servet_error *error;
} layer;

static layer other_layer(const layer *of, int index)
{
    layer other = *of;
    other.stored = (srv_comm_layer *)of->comm->layers.items + index;
    other.index = index;
    return other;
}

/* Marks the facts of at most two members of the layer. */
static int doubt(const layer *of, const char *members[2], const char *reason)
{
    char paths[2 * SERVET_NAME_MAX] = "";
    size_t used = 0;
    for (int i = 0; i < 2 && members[i]; i++)
        used += (size_t)snprintf(paths + used, sizeof paths - used, "network.layers.%d.%.16s ",
                                 of->index + 1, members[i]);
    return servet_profile_distrust(of->profile, 0, paths, reason, of->error);
}

/* Demands that the pair with which the layer's curve was measured is in this layer. */
static int demand_pair(const layer *of)
{
    char reason[SERVET_TEXT_MAX];
    const servet_place from = of->stored->fact.from, to = of->stored->fact.to;
    int found = srv_comm_common_layer(of->comm, from, to);
    if (!of->stored->groups.count || found == of->index)
        return SERVET_OK;
    int used = snprintf(reason, sizeof reason,
                        "a layer is measured on one of its pairs: %d:%d and "
                        "%d:%d are of ",
                        from.node, from.core, to.node, to.core);
    if (found < 0)
        snprintf(reason + used, sizeof reason - (size_t)used, "no layer");
    else
        snprintf(reason + used, sizeof reason - (size_t)used, "layer %d", found + 1);
    return doubt(of, (const char *[]){"from", "to"}, reason);
}

/* Demands that the layer joins all cores that a nearer layer joins, both within or both between
 * nodes. */
static int demand_nested(const layer *of, const layer *nearer)
{
    char reason[SERVET_TEXT_MAX];
    const srv_list *wide = &of->stored->groups, *near = &nearer->stored->groups;
    int group = wide->count && near->count ? srv_spans_find_split(near, wide) : -1;
    if (group < 0)
        return SERVET_OK;
    snprintf(reason, sizeof reason,
             "a layer joins what faster ones join: no group of layer %d has all of group %d of "
             "layer %d",
             of->index + 1, group + 1, nearer->index + 1);
    int code = doubt(nearer, (const char *[]){"groups", NULL}, reason);
    return code == SERVET_OK ? doubt(of, (const char *[]){"groups", NULL}, reason) : code;
}

/* Returns the core types of a node of the job; NULL if they were not measured. */
static const srv_list *kinds_of(const layer *of, int node)
{
    int class;
    const char *host = servet_network_node(of->profile, node);
    if (!host || servet_profile_class_of(of->profile, host, &class) != SERVET_OK)
        return NULL;
    const srv_list *kinds = &((const srv_class *)of->profile->classes.items)[class].kinds;
    return kinds->count ? kinds : NULL;
}

/* Demands that all cores are cores of their node. */
static int demand_cores(const layer *of)
{
    char reason[SERVET_TEXT_MAX];
    const srv_spans *spans = of->stored->groups.spans;
    for (int i = 0; spans && i < spans->count; i++) {
        srv_span span = spans->span[i];
        const srv_list *kinds = kinds_of(of, span.node);
        int node = span.node;
        span.node = 0; /* the node number in a class */
        int core = kinds ? srv_spans_outside(kinds, span) : -1;
        if (core < 0)
            continue;
        snprintf(reason, sizeof reason, "core %d of node %d is of no core type (kinds.cores)", core,
                 node);
        return doubt(of, (const char *[]){"groups", NULL}, reason);
    }
    return SERVET_OK;
}

/* Demands that layers within nodes are listed from fast to slow, and layers between nodes as well.
 */
static int demand_order(const layer *of, const layer *nearer)
{
    srv_fact lesser = {&nearer->stored->fact.latency, ""},
             greater = {&of->stored->fact.latency, ""};
    snprintf(lesser.path, sizeof lesser.path, "network.layers.%d.latency_us", nearer->index + 1);
    snprintf(greater.path, sizeof greater.path, "network.layers.%d.latency_us", of->index + 1);
    return srv_demand_order(of->profile, 0, &lesser, &greater,
                            "layers are listed from fast to slow", of->error);
}

static int mark_layer(const layer *of)
{
    int before = of->index - 1, code = demand_pair(of);
    const srv_comm_layer *layers = of->comm->layers.items;
    while (before >= 0 && layers[before].fact.between_nodes != of->stored->fact.between_nodes)
        before--;
    if (code == SERVET_OK)
        code = demand_cores(of);
    if (code != SERVET_OK || before < 0)
        return code;
    const layer nearer = other_layer(of, before);
    code = demand_order(of, &nearer);
    return code == SERVET_OK ? demand_nested(of, &nearer) : code;
}

int srv_mark_layers(servet_profile *profile, servet_error *error)
{
    const srv_comm *comm = profile->network.count ? profile->network.items : NULL;
    const layer any = {.profile = profile, .comm = comm, .error = error};
    int code = SERVET_OK;
    for (int i = 0; comm && i < comm->layers.count && code == SERVET_OK; i++) {
        const layer of = other_layer(&any, i);
        code = mark_layer(&of);
    }
    return code;
}
