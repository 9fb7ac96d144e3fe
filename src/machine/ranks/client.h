/* SPDX-License-Identifier: BSD-3-Clause */
/** The client of a job, on rank 0, beside the coordinator. */
#ifndef SRV_RANKS_CLIENT_H
#define SRV_RANKS_CLIENT_H

#include "machine/ranks/coordinator.h"

typedef struct srv_client {
    int (*run)(void *context, srv_network *network);
    void *context;
    srv_coordinator *coordinator;
    int status; /**< that it returned */
} srv_client;

/** Runs the client and serves its requests, then shuts the workers down, also without a client.
 * Errors: SERVET_EMACHINE (no thread for it). */
int srv_client_run(srv_client *client, servet_error *error);

#endif
