/* SPDX-License-Identifier: BSD-3-Clause */
/** Measures the nodes of a job by servet_measure(). */
#ifndef SRV_MPI_NODE_MEASURER_H
#define SRV_MPI_NODE_MEASURER_H

#include "machine/ranks/node_measurer.h"

extern const srv_node_measurer mpi_node_measurer;

#endif
