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
    char text[SERVET_ERROR_TEXT_MAX]; /**< the difference and its reason; "" if the rank agrees */
} mpi_verdict;

/**
 * Verifies a rank that was placed at `placed` and observed at `observed`. It agrees if it runs on
 * that host, and its threads together may run on exactly those cores. If the placement has several
 * cores for the rank, and its OpenMP threads were observed, there must be one thread for each core,
 * and no two threads may be bound to the same core.
 */
mpi_verdict mpi_verify(const mpi_placed *placed, const srv_observed_binding *observed);

#endif
