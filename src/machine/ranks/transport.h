/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sends and receives timed messages. Ranks wait within MPI, as nearly all programs do and those
 * that others measure with: that spins, which is fastest. Where ranks of the job share a core, one
 * would keep the other from sending what it waits for, until the scheduler takes the core away,
 * some milliseconds later. There they look, and let others run in between.
 */
#ifndef SRV_RANKS_TRANSPORT_H
#define SRV_RANKS_TRANSPORT_H

#include <stdbool.h>

#include "machine/ranks/control.h"
#include "servet/network.h"

typedef struct srv_transport {
    MPI_Comm comm;
    bool share_cores; /**< some of the job's ranks do; all of them wait in the same way */
} srv_transport;

/** Returns when the memory may be used again. MPI_PROC_NULL does nothing. */
void srv_transport_send(const srv_transport *transport, const void *data, int bytes, int to,
                        srv_tag tag);

/** Returns when it is there. MPI_PROC_NULL does nothing. */
void srv_transport_receive(const srv_transport *transport, void *data, int bytes, int from,
                           srv_tag tag);

/**
 * Sends `count` messages of `bytes` bytes, message i from data + i * step, all in flight at once,
 * and returns when their memory may be used again; count is 1..SRV_BATCH_MAX.
 */
void srv_transport_send_all(const srv_transport *transport, const char *data, size_t step,
                            int bytes, int count, int to, srv_tag tag);

/** Receives as many, and returns when all are there. */
void srv_transport_receive_all(const srv_transport *transport, char *data, size_t step, int bytes,
                               int count, int from, srv_tag tag);

/** Waits for one of the requests, of which at least one is not done; returns its number. */
int srv_transport_await_any(const srv_transport *transport, MPI_Request *requests, int count);

/**
 * Both at once, which may be one rank. Two ranks that send to each other share a connection. One
 * that is late, and answers what it was offered before it offers its own, lets that get stuck
 * behind the other's data: large messages then go one way at a time, all of them, for so it stays
 * (Open MPI 4.1 over TCP, with MPI_Sendrecv, too). Therefore the send begins first.
 */
void srv_transport_exchange(const srv_transport *transport, const void *out, int to, void *in,
                            int from, int bytes, srv_tag tag);

/* --- collective operations of a group of ranks (collective.c) --- */

/** A communicator of these ranks, in this order; each of them calls this, and MPI_Comm_free(). */
MPI_Comm srv_collective_join(const srv_transport *transport, const int *ranks, int count);

/**
 * Runs the operation from `out` to `in`, with rank 0 of the group as its root. `bytes` is that of
 * servet_collective; for an allgather or an alltoall, buffers have as many for each rank.
 */
void srv_collective_run(const srv_transport *transport, MPI_Comm group, servet_collective_op op,
                        void *out, void *in, int bytes);

#endif
