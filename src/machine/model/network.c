/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/model/format.h"

static int refuse(srv_trail *trail, const char *member, const char *why)
{
    return srv_trail_fail(srv_model_at(trail, "network", -1, member), "%s", why);
}

static bool is_named(const srv_model_file *file)
{
    const srv_model_network *network = &file->model.network;
    return network->dimension_count || file->oversubscription_count ||
           network->link_bytes_per_second > 0;
}

/* A crossbar, the default, gives every pair of nodes its full bandwidth. */
static int check_crossbar(const srv_model_file *file, srv_trail *trail)
{
    if (is_named(file))
        return refuse(trail, "kind",
                      "a crossbar has no dimensions, oversubscription or links; only "
                      "nic_bytes_per_second limits a node");
    return SERVET_OK;
}

static int check_torus(const srv_model_file *file, long long nodes, srv_trail *trail)
{
    if (file->oversubscription_count)
        return refuse(trail, "oversubscription", "only switches of a tree are oversubscribed");
    if (nodes == file->model.node_count)
        return SERVET_OK;
    return srv_trail_fail(srv_model_at(trail, "network", -1, "dimensions"),
                          "a torus of %lld nodes, but there are %d", nodes, file->model.node_count);
}

static int check_tree(const srv_model_file *file, long long nodes, srv_trail *trail)
{
    int levels = file->model.network.dimension_count, given = file->oversubscription_count;
    if (file->model.node_count % nodes != 0)
        return srv_trail_fail(srv_model_at(trail, "network", -1, "dimensions"),
                              "switches above %lld nodes each do not divide the %d nodes", nodes,
                              file->model.node_count);
    if (given && given != levels)
        return srv_trail_fail(srv_model_at(trail, "network", -1, "oversubscription"),
                              "%d values for %d levels of switches", given, levels);
    return SERVET_OK;
}

/* What torus and tree have in common. */
static int check_links(const srv_model_file *file, srv_trail *trail)
{
    const srv_model_network *network = &file->model.network;
    long long nodes = 1;
    if (!network->dimension_count)
        return refuse(trail, "dimensions", "missing: a torus or tree has some");
    if (network->link_bytes_per_second <= 0)
        return refuse(trail, "link_bytes_per_second", "missing: what a link carries");
    /* At most 4096 times INT_MAX, as far as the products go on. */
    for (int i = 0; i < network->dimension_count && nodes <= file->model.node_count; i++)
        nodes *= network->dimensions[i];
    return network->type == SRV_NETWORK_TORUS ? check_torus(file, nodes, trail)
                                              : check_tree(file, nodes, trail);
}

int srv_model_complete_network(srv_model_file *file, srv_trail *trail)
{
    srv_model_network *network = &file->model.network;
    if (file->model.node_count == 1 && (is_named(file) || network->nic_bytes_per_second > 0))
        return refuse(trail, NULL, "there is only one node");
    for (int i = file->oversubscription_count; i < network->dimension_count; i++)
        network->oversubscription[i] = 1;
    return network->type == SRV_NETWORK_CROSSBAR ? check_crossbar(file, trail)
                                                 : check_links(file, trail);
}
