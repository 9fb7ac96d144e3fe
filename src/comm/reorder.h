/* SPDX-License-Identifier: BSD-3-Clause */
/** Reorders ranks by traffic in any of the forms that programs have. */
#ifndef SRV_COMM_REORDER_H
#define SRV_COMM_REORDER_H

#include <mpi.h>

#include "servet/map.h"

/**
 * The traffic of the ranks, on rank 0: in the first of these forms that is given; without any,
 * neighbouring ranks are placed close to each other.
 */
typedef struct srv_sends {
    const servet_traffic *traffic; /**< NULL: not given */
    const double *matrix;          /**< bytes from rank i to rank j at [j * ranks + i]; NULL */
    int ranks;                     /**< of the matrix */
    int pattern;                   /**< a servet_pattern; negative: not given */
    double bytes;                  /**< of the messages of the pattern */
} srv_sends;

/** servet_comm_reorder_by(). */
int srv_comm_reorder(MPI_Comm comm, const servet_profile *profile, const srv_sends *sends,
                     MPI_Comm *newcomm, servet_error *error);

#endif
