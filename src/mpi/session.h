/* SPDX-License-Identifier: BSD-3-Clause */
/** A measurement of a job: its nodes by themselves, then the network between them. */
#ifndef SRV_MPI_SESSION_H
#define SRV_MPI_SESSION_H

#include "cli/output.h"
#include "cli/progress.h"
#include "measure/network.h"
#include "mpi/nodes.h"

/** What is asked for. */
typedef struct mpi_questions {
    bool nodes;         /**< each by itself */
    unsigned network;   /**< srv_network_options.only; 0: nothing */
    double layer_bytes; /**< as in srv_network_options, and so the next three */
    double message_bytes;
    int first_nodes;
    const srv_buffers *buffers;
    double budget;                 /**< s, of all; 0: no limit */
    char command[SERVET_TEXT_MAX]; /**< the options as the user gave them, for the record */
} mpi_questions;

typedef struct mpi_session {
    srv_network *network;
    const mpi_questions *asked;
    cli_output output; /**< begun by the caller, who also commits and ends it */
    cli_progress progress;
    double from, to;  /**< share (0..1) of the work that is under way */
    double before;    /**< seconds that jobs took which this one goes on from */
    bool fills_place; /**< no other profile is in its place: what is known goes there at once */
    mpi_nodes nodes;
    servet_profile *profile;
    srv_network_facts facts;
} mpi_session;

/**
 * Measures all that is asked for and that the folder of what is unfinished does not hold yet; what
 * is known is kept there after each step. Where the profile's place is empty, or what stands there
 * is from the same measurement, that is done there, too: a job that is killed leaves a profile.
 * Errors: SERVET_EARGUMENT (another job began what is unfinished, or options that make no sense),
 * those of the network, of the benchmarks and of files.
 */
int mpi_session_measure(mpi_session *session, servet_error *error);

/** A zeroed one is fine. */
void mpi_session_finish(mpi_session *session);

#endif
