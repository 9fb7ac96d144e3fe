/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/nodes.h"

#include <stdlib.h>

#include "core/error.h"
#include "measure/classes.h"
#include "measure/measure.h"

static const srv_network_node *nodes_of(srv_network *network, int *count)
{
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count;
    network->ops->describe(network, &ranks, &rank_count, &nodes, count, NULL);
    return nodes;
}

/* A node that is not to go on from there would be missing among those that are. */
static int find_refusal(const mpi_nodes *nodes, const srv_network_node *names, servet_error *error)
{
    for (int i = 0; i < nodes->count; i++)
        if (nodes->error[i].code == SERVET_EARGUMENT)
            return srv_fail(error, SERVET_EARGUMENT, "node %s: %.180s", names[i].name,
                            nodes->error[i].text);
    return SERVET_OK;
}

/* The more of two shares that may both not be known. */
static void keep_worst(servet_value *worst, const servet_value *other)
{
    if (servet_value_known(other) && !(worst->value >= other->value))
        *worst = *other;
}

/* The run of the cluster was as disturbed as the worst of its nodes. */
static void add_noise(servet_run *cluster, const servet_profile *node)
{
    servet_run run;
    if (!node || servet_profile_run(node, &run) != SERVET_OK)
        return;
    keep_worst(&cluster->noise, &run.noise);
    keep_worst(&cluster->steal, &run.steal);
    keep_worst(&cluster->others, &run.others);
    keep_worst(&cluster->drift, &run.drift);
}

static int merge(servet_profile **profiles, int count, servet_profile **cluster,
                 servet_error *error)
{
    servet_run noise = {.noise = servet_value_unknown(SERVET_UNIT_NONE)}, run;
    noise.steal = noise.others = noise.drift = noise.noise;
    for (int i = 0; i < count; i++)
        add_noise(&noise, profiles[i]);
    int code = srv_merge_nodes(profiles, count, cluster, error);
    if (code != SERVET_OK || !*cluster || servet_profile_run(*cluster, &run) != SERVET_OK)
        return code;
    run.noise = noise.noise;
    run.steal = noise.steal;
    run.others = noise.others;
    run.drift = noise.drift;
    code = servet_profile_set_run(*cluster, &run, error);
    if (code != SERVET_OK) {
        servet_profile_close(*cluster);
        *cluster = NULL;
    }
    return code;
}

static int join(srv_network *network, mpi_nodes *nodes, servet_profile **profiles,
                servet_profile **profile, servet_error *error)
{
    servet_profile *cluster;
    int refused = find_refusal(nodes, nodes_of(network, &nodes->count), error);
    int code = merge(profiles, nodes->count, &cluster, error);
    if (code == SERVET_OK && refused == SERVET_OK && !cluster)
        return srv_fail(error, nodes->error[0].code, "%s", nodes->error[0].text);
    if (code == SERVET_OK && refused == SERVET_OK)
        *profile = cluster;
    else if (code == SERVET_OK)
        servet_profile_close(cluster);
    return code == SERVET_OK ? refused : code;
}

int mpi_nodes_measure(srv_network *network, const servet_measure_options *options, mpi_nodes *nodes,
                      servet_profile **profile, servet_error *error)
{
    nodes_of(network, &nodes->count);
    nodes->error = calloc((size_t)nodes->count, sizeof *nodes->error);
    servet_profile **profiles = calloc((size_t)nodes->count, sizeof(servet_profile *));
    int code = nodes->error && profiles
                   ? network->ops->measure_nodes(network, options, profiles, nodes->error, error)
                   : srv_fail_memory(error);
    if (code == SERVET_OK)
        code = join(network, nodes, profiles, profile, error);
    free(profiles);
    return code;
}

int mpi_nodes_list(srv_network *network, const char *command, servet_profile **profile,
                   servet_error *error)
{
    servet_run run = srv_run_begin(command);
    servet_machine machine;
    int count, index;
    const srv_network_node *nodes = nodes_of(network, &count);
    servet_profile *made;
    int code = servet_machine_here(&machine, error);
    if (code == SERVET_OK)
        code = servet_profile_create(&made, error);
    if (code != SERVET_OK)
        return code;
    code = servet_profile_set_run(made, &run, error);
    if (code == SERVET_OK)
        code = servet_profile_add_class(made, "default", &machine, &index, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = servet_profile_add_node(made, index, nodes[i].name, error);
    if (code == SERVET_OK)
        *profile = made;
    else
        servet_profile_close(made);
    return code;
}

void mpi_nodes_finish(mpi_nodes *nodes)
{
    free(nodes->error);
    *nodes = (mpi_nodes){NULL, 0};
}
