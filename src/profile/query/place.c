/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries about the proximity of the cores of a job. */
#include "core/places.h"
#include "profile/query/network.h"
#include "profile/memberships.h"

/* The groups of a core by layer, in `*groups`. Errors: SERVET_EUNMEASURED, SERVET_ERANGE. */
static int find_groups(const servet_profile *profile, servet_place place, const srv_comm **comm,
                       const int **groups)
{
    if (!profile->memberships || srv_comm_find(profile, comm) != SERVET_OK)
        return SERVET_EUNMEASURED;
    *groups = srv_memberships_groups(profile->memberships, place);
    return *groups ? SERVET_OK : SERVET_ERANGE;
}

/* The fastest layer of its kind that has both in one group, from 0; -1 for none. */
static int common_layer(const srv_comm *comm, const int *of_a, const int *of_b, bool between_nodes)
{
    const srv_comm_layer *layers = comm->layers.items;
    for (int i = 0; i < comm->layers.count; i++)
        if (of_a[i] >= 0 && of_a[i] == of_b[i] && layers[i].fact.between_nodes == between_nodes)
            return i;
    return -1;
}

int servet_network_layer_of(const servet_profile *profile, servet_place a, servet_place b,
                            int *layer)
{
    const srv_comm *comm;
    const int *of_a, *of_b;
    if (a.node == b.node && a.core == b.core)
        return SERVET_EARGUMENT;
    int code = find_groups(profile, a, &comm, &of_a);
    if (code == SERVET_OK)
        code = find_groups(profile, b, &comm, &of_b);
    if (code != SERVET_OK)
        return code;
    int found = common_layer(comm, of_a, of_b, a.node != b.node);
    if (found < 0)
        return SERVET_EUNMEASURED;
    code = srv_demand_groups(profile, found + 1);
    if (code == SERVET_OK)
        *layer = found + 1;
    return code;
}

int servet_network_group_of(const servet_profile *profile, int layer, servet_place where,
                            int *index)
{
    const srv_comm *comm;
    const srv_comm_layer *found;
    const int *groups;
    int code = srv_comm_layer_find(profile, layer, &found);
    if (code == SERVET_OK)
        code = find_groups(profile, where, &comm, &groups);
    if (code != SERVET_OK)
        return code;
    if (groups[layer - 1] < 0)
        return SERVET_EUNMEASURED;
    code = srv_demand_groups(profile, layer);
    if (code == SERVET_OK)
        *index = groups[layer - 1];
    return code;
}

/* --- the nearest ------------------------------------------------------------------------------ */

/* A core, its groups, and the cores found near to it. */
typedef struct search {
    const srv_memberships *memberships;
    const srv_comm *comm;
    servet_place from;
    const int *groups;
    servet_place *places;
    int size, count;
} search;

/* Whether this layer, and no faster one, is that of the core and another one. */
static bool is_at(const search *on, servet_place other, int layer)
{
    if (other.node == on->from.node && other.core == on->from.core)
        return false;
    const int *groups = srv_memberships_groups(on->memberships, other);
    return groups &&
           common_layer(on->comm, on->groups, groups, other.node != on->from.node) == layer;
}

static void add_part(search *on, const srv_places_part *part, int layer)
{
    for (int node = part->first_node; node <= part->last_node; node++)
        for (int core = part->first_core; core <= part->last_core; core++) {
            const servet_place other = {node, core};
            if (on->count == on->size)
                return;
            if (is_at(on, other, layer))
                on->places[on->count++] = other;
        }
}

int servet_network_nearest(const servet_profile *profile, servet_place where, servet_place places[],
                           int size, int *count)
{
    search on = {profile->memberships, NULL, where, NULL, places, size, 0};
    int code = find_groups(profile, where, &on.comm, &on.groups);
    if (code != SERVET_OK)
        return code;
    const srv_comm_layer *layers = on.comm->layers.items;
    srv_places_part part;
    for (int i = 0; i < on.comm->layers.count && code == SERVET_OK; i++)
        code = on.groups[i] < 0 ? SERVET_OK : srv_demand_groups(profile, i + 1);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; i < on.comm->layers.count; i++) {
        const char *group =
            on.groups[i] < 0 ? "" : ((char *const *)layers[i].groups.items)[on.groups[i]];
        while (on.count < size && srv_places_next(&group, &part))
            add_part(&on, &part, i);
    }
    *count = on.count;
    return SERVET_OK;
}
