/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * One rank of the job: its location, clock, and memory for messages, and the execution of commands.
 */
#ifndef SRV_RANKS_WORKER_H
#define SRV_RANKS_WORKER_H

#include "machine/hardware/core_noise.h"
#include "machine/ranks/control.h"
#include "machine/ranks/message_timer.h"
#include "machine/ranks/node_measurer.h"
#include "machine/ranks/rank_location.h"

typedef struct srv_worker {
    MPI_Comm comm;
    int rank, rank_count;
    srv_topology topology;
    srv_clock clock;
    srv_stolen stolen; /**< from its core, when last measured */
    srv_rank_location location;
    srv_message_timer timer;
    srv_rank_watch watch;        /**< over its messages */
    srv_node_measurer *measurer; /**< NULL: its node cannot be measured */
} srv_worker;

/** All ranks call it together; finish after a failure, too. Errors: those of
 * srv_rank_location_find(). */
int srv_worker_init(srv_worker *worker, srv_node_measurer *measurer, servet_error *error);

/** Executes its part of a command SRV_COMMAND_PREPARE, _WARM_UP, _SAMPLE, _NOISE or _PING. */
void srv_worker_execute(srv_worker *worker, const srv_command *command, srv_reply *reply);

/**
 * Measures its node; `*profile`, `*size` bytes of text, is the caller's to free.
 * options->progress_file is a beginning, see srv_network_ops.measure_nodes. Errors: those of
 * srv_node_measurer, SERVET_EUNSUPPORTED (there is no measurer).
 */
int srv_worker_measure(srv_worker *worker, const servet_measure_options *options, char **profile,
                       size_t *size, servet_error *error);

/** Executes the commands of rank 0 until it is shut down. */
void srv_worker_serve(srv_worker *worker);

void srv_worker_finish(srv_worker *worker);

#endif
