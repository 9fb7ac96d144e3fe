/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/client.h"

#include <stdio.h>
#include <unistd.h>

#include "core/error.h"
#include "machine/ranks/coordinator.h"
#include "machine/ranks/launcher.h"

/* The launcher may be out of reach, too. */
enum { ABORT_SECONDS = 10 };

/* Runs the client without a binding, so that it does not take the core of rank 0's messages. */
static void *run(void *argument)
{
    srv_client *client = argument;
    srv_coordinator *coordinator = client->coordinator;
    srv_rank_unbind(&coordinator->worker->topology);
    client->status = client->run(client->context, &coordinator->network);
    if (coordinator->queue.broken) {
        /* MPI should be called from the main thread, but that thread hangs within it; all
         * implementations can abort from another one */
        fflush(NULL);
        srv_launcher_ensure_end();
        alarm(ABORT_SECONDS);
        MPI_Abort(MPI_COMM_WORLD, client->status ? client->status : 1);
    }
    srv_network_destroy(&coordinator->network);
    return NULL;
}

static void serve_all(srv_coordinator *coordinator)
{
    while (srv_coordinator_serve(coordinator)) {
    }
}

int srv_client_run(srv_client *client, servet_error *error)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, client) != 0) {
        client->coordinator->queue.request = SRV_REQUEST_SHUTDOWN;
        serve_all(client->coordinator);
        return srv_fail(error, SERVET_EMACHINE, "cannot create a thread");
    }
    serve_all(client->coordinator);
    pthread_join(thread, NULL);
    return SERVET_OK;
}
