/* SPDX-License-Identifier: BSD-3-Clause */
/** A job that only observes the bindings of its ranks: it binds no rank, and sends the answers
 * only. */
#ifndef SRV_RANKS_BINDINGS_H
#define SRV_RANKS_BINDINGS_H

#include "machine/hardware/binding.h"

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
