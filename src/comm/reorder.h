/* SPDX-License-Identifier: BSD-3-Clause */
/** Reorders ranks by their traffic, which programs give in one of three forms. */
#ifndef SRV_COMM_REORDER_H
#define SRV_COMM_REORDER_H

#include <mpi.h>

#include "servet/map.h"

/**
 * The traffic of the ranks, on rank 0. The first of these forms that is given counts; if none is,
 * neighbouring ranks are placed close to each other.
 */
typedef struct srv_sends {
    const servet_traffic *traffic; /**< NULL: not given */
    const double *matrix; /**< bytes from rank i to rank j at [j * ranks + i]; NULL: not given */
    int ranks;            /**< rows of the matrix */
    int pattern;          /**< a servet_pattern; negative: not given */
    double bytes;         /**< size of a message of the pattern */
} srv_sends;

/** Does what servet_comm_reorder_by() promises. */
int srv_comm_reorder(MPI_Comm comm, const servet_profile *profile, const srv_sends *sends,
                     MPI_Comm *newcomm, servet_error *error);

#endif
