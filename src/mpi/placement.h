/* SPDX-License-Identifier: BSD-3-Clause */
/** A placement in a file, as `servet map` prints it with --format text or json. */
#ifndef SRV_MPI_PLACEMENT_H
#define SRV_MPI_PLACEMENT_H

#include "core/error.h"

/** Place of a rank. */
typedef struct mpi_placed {
    char *host;
    char *cores; /**< OS numbers as ranges, ascending */
    int core_count;
} mpi_placed;

/** Places of the ranks 0..count-1. */
typedef struct mpi_placement {
    mpi_placed *rank;
    int count;
} mpi_placement;

/**
 * Reads the placement at `path`. In format text, lines that begin with # are ignored.
 * mpi_placement_finish() frees it, also after a failure. Errors: SERVET_ENOTFOUND, SERVET_EIO,
 * SERVET_EFORMAT (with file and line), SERVET_EMEMORY.
 */
int mpi_placement_read(mpi_placement *placement, const char *path, servet_error *error);

void mpi_placement_finish(mpi_placement *placement);

#endif
