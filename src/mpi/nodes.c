/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* What is needed while the nodes' profiles are still single ones. */
typedef struct answers {
    servet_profile **profile;
    servet_error *error;
    srv_difference *difference;
} answers;

static const srv_network_node *nodes_of(srv_network *network, int *count)
{
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count;
    network->ops->describe(network, &ranks, &rank_count, &nodes, count, NULL);
    return nodes;
}

static int merge(const answers *from, mpi_nodes *nodes, servet_profile **profile,
                 servet_error *error)
{
    int code = srv_merge_nodes(from->profile, nodes->count, from->difference, profile, error);
    for (int i = 0; i < nodes->count; i++) {
        nodes->node[i].error = from->error[i];
        nodes->node[i].difference = from->difference[i];
    }
    if (code == SERVET_OK && !*profile)
        return srv_fail(error, from->error[0].code, "%s", from->error[0].text);
    return code;
}

int mpi_nodes_measure(srv_network *network, const servet_measure_options *options, mpi_nodes *nodes,
                      servet_profile **profile, servet_error *error)
{
    const srv_network_node *of_job = nodes_of(network, &nodes->count);
    size_t n = (size_t)nodes->count;
    nodes->node = calloc(n, sizeof *nodes->node);
    answers got = {
        .profile = calloc(n, sizeof(servet_profile *)),
        .error = calloc(n, sizeof *got.error),
        .difference = calloc(n, sizeof *got.difference),
    };
    bool allocated = nodes->node && got.profile && got.error && got.difference;
    int code = allocated
                   ? network->ops->measure_nodes(network, options, got.profile, got.error, error)
                   : srv_fail_memory(error);
    for (size_t i = 0; i < n && allocated; i++)
        memcpy(nodes->node[i].name, of_job[i].name, sizeof of_job[i].name);
    if (code == SERVET_OK)
        code = merge(&got, nodes, profile, error);
    if (code != SERVET_ECOMMUNICATION) { /* else the ranks may still write into them */
        free(got.profile);
        free(got.error);
    }
    free(got.difference);
    return code;
}

int mpi_nodes_list(srv_network *network, servet_profile **profile, servet_error *error)
{
    servet_machine machine;
    int count, index;
    const srv_network_node *nodes = nodes_of(network, &count);
    servet_profile *made;
    int code = servet_machine_here(&machine, error);
    if (code == SERVET_OK)
        code = servet_profile_create(&made, error);
    if (code != SERVET_OK)
        return code;
    code = servet_profile_add_class(made, "default", &machine, &index, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = servet_profile_add_node(made, index, nodes[i].name, error);
    if (code == SERVET_OK)
        *profile = made;
    else
        servet_profile_close(made);
    return code;
}

bool mpi_nodes_listed(srv_network *network, const servet_profile *profile)
{
    int count, index;
    const srv_network_node *nodes = nodes_of(network, &count);
    for (int i = 0; i < count; i++)
        if (servet_profile_class_of(profile, nodes[i].name, &index) != SERVET_OK)
            return false;
    return true;
}

void mpi_nodes_finish(mpi_nodes *nodes)
{
    free(nodes->node);
    *nodes = (mpi_nodes){NULL, 0};
}
