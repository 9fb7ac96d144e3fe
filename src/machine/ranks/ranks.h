/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The processes of an MPI job as a network. This folder is the only place that knows MPI.
 *
 * Rank 0 has two threads. Its main thread takes part in messages like every other rank, and may
 * hang as they do; the thread that asks never enters MPI, so it can always say what hung and keep
 * what was measured before.
 */
#ifndef SRV_RANKS_RANKS_H
#define SRV_RANKS_RANKS_H

#include "machine/network.h"

/** Asks the network for what it wants to know; the answer becomes the exit status of the job. */
typedef int srv_ranks_ask(void *context, srv_network *network);

/** Other than 0: what is under way is to be given up, with SERVET_EINTERRUPTED. */
typedef int srv_ranks_stop(void);

/**
 * Starts MPI, binds each rank to a PU of its own, lets `ask` run on rank 0 and the others serve it,
 * and ends MPI. Whenever it has to wait for ranks, rank 0 also asks `stop` (may be NULL). Every
 * rank of the job calls it, once in its life. `*status` is what `ask` answered, 0 on the other
 * ranks. The network is destroyed here, not by `ask`. After ranks have hung, or were given up, the
 * job cannot end in good order: once `ask` has answered it is aborted with that status (or 1 for
 * 0), and this does not return. Errors, on rank 0: those of
 * srv_start_check(), SERVET_EMACHINE (a rank cannot be bound, or hwloc cannot read its node, the
 * text names it; or nodes have one name), SERVET_EMEMORY.
 */
int srv_ranks_run(srv_ranks_ask *ask, srv_ranks_stop *stop, void *context, int *status,
                  servet_error *error);

/**
 * Gives node i of a network of ranks the number number[i], a permutation: what describe() has told
 * is as before no more. Errors: SERVET_EMEMORY.
 */
int srv_ranks_renumber(srv_network *network, const int *number, servet_error *error);

#endif
