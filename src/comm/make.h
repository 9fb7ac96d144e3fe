/* SPDX-License-Identifier: BSD-3-Clause */
/** Creates communicators from groups that rank 0 computes from the locations of all ranks. */
#ifndef SRV_COMM_MAKE_H
#define SRV_COMM_MAKE_H

#include "comm/peers.h"

/** The computation of rank 0, which gets its `context`. Returns an error code. */
typedef int srv_comm_work(void *context, const srv_peers *peers, const servet_profile *profile,
                          servet_error *error);

/**
 * Calls `work` on rank 0 of `comm`, with `profile` or the one found there. All ranks return its
 * code, with its text in `error`; errors as in servet/mpi.h.
 */
int srv_comm_compute(MPI_Comm comm, const servet_profile *profile, srv_comm_work *work,
                     void *context, servet_error *error);

/** The arguments of MPI_Comm_split() for a rank. */
typedef struct srv_colour_key {
    int colour, key;
} srv_colour_key;

/** Finds on rank 0 the colour and key of each rank, in colour_keys[0..count-1], which are 0 before.
 * Returns an error code. */
typedef int srv_colours_find(const void *request, const srv_peers *peers,
                             const servet_profile *profile, srv_colour_key *colour_keys,
                             servet_error *error);

/**
 * Calls `find` on rank 0 of `comm`, with `profile` or the one found there, and creates the
 * communicators; errors as in servet/mpi.h.
 */
int srv_comm_make(MPI_Comm comm, const servet_profile *profile, srv_colours_find *find,
                  const void *request, MPI_Comm *newcomm, servet_error *error);

#endif
