/* SPDX-License-Identifier: BSD-3-Clause */
/** The text that `servet-mpi where` prints on stdout. */
#ifndef SRV_MPI_WHERE_REPORT_H
#define SRV_MPI_WHERE_REPORT_H

#include "mpi/verify.h"

/** The ranks 0..count-1 and where they run. Without a placement, `placed` and `verdicts` are NULL.
 */
typedef struct mpi_where {
    const srv_observed_binding *ranks;
    int count;
    const mpi_placed *placed;
    const mpi_verdict *verdicts;
} mpi_where;

/** Prints for people: a line for each rank, then the number of ranks that run where they were
 * placed. */
void mpi_where_text(const mpi_where *where);

/** Prints a JSON document, which servet-mpi(1) describes. */
void mpi_where_json(const mpi_where *where);

#endif
