/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of cores between which a message costs alike. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/room.h"
#include "core/text.h"
#include "facts/layers/benchmark.h"
#include "facts/layers/stage_parts.h"
#include "run/network/repeat.h"

/* Layers within nodes. Nodes whose ranks have the same cores are a class: its matrix is a block
 * of one large matrix without values between blocks, so that all classes share their layers. */

typedef struct within {
    srv_room room;
    srv_network_job *job;
    srv_layer_list *list;
    int *class_of; /* of each node; -1 with a single core */
    int *node;     /* the first one of each class */
    int *begin;    /* of each class's cores in the matrix, and where the next would */
    int class_count;
    int *rank;          /* of each row of the matrix, on the class's first node */
    bool *is_measured;  /* of each row: else there was no time for that core */
    int *ranks;         /* of a class, node by node */
    srv_core_at *cores; /* of a group */
    servet_matrix matrix;
    servet_layers layers;
} within;

static void sort_nodes(within *on)
{
    const srv_network_job *job = on->job;
    for (int node = 0; node < job->node_count; node++) {
        int size = 0;
        for (int i = job->first[node]; i < job->first[node + 1]; i++)
            size += !srv_network_job_is_twin(job, i);
        on->class_of[node] = -1;
        if (size < 2)
            continue;
        int found = 0;
        while (found < on->class_count &&
               strcmp(on->job->nodes[on->node[found]].cores, on->job->nodes[node].cores) != 0)
            found++;
        int class_number = on->class_of[node] = found;
        if (class_number < on->class_count)
            continue;
        on->node[class_number] = node;
        on->begin[class_number + 1] = on->begin[class_number] + size;
        on->class_count++;
    }
}

/* Puts a rank of each core of a class's nodes into on->ranks; returns the nodes. */
static int list_ranks(within *on, int class_number)
{
    const srv_network_job *job = on->job;
    int count = 0, copies = 0;
    for (int node = 0; node < job->node_count; node++)
        if (on->class_of[node] == class_number) {
            for (int i = job->first[node]; i < job->first[node + 1]; i++)
                if (!srv_network_job_is_twin(job, i))
                    on->ranks[count++] = job->of_node[i];
            copies++;
        }
    return copies;
}

static void fill_block(within *on, size_t first, const srv_pairwise_latencies *found)
{
    for (int i = 0; i < found->count; i++) {
        size_t row = first + (size_t)found->things[i];
        on->is_measured[row] = true;
        for (int j = 0; j < found->count; j++)
            on->matrix.cost[row * on->matrix.n + first + (size_t)found->things[j]] =
                found->seconds[i * found->count + j];
    }
}

static int probe_class(within *on, int class_number, servet_error *error)
{
    srv_network_job part = srv_network_job_part(on->job, (double)class_number / on->class_count,
                                                (class_number + 1.) / on->class_count);
    size_t first = (size_t)on->begin[class_number];
    int count = on->begin[class_number + 1] - on->begin[class_number];
    srv_pairwise_plan plan = {.messaging = srv_network_job_messaging(&part, false),
                              .ranks = on->ranks,
                              .count = count,
                              .copies = list_ranks(on, class_number),
                              .bytes = part.options->layer_bytes};
    srv_pairwise_latencies found;
    memcpy(on->rank + first, on->ranks, (size_t)count * sizeof *on->rank);
    int code = srv_bench_pairwise(&plan, &found, error);
    if (code == SERVET_OK)
        fill_block(on, first, &found);
    srv_pairwise_finish(&found);
    return code;
}

static int probe(within *on, servet_error *error)
{
    size_t n = (size_t)on->begin[on->class_count];
    int code = SERVET_OK;
    on->matrix =
        (servet_matrix){.n = n, .cost = calloc(n * n, sizeof(double)), .unit = SERVET_UNIT_SECOND};
    if (!on->matrix.cost)
        return srv_fail_memory(error);
    for (int i = 0; i < on->class_count && code == SERVET_OK; i++)
        code = probe_class(on, i, error);
    return code;
}

/* --- results ---------------------------------------------------------------------------------- */

/* The cores of a node whose rows have a group's number, in on->cores; returns their number. */
static int list_cores(const within *on, int node, const int *group, int number)
{
    const srv_network_job *job = on->job;
    int row = on->begin[on->class_of[node]], count = 0;
    for (int i = job->first[node]; i < job->first[node + 1]; i++) {
        if (srv_network_job_is_twin(job, i))
            continue;
        if (on->is_measured[row] && group[row] == number)
            on->cores[count++] = (srv_core_at){node, job->ranks[job->of_node[i]].core};
        row++;
    }
    return count;
}

