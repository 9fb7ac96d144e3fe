/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/coordinator_noise.h"

#include <math.h>
#include <stdlib.h>

/* Observations and use of the ranks of a machine. */
typedef struct machine_use {
    double busy, own, least_wall, most_wall;
    int processors;
} machine_use;

static void add_use(machine_use *sum, const srv_rank_use *use)
{
    bool first = sum->processors == 0;
    sum->busy = fmax(sum->busy, use->busy);
    sum->own += use->own;
    sum->least_wall = first ? use->wall : fmin(sum->least_wall, use->wall);
    sum->most_wall = fmax(sum->most_wall, use->wall);
    sum->processors = use->processors;
}

/* Answers of ranks at other moments describe other times and do not count. */
static const double SAME_TIME = 0.9;

/* Share of a machine's processors that others than the job used; NaN: not known. */
static double foreign_share(const machine_use *sum)
{
    double all = sum->most_wall * sum->processors;
    if (!(all > 0) || isnan(sum->busy) || sum->least_wall < SAME_TIME * sum->most_wall)
        return NAN;
    return fmin(fmax((sum->busy - sum->own) / all, 0), 1);
}

/* Only if all ranks answered: the time of a silent rank would seem to be foreign. */
static void find_foreign(srv_coordinator *coordinator)
{
    const srv_rank_table *table = &coordinator->table;
    srv_request_queue *queue = &coordinator->queue;
    machine_use *sums = calloc((size_t)table->node_count, sizeof *sums);
    for (int i = 0; sums && i < table->rank_count; i++)
        add_use(&sums[table->node[table->rank[i].node].machine], &queue->uses[i]);
    for (int i = 0; sums && i < table->rank_count; i++)
        queue->noises[i].absence.foreign =
            foreign_share(&sums[table->node[table->rank[i].node].machine]);
    free(sums);
}

static void take_reply(srv_request_queue *queue, int rank, const srv_reply *reply)
{
    queue->noises[rank] = (srv_rank_noise){reply->noise, reply->absence};
    queue->uses[rank] = reply->use;
    srv_request_queue_await(queue, rank, false);
}

int srv_coordinator_measure_noise(srv_coordinator *coordinator)
{
    srv_request_queue *queue = &coordinator->queue;
    srv_command command = {.type = SRV_COMMAND_NOISE, .seconds = queue->noise_seconds};
    srv_reply reply;
    bool own = false;
    srv_request_queue_set_deadline(queue, SRV_HANG_SECONDS + SRV_TIMEOUT_FACTOR * command.seconds);
    for (int i = 0; i < queue->noise_count; i++) {
        int rank = queue->noise_ranks[i];
        srv_request_queue_await(queue, rank, true);
        if (rank == 0)
            own = true;
        else
            srv_control_send(coordinator->worker->comm, &command, sizeof command, rank,
                             SRV_TAG_COMMAND);
    }
    if (own) {
        srv_worker_execute(coordinator->worker, &command, &reply);
        take_reply(queue, 0, &reply);
    }
    for (int i = own; i < queue->noise_count; i++) {
        int rank = srv_control_receive(coordinator->worker->comm, &reply, sizeof reply,
                                       MPI_ANY_SOURCE, SRV_TAG_REPLY);
        take_reply(queue, rank, &reply);
    }
    if (queue->noise_count == coordinator->table.rank_count)
        find_foreign(coordinator);
    return SERVET_OK;
}
