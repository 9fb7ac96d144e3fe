/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of a job and its communication layers, as they were measured. */
#include "profile/query/find.h"
#include "profile/hosts.h"
#include "profile/query/network.h"

/* --- the job ---------------------------------------------------------------------------------- */

int srv_comm_find(const servet_profile *profile, const srv_comm **comm)
{
    if (!profile->network.count)
        return SERVET_EUNMEASURED;
    *comm = profile->network.items;
    return SERVET_OK;
}

int servet_network_get(const servet_profile *profile, servet_network *network)
{
    const srv_comm *comm;
    int code = srv_comm_find(profile, &comm);
    if (code == SERVET_OK) {
        *network = comm->fact;
        network->nodes = comm->nodes.count;
    }
    return code;
}

const char *servet_network_node(const servet_profile *profile, int node)
{
    const srv_comm *comm;
    const char *name = NULL;
    if (srv_comm_find(profile, &comm) == SERVET_OK)
        (void)srv_set_item(&comm->nodes, node, &name);
    return name;
}

static int search_node(const srv_comm *comm, const char *host)
{
    for (int i = 0; i < comm->nodes.count; i++)
        if (srv_same_host(((char *const *)comm->nodes.items)[i], host))
            return i;
    return -1;
}

int servet_network_node_of(const servet_profile *profile, const char *host, int *node)
{
    const srv_comm *comm;
    int code = srv_comm_find(profile, &comm);
    if (code != SERVET_OK)
        return code;
    int found =
        profile->job_hosts ? srv_hosts_find(profile->job_hosts, host) : search_node(comm, host);
    if (found < 0)
        return SERVET_ENOTFOUND;
    *node = found;
    return SERVET_OK;
}

static const srv_way bisection_way = {
    SRV_OF_PROFILE, {offsetof(servet_profile, network), offsetof(srv_comm, bisection)}};

int servet_network_bisection(const servet_profile *profile, servet_bisection *halves)
{
    return srv_fetch(profile, NULL, &bisection_way, NULL, halves, sizeof *halves);
}

static const srv_way slowness_way = {
    SRV_OF_PROFILE, {offsetof(servet_profile, network), offsetof(srv_comm, slowness)}};

int servet_network_slowness(const servet_profile *profile, int node, servet_value *slowness)
{
    return srv_fetch_value(profile, NULL, &slowness_way, (long[]){node + 1L}, slowness);
}

/* --- layers ----------------------------------------------------------------------------------- */

static const srv_way layers_way = {SRV_OF_PROFILE,
                                   {offsetof(servet_profile, network), offsetof(srv_comm, layers)}};

int srv_comm_layer_find(const servet_profile *profile, int layer, const srv_comm_layer **answer)
{
    const srv_comm *comm;
    const void *found;
    int code = srv_comm_find(profile, &comm);
    if (code == SERVET_OK)
        code = srv_list_item(&comm->layers, layer - 1L, sizeof **answer, &found);
    if (code == SERVET_OK)
        *answer = found;
    return code;
}

int servet_network_layer_count(const servet_profile *profile, int *count)
{
    return srv_fetch_count(profile, NULL, &layers_way, NULL, count);
}

int servet_network_layer_get(const servet_profile *profile, int layer, servet_network_layer *answer)
{
    return srv_fetch(profile, NULL, &layers_way, (long[]){layer}, answer, sizeof *answer);
}

/* --- groups of a layer ------------------------------------------------------------------------ */

static const srv_way groups_way = {SRV_OF_PROFILE,
                                   {offsetof(servet_profile, network), offsetof(srv_comm, layers),
                                    offsetof(srv_comm_layer, groups)}};

int srv_demand_groups(const servet_profile *profile, int layer)
{
    return srv_fetch_nothing(profile, NULL, &groups_way, (long[]){layer});
}

int servet_network_group_count(const servet_profile *profile, int layer, int *count)
{
    return srv_fetch_count(profile, NULL, &groups_way, (long[]){layer}, count);
}

int servet_network_group(const servet_profile *profile, int layer, int index, const char **places)
{
    return srv_fetch_set(profile, NULL, &groups_way, (long[]){layer}, index, places);
}
