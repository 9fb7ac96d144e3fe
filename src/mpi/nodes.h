/* SPDX-License-Identifier: BSD-3-Clause */
/** The nodes of the job, each by itself, as one profile. */
#ifndef SRV_MPI_NODES_H
#define SRV_MPI_NODES_H

#include "machine/network.h"
#include "servet/record.h"

/** Why nodes could not be measured. */
typedef struct mpi_nodes {
    servet_error *error; /**< of each node: SERVET_OK where it was, or where nobody has tried */
    int count;
} mpi_nodes;

/**
 * Has all nodes measured, in `*profile`, which the caller closes; mpi_nodes_finish() frees `nodes`,
 * also after an error. Errors: those of the network; those of the first node where no node could be
 * measured, or one is not to go on with what it has measured before (SERVET_EARGUMENT).
 */
int mpi_nodes_measure(srv_network *network, const servet_measure_options *options, mpi_nodes *nodes,
                      servet_profile **profile, servet_error *error);

/**
 * A profile that only lists the nodes of the job, as one class described by this node, and says
 * that its run begins now with the options `command`. Errors: those of the network and of
 * servet_machine_here().
 */
int mpi_nodes_list(srv_network *network, const char *command, servet_profile **profile,
                   servet_error *error);

void mpi_nodes_finish(mpi_nodes *nodes);

#endif
