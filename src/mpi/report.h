/* SPDX-License-Identifier: BSD-3-Clause */
/** The report of a job for people, on stdout. */
#ifndef SRV_MPI_REPORT_H
#define SRV_MPI_REPORT_H

#include "mpi/nodes.h"

/** Names the nodes that could not be measured, are slower than the others or of other hardware. */
void mpi_report_nodes(const mpi_nodes *nodes);

#endif
