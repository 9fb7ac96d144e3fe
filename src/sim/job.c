/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/job.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "sim/system.h"

static int place(const srv_model *model, const srv_rank *wanted, int number, srv_pu_place *at,
                 servet_error *error)
{
    if (!wanted) {
        *at = (srv_pu_place){number / model->pu_count, number % model->pu_count};
        if (at->node >= model->node_count)
            return srv_fail(error, SERVET_EARGUMENT, "%s has no core for rank %d", model->name,
                            number);
        return SERVET_OK;
    }
    if (wanted->node < 0 || wanted->node >= model->node_count)
        return srv_fail(error, SERVET_EARGUMENT, "%s has no node %d for rank %d", model->name,
                        wanted->node, number);
    at->node = wanted->node;
    return srv_system_pu(model, wanted->core, &at->pu, error);
}

static int place_all(srv_job *job, const srv_model *model, const srv_rank *ranks,
                     servet_error *error)
{
    for (int i = 0; i < job->rank_count; i++) {
        int code = place(model, ranks ? &ranks[i] : NULL, i, &job->places[i], error);
        if (code != SERVET_OK)
            return code;
        job->ranks[i].core = model->os_index[job->places[i].pu];
    }
    return SERVET_OK;
}

/* Numbers the nodes in the order of their first ranks; `number` is 0 for each node of the model. */
static void number_nodes(srv_job *job, const srv_model *model, int *number)
{
    for (int i = 0; i < job->rank_count; i++) {
        int *own = &number[job->places[i].node];
        if (*own == 0) {
            *own = ++job->node_count;
            snprintf(job->nodes[*own - 1].name, SERVET_NAME_MAX, "%.48s-%d", model->name,
                     job->places[i].node);
        }
        job->ranks[i].node = *own - 1;
        job->nodes[*own - 1].rank_count++;
    }
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* `first` has room for a number per node, `cores` for one per rank. */
static int list_cores(srv_job *job, int *first, int *cores, servet_error *error)
{
    for (int i = 1; i < job->node_count; i++)
        first[i] = first[i - 1] + job->nodes[i - 1].rank_count;
    for (int i = 0; i < job->rank_count; i++)
        cores[first[job->ranks[i].node]++] = job->ranks[i].core;
    for (int i = 0; i < job->node_count; i++) {
        srv_network_node *node = &job->nodes[i];
        node->machine = i;
        int *own = cores + first[i] - node->rank_count;
        qsort(own, (size_t)node->rank_count, sizeof *own, by_number);
        for (int k = 1; k < node->rank_count; k++)
            if (own[k] == own[k - 1])
                return srv_fail(error, SERVET_EARGUMENT, "core %d of %s is given to two ranks",
                                own[k], node->name);
        if (!srv_ranges_write(own, node->rank_count, node->cores, sizeof node->cores))
            return srv_fail(error, SERVET_EARGUMENT, "the list of cores is too long");
    }
    return SERVET_OK;
}

static int describe_nodes(srv_job *job, const srv_model *model, servet_error *error)
{
    int *number = calloc((size_t)model->node_count, sizeof *number);
    int *first = calloc((size_t)job->rank_count, sizeof *first);
    int *cores = calloc((size_t)job->rank_count, sizeof *cores);
    int code = number && first && cores ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK) {
        number_nodes(job, model, number);
        code = list_cores(job, first, cores, error);
    }
    free(number);
    free(first);
    free(cores);
    return code;
}

int srv_job_init(srv_job *job, const srv_model *model, const srv_rank *ranks, int rank_count,
                 servet_error *error)
{
    *job = (srv_job){.rank_count = rank_count};
    if (rank_count < 1)
        return srv_fail(error, SERVET_EARGUMENT, "a job must have at least one rank");
    size_t n = (size_t)rank_count;
    job->ranks = calloc(n, sizeof *job->ranks);
    job->places = calloc(n, sizeof *job->places);
    job->nodes =
        calloc(n < (size_t)model->node_count ? n : (size_t)model->node_count, sizeof *job->nodes);
    if (!job->ranks || !job->places || !job->nodes)
        return srv_fail_memory(error);
    int code = place_all(job, model, ranks, error);
    return code == SERVET_OK ? describe_nodes(job, model, error) : code;
}

void srv_job_finish(srv_job *job)
{
    free(job->ranks);
    free(job->places);
    free(job->nodes);
}
