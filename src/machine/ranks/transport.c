/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/transport.h"

#include <math.h>
#include <sched.h>
#include <time.h>

/* Limits of waiting: up to the first, others that are ready run; then the core sleeps. Pauses are a
 * small part of the time already waited, because a message is late by that, and short enough that
 * no buffer on the way runs empty. */
static const double YIELD_SECONDS = 100e-6, PAUSE_SHARE = 1.0 / 32, PAUSE_MAX = 1e-3;

static void let_others_run(double waited)
{
    struct timespec pause = {0, (long)(1e9 * fmin(PAUSE_SHARE * waited, PAUSE_MAX))};
    if (waited < YIELD_SECONDS)
        sched_yield();
    else
        nanosleep(&pause, NULL);
}

static void await_all(const srv_transport *transport, MPI_Request *requests, int count)
{
    int done = 0;
    if (!transport->share_cores) {
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        return;
    }
    for (double began = MPI_Wtime();;) {
        MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        if (done)
            return;
        let_others_run(MPI_Wtime() - began);
    }
}

/* One of them goes by functions of its own, which take less time. */
static void await(const srv_transport *transport, MPI_Request *request)
{
    if (transport->share_cores)
        await_all(transport, request, 1);
    else
        MPI_Wait(request, MPI_STATUS_IGNORE);
}

void srv_transport_send(const srv_transport *transport, const void *data, int bytes, int to,
                        srv_tag tag)
{
    MPI_Request request;
    if (!transport->share_cores) {
        MPI_Send(data, bytes, MPI_BYTE, to, tag, transport->comm);
        return;
    }
    MPI_Isend(data, bytes, MPI_BYTE, to, tag, transport->comm, &request);
    await(transport, &request);
}

void srv_transport_receive(const srv_transport *transport, void *data, int bytes, int from,
                           srv_tag tag)
{
    MPI_Request request;
    if (!transport->share_cores) {
        MPI_Recv(data, bytes, MPI_BYTE, from, tag, transport->comm, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Irecv(data, bytes, MPI_BYTE, from, tag, transport->comm, &request);
    await(transport, &request);
}

void srv_transport_send_all(const srv_transport *transport, const char *data, size_t step,
                            int bytes, int count, int to, srv_tag tag)
{
    MPI_Request requests[SRV_BATCH_MAX];
    for (int i = 0; i < count; i++)
        MPI_Isend(data + (size_t)i * step, bytes, MPI_BYTE, to, tag, transport->comm, &requests[i]);
    await_all(transport, requests, count);
}

void srv_transport_receive_all(const srv_transport *transport, char *data, size_t step, int bytes,
                               int count, int from, srv_tag tag)
{
    MPI_Request requests[SRV_BATCH_MAX];
    for (int i = 0; i < count; i++)
        MPI_Irecv(data + (size_t)i * step, bytes, MPI_BYTE, from, tag, transport->comm,
                  &requests[i]);
    await_all(transport, requests, count);
}

void srv_transport_exchange(const srv_transport *transport, const void *out, int to, void *in,
                            int from, int bytes, srv_tag tag)
{
    MPI_Request sent;
    MPI_Isend(out, bytes, MPI_BYTE, to, tag, transport->comm, &sent);
    srv_transport_receive(transport, in, bytes, from, tag);
    await(transport, &sent);
}

int srv_transport_await_any(const srv_transport *transport, MPI_Request *requests, int count)
{
    int number = 0, done = 0;
    if (!transport->share_cores) {
        MPI_Waitany(count, requests, &number, MPI_STATUS_IGNORE);
        return number;
    }
    for (double began = MPI_Wtime();;) {
        MPI_Testany(count, requests, &number, &done, MPI_STATUS_IGNORE);
        if (done)
            return number;
        let_others_run(MPI_Wtime() - began);
    }
}
