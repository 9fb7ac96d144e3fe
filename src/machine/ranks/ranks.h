/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The processes of an MPI job as a network. This folder is the only place that knows MPI.
 *
 * Rank 0 has two threads. Its main thread is the coordinator: it takes part in messages like every
 * other rank, and may hang as they do. The client thread never enters MPI, so it can always report
 * what hung and keep what was measured before.
 */
#ifndef SRV_RANKS_RANKS_H
#define SRV_RANKS_RANKS_H

#include "machine/network.h"
#include "machine/ranks/node_measurer.h"
#include "machine/hardware/binding.h"

/** Work of a job. */
typedef struct srv_ranks_job {
    /** Runs on rank 0; the result becomes the exit status of the job. */
    int (*client)(void *context, srv_network *network);
    void *context;
    /** Other than 0: the current request is cancelled, with SERVET_EINTERRUPTED. NULL: never. */
    int (*stop)(void);
    srv_node_measurer *measurer; /**< NULL: measure_nodes() fails with SERVET_EUNSUPPORTED */
} srv_ranks_job;

/**
 * Starts MPI, binds each rank to a PU of its own, runs the client on rank 0 while the others serve
 * it, and ends MPI. Every rank of the job calls it, once in its life. `*status` is what the client
 * returned, 0 on the other ranks. The network is destroyed here, not by the client. After ranks
 * have hung, or were given up, the job cannot end in good command: once the client has returned it
 * is aborted with that status (or 1 for 0), and this does not return. Errors, on rank 0: those of
 * srv_startup_check(), SERVET_EMACHINE (a rank cannot be bound, or hwloc cannot read its node, the
 * text names it; or nodes have one name), SERVET_EMEMORY.
 */
int srv_ranks_run(const srv_ranks_job *job, int *status, servet_error *error);

/**
 * Gives node i of a network of ranks the number number[i], a permutation: earlier results of
 * describe() are then invalid. Errors: SERVET_EMEMORY.
 */
int srv_ranks_renumber(srv_network *network, const int *number, servet_error *error);

/* --- a job that only observes the bindings of its ranks (bindings.c) --- */

/** Gets the bindings of the ranks 0..count-1; the result becomes the exit status of the job. */
typedef int srv_bindings_verifier(void *context, const srv_observed_binding *ranks, int count);

/**
 * Starts MPI, has every rank observe where it runs, lets `verify` run on rank 0, and ends MPI.
 * Every rank of the job calls it, once in its life. `*status` is the result of `verify`, 0 on the
 * other ranks. Errors, on rank 0: those of srv_startup_check(), SERVET_EMACHINE (hwloc cannot read
 * the node of a rank; the text names the rank), SERVET_EMEMORY.
 */
int srv_ranks_observe_bindings(srv_bindings_verifier *verify, void *context, int *status,
                               servet_error *error);

#endif
