/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The nodes of the job, each by itself. As soon as one has measured itself its profile is kept in a
 * folder, done-HOST.json, so that it is not measured again if other nodes, or the job, fail.
 */
#ifndef SRV_MPI_NODES_H
#define SRV_MPI_NODES_H

#include "machine/network.h"
#include "servet/record.h"

typedef struct mpi_nodes {
    srv_network *network;
    const char *folder; /**< with the profiles */
    /** Called when a node was added to the folder, as srv_survey.keep is. */
    void (*kept)(void *context);
    void *context;
    servet_error
        *error; /**< of each node: SERVET_OK if it was measured, or was not to be measured */
    int count;
    servet_error keeping; /**< why a profile could not be kept */
} mpi_nodes;

/** The number of nodes without a profile in the folder. */
int mpi_nodes_left(const mpi_nodes *nodes);

/**
 * Has the nodes measured that have no profile yet. mpi_nodes_finish() is due also after an error.
 * Errors: those of the network; SERVET_EIO (a profile could not be kept); those of the first node
 * if none could be measured, or if one cannot continue its earlier measurement (SERVET_EARGUMENT).
 */
int mpi_nodes_measure(mpi_nodes *nodes, const servet_measure_options *options, servet_error *error);

/**
 * The results of the nodes so far, as one profile that the caller closes; if none has been
 * measured, one that only lists them, as one class described by this node, with a run that begins
 * now with the options `command`. Errors: SERVET_EMEMORY, those of servet_machine_here().
 */
int mpi_nodes_profile(const mpi_nodes *nodes, const char *command, servet_profile **profile,
                      servet_error *error);

/** A run was as disturbed as the worst of its parts: adds another one to it. */
void mpi_nodes_add_noise(servet_run *run, const servet_run *part);

void mpi_nodes_finish(mpi_nodes *nodes);

#endif
