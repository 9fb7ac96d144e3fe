/* SPDX-License-Identifier: BSD-3-Clause */
/** Communicators that rank 0 has thought out for all ranks. */
#ifndef SRV_COMM_MAKE_H
#define SRV_COMM_MAKE_H

#include "comm/peers.h"

/** What MPI_Comm_split() is told of a rank. */
typedef struct srv_lot {
    int colour, key;
} srv_lot;

/** Rank 0: finds the lot of each rank in lots[0..count-1], which are 0. Returns an error code. */
typedef int srv_lots_find(const void *question, const srv_peers *peers,
                          const servet_profile *profile, srv_lot *lots, servet_error *error);

/**
 * Has `find` answer on rank 0 of `comm`, by `profile` or the one found there, and makes the
 * communicators of it; errors as in servet/mpi.h.
 */
int srv_comm_make(MPI_Comm comm, const servet_profile *profile, srv_lots_find *find,
                  const void *question, MPI_Comm *newcomm, servet_error *error);

#endif
