/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "machine/ranks/client.h"
#include "machine/ranks/startup.h"

/* --- the network, as the client thread sees it ------------------------------------------------ */

static srv_coordinator *coordinator_of(srv_network *network)
{
    return (srv_coordinator *)network;
}

static int describe(srv_network *network, const srv_rank **ranks, int *rank_count,
                    const srv_network_node **nodes, int *node_count, servet_error *error)
{
    (void)error;
    const srv_rank_table *table = &coordinator_of(network)->table;
    *ranks = table->rank;
    *rank_count = table->rank_count;
    *nodes = table->node;
    *node_count = table->node_count;
    return SERVET_OK;
}

static int exchange_messages(srv_network *network, const srv_exchange *exchange, srv_spread *times,
                             servet_error *error)
{
    srv_coordinator *coordinator = coordinator_of(network);
    srv_request_queue *queue = &coordinator->queue;
    srv_exchange_plan plan;
    if (queue->broken)
        return srv_request_queue_submit(queue, SRV_REQUEST_EXCHANGE, &coordinator->table, error);
    int code = srv_exchange_plan_init(&plan, exchange, coordinator->table.rank_count, error);
    if (code != SERVET_OK)
        return code;
    double *samples =
        malloc((size_t)exchange->count * SRV_EXCHANGE_SAMPLES_MAX * sizeof *queue->samples);
    queue->plan = plan;
    queue->samples = samples;
    code = samples
               ? srv_request_queue_submit(queue, SRV_REQUEST_EXCHANGE, &coordinator->table, error)
               : srv_fail_memory(error);
    if (queue->broken)
        return code; /* the main thread still uses the request in the queue */
    if (code == SERVET_OK)
        srv_exchange_plan_times(samples, exchange->flow, exchange->count,
                                plan.part[plan.participant[0]].samples, times);
    free(samples);
    srv_exchange_plan_finish(&plan);
    return code;
}

static void forget_noise(srv_request_queue *queue)
{
    free(queue->noise_ranks);
    free(queue->noises);
    free(queue->uses);
}

/* The queue has its own copies, as with the nodes below. */
static int queue_noise(srv_request_queue *queue, const int *ranks, int count, double seconds,
                       int rank_count, servet_error *error)
{
    queue->noise_ranks = malloc((size_t)count * sizeof *queue->noise_ranks);
    queue->noises = calloc((size_t)rank_count, sizeof *queue->noises);
    queue->uses = calloc((size_t)rank_count, sizeof *queue->uses);
    if (!queue->noise_ranks || !queue->noises || !queue->uses) {
        forget_noise(queue);
        return srv_fail_memory(error);
    }
    memcpy(queue->noise_ranks, ranks, (size_t)count * sizeof *ranks);
    queue->noise_count = count;
    queue->noise_seconds = seconds;
    return SERVET_OK;
}

static int noise(srv_network *network, const int *ranks, int count, double seconds,
                 srv_rank_noise *noises, servet_error *error)
{
    srv_coordinator *coordinator = coordinator_of(network);
    srv_request_queue *queue = &coordinator->queue;
    int rank_count = coordinator->table.rank_count;
    int code =
        queue->broken ? SERVET_OK : queue_noise(queue, ranks, count, seconds, rank_count, error);
    if (code != SERVET_OK)
        return code;
    code = srv_request_queue_submit(queue, SRV_REQUEST_NOISE, &coordinator->table, error);
    if (queue->broken)
        return code;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        noises[ranks[i]] = queue->noises[ranks[i]];
    forget_noise(queue);
    return code;
}

/* The queue's own copies: the main thread may still use them after the client stopped waiting. */
static int queue_nodes(srv_request_queue *queue, const srv_survey *survey, int count,
                       servet_error *error)
{
    queue->options = *survey->options;
    queue->survey = *survey;
    queue->survey.options = &queue->options;
    queue->known = calloc((size_t)count, sizeof *queue->known);
    queue->errors = calloc((size_t)count, sizeof *queue->errors);
    if (!queue->known || !queue->errors)
        return srv_fail_memory(error); /* the caller frees both */
    for (int i = 0; survey->known && i < count; i++)
        queue->known[i] = survey->known[i];
    return SERVET_OK;
}

static int measure_nodes(srv_network *network, const srv_survey *survey, servet_error *errors,
                         servet_error *error)
{
    srv_coordinator *coordinator = coordinator_of(network);
    srv_request_queue *queue = &coordinator->queue;
    size_t n = (size_t)coordinator->table.node_count;
    memset(errors, 0, n * sizeof *errors);
    int code = queue->broken ? SERVET_OK : queue_nodes(queue, survey, (int)n, error);
    if (code == SERVET_OK)
        code = srv_request_queue_submit(queue, SRV_REQUEST_NODES, &coordinator->table, error);
    if (queue->broken)
        return code;
    if (code == SERVET_OK)
        memcpy(errors, queue->errors, n * sizeof *errors);
    free(queue->known);
    free(queue->errors);
    return code;
}

static double elapsed(srv_network *network)
{
    return 1e-9 * (srv_clock_raw_ns() - coordinator_of(network)->created_ns);
}

static void destroy(srv_network *network)
{
    srv_coordinator *coordinator = coordinator_of(network);
    srv_request_queue_submit(&coordinator->queue, SRV_REQUEST_SHUTDOWN, &coordinator->table, NULL);
}

