/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measures each node of the job. As soon as a node is measured, its profile is kept as
 * done-HOST.json in a folder. So it is not measured again if other nodes, or the job, fail.
 */
#ifndef SRV_MPI_NODES_H
#define SRV_MPI_NODES_H

#include "machine/network.h"
#include "machine/ranks/node_measurer.h"
#include "servet/record.h"

typedef struct mpi_nodes {
    srv_network *network;
    const char *folder; /**< folder of the profiles */
    /** Called after the profile of a node was added to the folder. */
    void (*kept)(void *context);
    void *context;
    servet_error
        *error; /**< error of each node; SERVET_OK if it was measured or did not need to be */
    int count;
    servet_error keeping; /**< reason why a profile could not be kept */
} mpi_nodes;

/** The number of nodes without a profile in the folder. */
int mpi_nodes_left(const mpi_nodes *nodes);

/**
 * Measures the nodes that have no profile yet. Call mpi_nodes_finish() also after an error. Errors:
 * those of the network; SERVET_EIO (a profile could not be kept); the error of the first node if no
 * node could be measured; SERVET_EARGUMENT (a node cannot continue its earlier measurement).
 */
int mpi_nodes_measure(mpi_nodes *nodes, const servet_measure_options *options, servet_error *error);

/**
 * Merges the results of the nodes so far into one profile, which the caller closes. If no node has
 * been measured, the profile only lists them in one class, with the description of this node, and
 * its run begins now with the options `command`. Errors: SERVET_EMEMORY, those of
 * servet_machine_here().
 */
int mpi_nodes_profile(const mpi_nodes *nodes, const char *command, servet_profile **profile,
                      servet_error *error);

/** Adds the noise of a part to a run, which has the noise of its worst part. */
void mpi_nodes_add_noise(servet_run *run, const servet_run *part);

void mpi_nodes_finish(mpi_nodes *nodes);

/** Prints the nodes that were not measured, and those that differ from most others, with the
 * differences. */
void mpi_report_nodes(srv_network *network, const mpi_nodes *nodes, const servet_profile *profile);

/** Measures the node of a rank by servet_measure(). */
srv_node_measurer mpi_node_measure;

#endif
