/* SPDX-License-Identifier: BSD-3-Clause */
/** A measurement of a job: each node, then the network between the nodes. */
#ifndef SRV_MPI_SESSION_H
#define SRV_MPI_SESSION_H

#include "cli/output/output.h"
#include "cli/progress/progress.h"
#include "mpi/costs.h"
#include "mpi/job.h"
#include "mpi/nodes.h"

typedef struct mpi_session {
    srv_network *network;
    const mpi_scope *scope;
    cli_output output; /**< begun by the caller, who also commits and ends it */
    cli_progress progress;
    double from, to; /**< share (0..1) of the work in progress */
    mpi_costs costs;
    mpi_job_relation relation; /**< comparison with the job that began the unfinished measurement */
    servet_run earlier;        /**< the run of that job; begins now if there is no such job */
    bool fills_place; /**< there is no other profile at the path: results are written there at once
                       */
    bool nodes_done;
    double saved; /**< time of the last writing of the nodes' results; s on the network's clock */
    mpi_nodes nodes;
    servet_profile *profile; /**< all results so far */
} mpi_session;

/**
 * Measures everything that is requested and that the folder of unfinished results does not contain
 * yet. Results are stored there after each step. If there is no profile yet, or one of the same
 * measurement, the profile is written after each step, too, so that a killed job leaves a profile.
 * If this job has other nodes than the job that began, the facts of common nodes stay, and the
 * whole network is measured again. Errors: SERVET_EARGUMENT (another job began the unfinished
 * measurement, or options contradict each other), those of the network, of the benchmarks and of
 * files.
 */
int mpi_session_measure(mpi_session *session, servet_error *error);

/** Frees the session. A zeroed session is valid. */
void mpi_session_finish(mpi_session *session);

#endif
