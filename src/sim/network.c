/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/format.h"

static int refuse(srv_json_path *where, const char *member, const char *why)
{
    return srv_json_path_fail(srv_model_at(where, "network", -1, member), "%s", why);
}

static bool is_named(const srv_model_file *file)
{
    const srv_model_network *network = &file->model.network;
    return network->dimension_count || file->oversubscription_count ||
           network->link_bytes_per_second > 0;
}

static int check_torus(const srv_model_file *file, long long nodes, srv_json_path *where)
{
    if (file->oversubscription_count)
        return refuse(where, "oversubscription", "only switches of a tree are oversubscribed");
    if (nodes == file->model.node_count)
        return SERVET_OK;
    return srv_json_path_fail(srv_model_at(where, "network", -1, "dimensions"),
                              "a torus of %lld nodes; the number of nodes is %d", nodes,
                              file->model.node_count);
}

static int check_tree(const srv_model_file *file, long long nodes, srv_json_path *where)
{
    int levels = file->model.network.dimension_count, given = file->oversubscription_count;
    if (file->model.node_count % nodes != 0)
        return srv_json_path_fail(
            srv_model_at(where, "network", -1, "dimensions"),
            "switches above %lld nodes each; this number must divide the %d nodes", nodes,
            file->model.node_count);
    if (given && given != levels)
        return srv_json_path_fail(srv_model_at(where, "network", -1, "oversubscription"),
                                  "%d values for %d levels of switches", given, levels);
    return SERVET_OK;
}

static int check_dragonfly(const srv_model_file *file, long long nodes, srv_json_path *where)
{
    const srv_model_network *network = &file->model.network;
    if (file->oversubscription_count)
        return refuse(where, "oversubscription", "only switches of a tree are oversubscribed");
    if (network->dimension_count != 3)
        return srv_json_path_fail(srv_model_at(where, "network", -1, "dimensions"),
                                  "%d numbers; a dragonfly has three", network->dimension_count);
    if (nodes == file->model.node_count)
        return SERVET_OK;
    return srv_json_path_fail(srv_model_at(where, "network", -1, "dimensions"),
                              "a dragonfly of %lld nodes; the number of nodes is %d", nodes,
                              file->model.node_count);
}

/* Checks of each kind, and the number of links of a node that can be slow: a constant, and one for
 * each dimension. */
static const struct {
    int (*check)(const srv_model_file *file, long long nodes, srv_json_path *where);
    int links, links_by_dimension;
} kinds[SRV_NETWORK_COUNT] = {
    [SRV_NETWORK_CROSSBAR] = {NULL, 0, 0},
    [SRV_NETWORK_TORUS] = {check_torus, 0, 1},
    [SRV_NETWORK_TREE] = {check_tree, 1, 1},
    [SRV_NETWORK_DRAGONFLY] = {check_dragonfly, 1, 0},
};

/* Common checks of all kinds but a crossbar. */
static int check_links(const srv_model_file *file, srv_json_path *where)
{
    const srv_model_network *network = &file->model.network;
    long long nodes = 1;
    if (!network->dimension_count)
        return refuse(where, "dimensions", "missing: required for a torus, a tree or a dragonfly");
    if (network->link_bytes_per_second <= 0)
        return refuse(where, "link_bytes_per_second",
                      "missing: required for a torus, a tree or a dragonfly");
    /* The product of the extents, which ends above 4096 so that it stays below 4096 times
     * INT_MAX. */
    for (int i = 0; i < network->dimension_count && nodes <= file->model.node_count; i++)
        nodes *= network->dimensions[i];
    return kinds[network->type].check(file, nodes, where);
}

static int check_slow(const srv_model_file *file, srv_json_path *where)
{
    const srv_model_network *network = &file->model.network;
    int nodes = file->model.node_count;
    int links = kinds[network->type].links +
                kinds[network->type].links_by_dimension * network->dimension_count;
    srv_json_path here = *where;
    srv_model_at(&here, "network", -1, NULL);
    for (int i = 0; i < network->slow_node_count; i++)
        if (network->slow_node[i].node >= nodes)
            return srv_json_path_fail(srv_model_at(&here, "slow_nodes", i, "node"),
                                      "%d; the number of nodes is %d", network->slow_node[i].node,
                                      nodes);
    for (int i = 0; i < network->slow_link_count; i++) {
        const srv_model_slow_link *slow = &network->slow_link[i];
        if (slow->node >= nodes)
            return srv_json_path_fail(srv_model_at(&here, "slow_links", i, "node"),
                                      "%d; the number of nodes is %d", slow->node, nodes);
        if (slow->link >= links)
            return srv_json_path_fail(srv_model_at(&here, "slow_links", i, "link"),
                                      "%d; links of a node have numbers below %d", slow->link,
                                      links);
    }
    return SERVET_OK;
}

int srv_model_complete_network(srv_model_file *file, srv_json_path *where)
{
    srv_model_network *network = &file->model.network;
    if (file->model.node_count == 1 && (is_named(file) || network->nic_bytes_per_second > 0))
        return refuse(where, NULL, "a network requires several nodes");
    for (int i = file->oversubscription_count; i < network->dimension_count; i++)
        network->oversubscription[i] = 1;
    /* a crossbar, the default, gives every pair of nodes its full bandwidth */
    if (network->type == SRV_NETWORK_CROSSBAR && is_named(file))
        return refuse(where, "kind",
                      "a crossbar has no dimensions, oversubscription or links; only "
                      "nic_bytes_per_second limits a node");
    int code = network->type == SRV_NETWORK_CROSSBAR ? SERVET_OK : check_links(file, where);
    return code == SERVET_OK ? check_slow(file, where) : code;
}
