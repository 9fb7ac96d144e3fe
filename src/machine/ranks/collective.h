/* SPDX-License-Identifier: BSD-3-Clause */
/** Runs collective operations of a group of ranks. */
#ifndef SRV_RANKS_COLLECTIVE_H
#define SRV_RANKS_COLLECTIVE_H

#include "machine/ranks/transport.h"
#include "servet/network.h"

/** A communicator of these ranks, in this order; each of them calls this, and MPI_Comm_free(). */
MPI_Comm srv_collective_join(const srv_transport *transport, const int *ranks, int count);

/**
 * Runs the operation from `out` to `in`, with rank 0 of the group as its root. `bytes` is that of
 * servet_collective; for an allgather or an alltoall, buffers have as many for each rank.
 */
void srv_collective_run(const srv_transport *transport, MPI_Comm group, servet_collective_op op,
                        void *out, void *in, int bytes);

#endif
