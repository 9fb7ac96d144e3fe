/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/coordinator_noise.h"

static void take_reply(srv_request_queue *queue, int rank, const srv_reply *reply)
{
    queue->noises[rank] = reply->noise;
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
    return SERVET_OK;
}