int srv_ranks_renumber(srv_network *network, const int *number, servet_error *error)
{
    return srv_rank_table_renumber(&coordinator_of(network)->table, number, error);
}

static const srv_network_ops ops = {
    .describe = describe,
    .exchange = exchange_messages,
    .noise = noise,
    .measure_nodes = measure_nodes,
    .elapsed = elapsed,
    .destroy = destroy,
};

/* --- the job ---------------------------------------------------------------------------------- */

/* A rank's report after it has tried to bind itself. */
typedef struct registration {
    srv_rank_location location;
    int code;
    char text[SERVET_ERROR_TEXT_MAX];
} registration;

static int check_registrations(const registration *registrations, int count, servet_error *error)
{
    for (int i = 0; i < count; i++)
        if (registrations[i].code != SERVET_OK)
            return srv_fail(error, registrations[i].code, "rank %d on %s: %.150s", i,
                            registrations[i].location.host, registrations[i].text);
    return SERVET_OK;
}

/* The profile, and placements made with it, identify nodes by name. */
static int check_names(const srv_rank_table *table, servet_error *error)
{
    for (int i = 0; i < table->node_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(table->node[i].name, table->node[k].name) == 0)
                return srv_fail(error, SERVET_EMACHINE,
                                "several nodes have the name '%s': give each host a unique "
                                "name, or let the MPI library use shared memory within a host",
                                table->node[i].name);
    return SERVET_OK;
}

static int fill_table(srv_rank_table *table, const registration *registrations, int count,
                      servet_error *error)
{
    int code = check_registrations(registrations, count, error);
    srv_rank_location *locations =
        code == SERVET_OK ? malloc((size_t)count * sizeof *locations) : NULL;
    if (!locations)
        return code == SERVET_OK ? srv_fail_memory(error) : code;
    for (int i = 0; i < count; i++)
        locations[i] = registrations[i].location;
    code = srv_rank_table_init(table, locations, count, error);
    free(locations);
    return code == SERVET_OK ? check_names(table, error) : code;
}

/* All ranks together: whether every one is bound, and whether some share a core; rank 0 fills its
 * table. */
static int gather(srv_worker *worker, int own_code, srv_coordinator *coordinator,
                  servet_error *error)
{
    registration own = {.location = worker->location, .code = own_code}, *registrations = NULL;
    snprintf(own.text, sizeof own.text, "%s", error->text);
    int fine = 1, share_cores = 0, code = SERVET_OK;
    if (worker->rank == 0) {
        registrations = malloc((size_t)worker->rank_count * sizeof *registrations);
        fine = registrations != NULL;
    }
    MPI_Bcast(&fine, 1, MPI_INT, 0, worker->comm);
    if (!fine)
        return worker->rank == 0 ? srv_fail_memory(error) : SERVET_EMEMORY;
    MPI_Gather(&own, sizeof own, MPI_BYTE, registrations, sizeof own, MPI_BYTE, 0, worker->comm);
    if (worker->rank == 0) {
        *error = (servet_error)SERVET_ERROR_INIT;
        code = fill_table(&coordinator->table, registrations, worker->rank_count, error);
        if (code == SERVET_OK)
            code = srv_request_queue_init(&coordinator->queue, worker->rank_count, error);
        if (code == SERVET_OK)
            code = srv_rank_table_share_cores(&coordinator->table, &share_cores, error);
    }
    free(registrations);
    MPI_Bcast(&code, 1, MPI_INT, 0, worker->comm);
    MPI_Bcast(&share_cores, 1, MPI_INT, 0, worker->comm);
    worker->timer.transport.share_cores = share_cores;
    return code;
}

/* Rank 0, with everybody bound. */
static int run_coordinator(srv_coordinator *coordinator, const srv_ranks_job *job, int *status,
                           servet_error *error)
{
    srv_client client = {.run = job->client, .context = job->context, .coordinator = coordinator};
    coordinator->queue.stop = job->stop;
    int code = srv_client_run(&client, error);
    *status = client.status;
    srv_request_queue_finish(&coordinator->queue);
    return code;
}

static int run_rank(srv_worker *worker, const srv_ranks_job *job, int *status, servet_error *error)
{
    srv_coordinator coordinator = {
        .network = {&ops}, .worker = worker, .created_ns = srv_clock_raw_ns()};
    servet_error own = SERVET_ERROR_INIT;
    int code = gather(worker, srv_worker_init(worker, job->measurer, &own), &coordinator, &own);
    if (code == SERVET_OK && worker->rank == 0)
        code = run_coordinator(&coordinator, job, status, &own);
    else if (code == SERVET_OK)
        srv_worker_serve(worker);
    srv_rank_table_finish(&coordinator.table);
    if (code != SERVET_OK && worker->rank == 0)
        return srv_fail(error, code, "%s", own.text);
    return SERVET_OK;
}

/*
 * Times are those of programs without threads. With MPI_THREAD_FUNNELED, Open MPI 4.1 takes 45 ns
 * more for each small message (0.29 instead of 0.24 us within a host), for locks that are not
 * needed here: our other threads never enter MPI.
 */
int srv_ranks_run(const srv_ranks_job *job, int *status, servet_error *error)
{
    srv_worker worker;
    int rank;
    *status = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int code = srv_startup_check(MPI_COMM_WORLD, error);
    if (code == SERVET_OK) {
        code = run_rank(&worker, job, status, error);
        srv_worker_finish(&worker);
    }
    MPI_Finalize();
    return rank == 0 ? code : SERVET_OK;
}
