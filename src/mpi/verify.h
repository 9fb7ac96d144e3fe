/* SPDX-License-Identifier: BSD-3-Clause */
/** Compares where ranks run with their places, and gives the likely reason of a difference. */
#ifndef SRV_MPI_VERIFY_H
#define SRV_MPI_VERIFY_H

#include <stdbool.h>

#include "machine/hardware/binding.h"
#include "mpi/placement.h"

/** The result for a rank. */
typedef struct mpi_verdict {
    bool agrees;
    char text[SERVET_ERROR_TEXT_MAX]; /**< how it differs and why; "" where it agrees */
} mpi_verdict;

/**
 * Verifies a rank that was placed at `placed` and observed at `observed`. It agrees if it is on
 * that host, its threads may run on those cores together and on no other, and, where the placement
 * has several cores for it and its OpenMP threads were observed, it has one thread for each of
 * them, no two of them bound to the same one.
 */
mpi_verdict mpi_verify(const mpi_placed *placed, const srv_observed_binding *observed);

#endif
