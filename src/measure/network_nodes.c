/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers between nodes: one rank of each stands for all. */
#include "measure/network_nodes.h"

#include <stdlib.h>

#include "bench/meetings.h"
#include "core/error.h"
#include "measure/network_found.h"

/* A matrix of so many nodes takes 128 MiB, twice. */
enum { NODES_ASKED_MAX = 4096 };

typedef struct between {
    srv_network_job *job;
    int count;          /* of nodes that are asked */
    int *rank;          /* of each node */
    srv_core_at *cores; /* of a group */
    servet_matrix matrix;
    servet_layers layers;
} between;

static int ask(between *on, servet_error *error)
{
    srv_network_job *job = on->job;
    srv_meetings_plan plan = {.messaging = srv_network_job_messaging(job),
                              .ranks = on->rank,
                              .count = on->count,
                              .copies = 1,
                              .bytes = job->options->layer_bytes};
    srv_meetings found;
    for (int i = 0; i < on->count; i++)
        on->rank[i] = job->of_node[job->first[i]];
    int code = srv_bench_meetings(&plan, &found, error);
    if (code != SERVET_OK)
        return code;
    on->count = job->facts->nodes_asked = found.count;
    on->matrix = (servet_matrix){(size_t)found.count, found.seconds, SERVET_UNIT_SECOND};
    return SERVET_OK;
}

/* All cores of the nodes of a group. */
static int add_groups(void *context, const int *group, int count, srv_sets *groups,
                      servet_error *error)
{
    const between *on = context;
    const srv_network_job *job = on->job;
    int code = SERVET_OK;
    for (int number = 0; number < count && code == SERVET_OK; number++) {
        int n = 0;
        for (int node = 0; node < on->count; node++)
            for (int i = job->first[node]; group[node] == number && i < job->first[node + 1]; i++)
                on->cores[n++] = (srv_core_at){node, job->ranks[job->of_node[i]].core};
        code = srv_network_add_group(groups, on->cores, n, error);
    }
    return code;
}

static int tell(between *on, servet_error *error)
{
    srv_found found = {&on->matrix, &on->layers, true, on->rank, add_groups, on};
    int code = srv_network_save_matrix(on->job, "layers-nodes.csv", "nodes, in their order",
                                       &on->matrix, error);
    if (code == SERVET_OK)
        code = servet_analyze_layers(&on->matrix, &on->layers, error);
    return code == SERVET_OK ? srv_network_add_layers(on->job, &found, error) : code;
}

int srv_network_layers_of_nodes(srv_network_job *job, servet_error *error)
{
    between on = {.job = job};
    on.count = job->node_count < NODES_ASKED_MAX ? job->node_count : NODES_ASKED_MAX;
    job->facts->nodes_asked = 0;
    if (on.count < 2)
        return SERVET_OK;
    on.rank = calloc((size_t)on.count, sizeof *on.rank);
    on.cores = calloc((size_t)job->rank_count, sizeof *on.cores);
    int code = on.rank && on.cores ? ask(&on, error) : srv_fail_memory(error);
    if (code == SERVET_OK)
        code = tell(&on, error);
    free(on.rank);
    free(on.cores);
    servet_matrix_free(&on.matrix);
    servet_layers_free(&on.layers);
    return code;
}