/* Each node of a class has the groups of the class. */
static int add_groups(void *context, const int *group, int count, srv_sets *groups,
                      servet_error *error)
{
    const within *on = context;
    int code = SERVET_OK;
    for (int node = 0; node < on->job->node_count; node++)
        for (int number = 0; on->class_of[node] >= 0 && number < count && code == SERVET_OK;
             number++)
            code = srv_network_add_group(groups, on->cores, list_cores(on, node, group, number),
                                         error);
    return code;
}

/* Writes the names of the rows: "cores 0-3 of node0, 0-1 of node7", one node of each class. */
static void write_rows(FILE *to, const void *context)
{
    const within *on = context;
    for (int i = 0; i < on->class_count; i++) {
        const srv_network_node *node = &on->job->nodes[on->node[i]];
        fprintf(to, "%s %s of %s", i > 0 ? "," : "cores", node->cores, node->name);
    }
}

static int save(const within *on, servet_error *error)
{
    char *rows = srv_text_written(write_rows, on);
    if (!rows)
        return srv_fail_memory(error);
    int code = srv_network_save_matrix(on->job, "layers-cores.csv", rows,
                                       on->job->options->layer_bytes, &on->matrix, error);
    free(rows);
    return code;
}

static int tell(within *on, servet_error *error)
{
    srv_found found = {&on->matrix, &on->layers, false, on->rank, add_groups, on};
    int code = save(on, error);
    if (code == SERVET_OK)
        code = servet_analyze_layers(&on->matrix, &on->layers, error);
    return code == SERVET_OK ? srv_network_add_layers(on->job, &found, on->list, error) : code;
}

static bool any_measured(const within *on)
{
    bool any = false;
    for (int row = 0; row < on->begin[on->class_count]; row++)
        any = any || on->is_measured[row];
    return any;
}

/* Adds the layers within nodes, by medians over nodes with the same cores. */
static int layers_of_cores(srv_network_job *job, srv_layer_list *list, servet_error *error)
{
    within on = {.job = job, .list = list};
    size_t nodes = (size_t)on.job->node_count, ranks = (size_t)on.job->rank_count;
    on.class_of = srv_room_take(&on.room, nodes, sizeof *on.class_of);
    on.node = srv_room_take(&on.room, nodes, sizeof *on.node);
    on.begin = srv_room_take(&on.room, nodes + 1, sizeof *on.begin);
    on.rank = srv_room_take(&on.room, ranks, sizeof *on.rank);
    on.is_measured = srv_room_take(&on.room, ranks, sizeof *on.is_measured);
    on.ranks = srv_room_take(&on.room, ranks, sizeof *on.ranks);
    on.cores = srv_room_take(&on.room, ranks, sizeof *on.cores);
    int code = !on.room.failed ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK)
        sort_nodes(&on);
    if (code == SERVET_OK && on.class_count > 0)
        code = probe(&on, error);
    if (code == SERVET_OK && on.class_count > 0 && any_measured(&on))
        code = tell(&on, error);
    srv_room_free(&on.room);
    servet_matrix_free(&on.matrix);
    servet_layers_free(&on.layers);
    return code;
}

/* Share of the time: there are more pairs of nodes, and none stands for another. */
static const double WITHIN = 0.25;

static int measure(srv_network_job *job, srv_layer_list *list, servet_error *error)
{
    srv_network_job cores = srv_network_job_part(job, 0, WITHIN);
    int code = layers_of_cores(&cores, list, error);
    srv_network_job nodes = srv_network_job_part(job, WITHIN, 1);
    if (code == SERVET_OK)
        code = srv_network_layers_of_nodes(&nodes, list, error);
    if (code == SERVET_OK)
        code = srv_network_store_layers(job, list, error);
    return code == SERVET_OK ? srv_network_repeat_layers(job, error) : code;
}

int srv_network_measure_layers(srv_network_job *job, servet_error *error)
{
    srv_layer_list *list = calloc(1, sizeof *list);
    if (!list)
        return srv_fail_memory(error);
    int code = measure(job, list, error);
    srv_layer_list_finish(list);
    free(list);
    return code;
}
