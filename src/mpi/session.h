/* SPDX-License-Identifier: BSD-3-Clause */
/** A measurement of a job: its nodes by themselves, then the network between them. */
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
    mpi_job_relation relation; /**< to the job that began the unfinished measurement */
    servet_run earlier;        /**< of that job; begun now if there is none */
    bool fills_place; /**< no other profile is in its place, so that results go there at once */
    bool nodes_done;
    double saved; /**< time of the last writing of the nodes' results; s on the network's clock */
    mpi_nodes nodes;
    servet_profile *profile; /**< all that is known */
} mpi_session;

/**
 * Measures all that is requested and that the folder of unfinished results does not contain yet;
 * results are kept there after each step. If there is no profile yet, or one of the same
 * measurement, it is written after each step, too: a job that is killed leaves a profile. On other
 * nodes than those of the job that began, facts of nodes that are still there stay, and all of the
 * network is measured again. Errors: SERVET_EARGUMENT (another job began the unfinished
 * measurement, or options that make no sense), those of the network, of the benchmarks and of
 * files.
 */
int mpi_session_measure(mpi_session *session, servet_error *error);

/** A zeroed one is valid. */
void mpi_session_finish(mpi_session *session);

#endif
