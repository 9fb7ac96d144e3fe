/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/nodes/nodes.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/host.h"
#include "servet/network.h"

void srv_nodes_finish(srv_nodes *nodes)
{
    for (int i = 0; i < nodes->count; i++)
        free(nodes->items[i].host);
    free(nodes->items);
    *nodes = (srv_nodes){0};
}

static int append(srv_nodes *nodes, const char *host, size_t length, srv_map_node node,
                  servet_error *error)
{
    srv_map_node *items = srv_grow(nodes->items, (size_t)nodes->count, sizeof *items);
    if (!items)
        return srv_fail_memory(error);
    nodes->items = items;
    node.host = strndup(host, length);
    if (!node.host)
        return srv_fail_memory(error);
    nodes->items[nodes->count++] = node;
    return SERVET_OK;
}

/* Finds the class of a node that took part in the job. A single class is returned without a search:
 * with thousands of nodes, searches would take longer than placing the processes. */
static int class_of_job(const servet_profile *profile, const char *host, int *node_class,
                        servet_error *error)
{
    *node_class = 0;
    if (servet_profile_class_count(profile) == 1 ||
        servet_profile_class_of(profile, host, node_class) == SERVET_OK)
        return SERVET_OK;
    return srv_fail(error, SERVET_ENOTFOUND, "no node class lists %s", host);
}

static int class_named(const servet_profile *profile, const char *name, int *node_class,
                       servet_error *error)
{
    const char *other;
    for (*node_class = 0; (other = servet_profile_class_name(profile, *node_class)); ++*node_class)
        if (strcmp(other, name) == 0)
            return SERVET_OK;
    return srv_fail(error, SERVET_ERANGE, "the profile has no node class '%.64s'", name);
}

static bool is_host_name(const char *host)
{
    return strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") ==
           strlen(host);
}

/* Finds the class of any node: the class that lists it, or else the class of this node if it is
 * meant, or else the class that the caller names. */
static int find_class(const servet_profile *profile, const srv_map_node *node, const char *others,
                      int *node_class, servet_error *error)
{
    char here[SRV_HOST_NAME_MAX];
    srv_host_name(here);
    if (node->job_node >= 0)
        return class_of_job(profile, node->host, node_class, error);
    if (servet_profile_class_of(profile, node->host, node_class) == SERVET_OK)
        return SERVET_OK;
    if (strcmp(here, node->host) == 0 &&
        servet_profile_here(profile, node_class, NULL) == SERVET_OK)
        return SERVET_OK;
    if (!is_host_name(node->host))
        return srv_fail(error, SERVET_EARGUMENT,
                        "'%.64s' is not a host name: list each node, separated by commas (Slurm: "
                        "scontrol show hostnames | paste -s -d , -)",
                        node->host);
    if (others)
        return class_named(profile, others, node_class, error);
    return srv_fail(error, SERVET_EOTHER,
                    "no node class lists %.64s: name the class of nodes that were not measured",
                    node->host);
}

/* --- all nodes of the profile ----------------------------------------------------------------- */

static int append_job(srv_nodes *nodes, const servet_profile *profile, int most,
                      servet_error *error)
{
    const char *host;
    int code = SERVET_OK;
    for (int i = 0; i < most && (host = servet_network_node(profile, i)) && code == SERVET_OK;
         i++) {
        srv_map_node node = {NULL, 0, i};
        code = class_of_job(profile, host, &node.node_class, error);
        if (code == SERVET_OK)
            code = append(nodes, host, strlen(host), node, error);
    }
    return code;
}

static int append_classes(srv_nodes *nodes, const servet_profile *profile, servet_error *error)
{
    const char *host;
    int code = SERVET_OK;
    for (int c = 0; c < servet_profile_class_count(profile); c++) {
        servet_at at = {.node_class = servet_profile_class_name(profile, c),
                        .core = SERVET_ANY_CORE};
        for (int i = 0; (host = servet_profile_node(profile, &at, i)) && code == SERVET_OK; i++)
            code = append(nodes, host, strlen(host), (srv_map_node){NULL, c, -1}, error);
    }
    return code;
}

/* --- nodes of a list -------------------------------------------------------------------------- */

static bool listed(const srv_nodes *nodes, const char *host, size_t length)
{
    for (int i = 0; i < nodes->count; i++)
        if (strlen(nodes->items[i].host) == length &&
            memcmp(nodes->items[i].host, host, length) == 0)
            return true;
    return false;
}

static int append_named(srv_nodes *nodes, const servet_profile *profile, const char *others,
                        const char *host, size_t length, servet_error *error)
{
    srv_map_node node = {NULL, 0, -1};
    if (length == 0)
        return srv_fail(error, SERVET_EARGUMENT, "the list of nodes has an empty name");
    if (listed(nodes, host, length))
        return srv_fail(error, SERVET_EARGUMENT, "node %.*s is listed twice", (int)length, host);
    int code = append(nodes, host, length, node, error);
    if (code != SERVET_OK)
        return code;
    srv_map_node *last = &nodes->items[nodes->count - 1];
    (void)servet_network_node_of(profile, last->host, &last->job_node);
    return find_class(profile, last, others, &last->node_class, error);
}

static int append_list(srv_nodes *nodes, const servet_profile *profile,
                       const servet_map_request *request, servet_error *error)
{
    for (const char *list = request->nodes;;) {
        size_t length = strcspn(list, ",");
        int code = append_named(nodes, profile, request->node_class, list, length, error);
        if (code != SERVET_OK || !list[length])
            return code;
        list += length + 1;
    }
}

static void keep_first(srv_nodes *nodes, int count)
{
    while (nodes->count > count)
        free(nodes->items[--nodes->count].host);
}

int srv_nodes_begin(srv_nodes *nodes, const servet_profile *profile,
                    const servet_map_request *request, servet_error *error)
{
    int code;
    if (request->nodes)
        code = append_list(nodes, profile, request, error);
    else if (servet_network_node(profile, 0))
        code = append_job(nodes, profile, request->node_count > 0 ? request->node_count : INT_MAX,
                          error);
    else
        code = append_classes(nodes, profile, error);
    if (code == SERVET_OK && nodes->count == 0)
        code = srv_fail(error, SERVET_ENOTFOUND, "the profile lists no nodes");
    if (code == SERVET_OK && request->node_count > nodes->count)
        code = srv_fail(error, SERVET_ERANGE, "%d nodes were requested, the profile has %d",
                        request->node_count, nodes->count);
    if (code == SERVET_OK && request->node_count > 0)
        keep_first(nodes, request->node_count);
    return code;
}
