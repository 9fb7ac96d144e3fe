/* SPDX-License-Identifier: BSD-3-Clause */
/** The coordinator: the main thread of rank 0, which commands the ranks to execute requests. */
#ifndef SRV_RANKS_COORDINATOR_H
#define SRV_RANKS_COORDINATOR_H

#include "machine/ranks/request_queue.h"
#include "machine/ranks/worker.h"

/** A rank that works answers within this time after its command's expected end: a message of 32 MiB
 * takes 27 s at 10 Mbit/s. With the end of the job this stays within a minute. */
#define SRV_HANG_SECONDS 45.0

/** Expected times may be wrong by this factor: estimates from few messages, a slow node. */
#define SRV_TIMEOUT_FACTOR 3.0

/** A waiting rank answers within milliseconds. A rank that has been silent for longer than this is
 * considered lost, even if its host was very busy. */
#define SRV_SILENCE_SECONDS 20.0

typedef struct srv_coordinator {
    srv_network network;
    srv_worker *worker; /**< rank 0 itself */
    srv_rank_table table;
    srv_request_queue queue;
    double created_ns;
    double pinged_ns; /**< when the nodes were last pinged */
} srv_coordinator;

/** Waits for a request and serves it; after SRV_REQUEST_SHUTDOWN, which shuts the workers down, the
 * result is false. */
bool srv_coordinator_serve(srv_coordinator *coordinator);

/**
 * Serves SRV_REQUEST_NODES. Errors: SERVET_ECOMMUNICATION (a node is silent; the text names it),
 * SERVET_EINTERRUPTED, SERVET_EUNSUPPORTED (there is no srv_node_measurer).
 */
int srv_coordinator_measure_nodes(srv_coordinator *coordinator, servet_error *error);

#endif
