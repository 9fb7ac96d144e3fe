/* SPDX-License-Identifier: BSD-3-Clause */
/** Warns about nodes that were not measured or that differ. */
#ifndef SRV_MPI_REPORT_H
#define SRV_MPI_REPORT_H

#include "run/network/network.h"
#include "mpi/nodes.h"

/** Prints the nodes that were not measured, and those that differ from most others, with the
 * differences. */
void mpi_report_nodes(srv_network *network, const mpi_nodes *nodes, const servet_profile *profile);

#endif
