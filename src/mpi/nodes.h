/* SPDX-License-Identifier: BSD-3-Clause */
/** The nodes of the job, each by itself, as one profile. */
#ifndef SRV_MPI_NODES_H
#define SRV_MPI_NODES_H

#include "machine/network.h"
#include "measure/classes.h"

/** What there is to say about a node. */
typedef struct mpi_node {
    char name[SERVET_NAME_MAX];
    servet_error error; /**< SERVET_OK: it was measured */
    srv_difference difference;
} mpi_node;

typedef struct mpi_nodes {
    mpi_node *node;
    int count;
} mpi_nodes;

/**
 * Has all nodes measured, in `*profile`, which the caller closes; mpi_nodes_finish() frees `nodes`,
 * also after an error. Errors: those of the network; those of the first node where no node could be
 * measured.
 */
int mpi_nodes_measure(srv_network *network, const servet_measure_options *options, mpi_nodes *nodes,
                      servet_profile **profile, servet_error *error);

/**
 * A profile that only lists the nodes of the job, as one class described by this node. Errors:
 * those of the network and of servet_machine_here().
 */
int mpi_nodes_list(srv_network *network, servet_profile **profile, servet_error *error);

/** Whether the profile lists all nodes of the job. */
bool mpi_nodes_listed(srv_network *network, const servet_profile *profile);

void mpi_nodes_finish(mpi_nodes *nodes);

#endif
