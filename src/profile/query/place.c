/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of the proximity of the cores of a job. */
#include "core/places.h"
#include "profile/query/network.h"
#include "profile/spans.h"

static int group_of(const srv_comm_layer *layer, servet_place place)
{
    return srv_spans_find(&layer->groups, place);
}

/* Finds the facts of communication. Errors: SERVET_EUNMEASURED (there are no groups), SERVET_ERANGE
 * (the core is in no group). */
static int find_place(const servet_profile *profile, servet_place place, const srv_comm **comm)
{
    if (srv_comm_find(profile, comm) != SERVET_OK)
        return SERVET_EUNMEASURED;
    const srv_comm_layer *layers = (*comm)->layers.items;
    bool any = false;
    for (int i = 0; i < (*comm)->layers.count; i++) {
        if (group_of(&layers[i], place) >= 0)
            return SERVET_OK;
        any = any || layers[i].groups.count;
    }
    return any ? SERVET_ERANGE : SERVET_EUNMEASURED;
}

int srv_comm_common_layer(const srv_comm *comm, servet_place a, servet_place b)
{
    const srv_comm_layer *layers = comm->layers.items;
    for (int i = 0; i < comm->layers.count; i++) {
        bool of_kind = layers[i].fact.between_nodes == (a.node != b.node);
        int group = of_kind ? group_of(&layers[i], a) : -1;
        if (group >= 0 && group == group_of(&layers[i], b))
            return i;
    }
    return -1;
}

/* Returns the reason why two cores have no common layer: a core may not belong to the job. */
static int why_none(const servet_profile *profile, servet_place a, servet_place b)
{
    const srv_comm *comm;
    int code = find_place(profile, a, &comm);
    if (code == SERVET_OK)
        code = find_place(profile, b, &comm);
    return code == SERVET_OK ? SERVET_EUNMEASURED : code;
}

int servet_network_layer_of(const servet_profile *profile, servet_place a, servet_place b,
                            int *layer)
{
    const srv_comm *comm;
    if (a.node == b.node && a.core == b.core)
        return SERVET_EARGUMENT;
    int found = srv_comm_find(profile, &comm) == SERVET_OK ? srv_comm_common_layer(comm, a, b) : -1;
    if (found < 0)
        return why_none(profile, a, b);
    int code = srv_demand_groups(profile, found + 1);
    if (code == SERVET_OK)
        *layer = found + 1;
    return code;
}

int servet_network_group_of(const servet_profile *profile, int layer, servet_place where,
                            int *index)
{
    const srv_comm *comm;
    const srv_comm_layer *found;
    int code = srv_comm_layer_find(profile, layer, &found);
    if (code == SERVET_OK)
        code = find_place(profile, where, &comm);
    if (code != SERVET_OK)
        return code;
    int group = group_of(found, where);
    if (group < 0)
        return SERVET_EUNMEASURED;
    code = srv_demand_groups(profile, layer);
    if (code == SERVET_OK)
        *index = group;
    return code;
}

/* --- the nearest ------------------------------------------------------------------------------ */

/* A core, and the cores that were found near it. */
typedef struct search {
    const srv_comm *comm;
    servet_place from;
    servet_place *places;
    int size, count;
} search;

/* Adds the cores whose fastest common layer this is. */
static void add_part(search *on, const srv_places_part *part, int layer)
{
    for (int node = part->first_node; node <= part->last_node; node++)
        for (int core = part->first_core; core <= part->last_core; core++) {
            const servet_place other = {node, core};
            bool itself = node == on->from.node && core == on->from.core;
            if (on->count == on->size)
                return;
            if (!itself && srv_comm_common_layer(on->comm, on->from, other) == layer)
                on->places[on->count++] = other;
        }
}

int servet_network_nearest(const servet_profile *profile, servet_place where, servet_place places[],
                           int size, int *count)
{
    search on = {NULL, where, places, size, 0};
    int code = find_place(profile, where, &on.comm);
    if (code != SERVET_OK)
        return code;
    const srv_comm_layer *layers = on.comm->layers.items;
    srv_places_part part;
    for (int i = 0; i < on.comm->layers.count && code == SERVET_OK; i++)
        code = group_of(&layers[i], where) < 0 ? SERVET_OK : srv_demand_groups(profile, i + 1);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; i < on.comm->layers.count; i++) {
        int index = group_of(&layers[i], where);
        const char *group = index < 0 ? "" : ((char *const *)layers[i].groups.items)[index];
        while (on.count < size && srv_places_next(&group, &part))
            add_part(&on, &part, i);
    }
    *count = on.count;
    return SERVET_OK;
}
