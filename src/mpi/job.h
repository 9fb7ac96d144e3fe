/* SPDX-License-Identifier: BSD-3-Clause */
/** The description of a job, written for a later one that continues it. */
#ifndef SRV_MPI_JOB_H
#define SRV_MPI_JOB_H

#include "machine/network.h"

/** Relation to the job that began an unfinished measurement. */
typedef enum mpi_job_match {
    MPI_JOB_NEW,   /**< there is none */
    MPI_JOB_SAME,  /**< this one is on the same nodes, with the same processes on each */
    MPI_JOB_MOVED, /**< some nodes are others */
} mpi_job_match;

/** Relation of this job to an earlier one. */
typedef struct mpi_job_relation {
    mpi_job_match match;
    bool has_series;  /**< raw series are those of rank 0's node now, if it has measured itself */
    bool lost_series; /**< they were those of a node that is not there any more */
} mpi_job_relation;

/**
 * Compares this job with what an earlier one has written to `path`: version, options, the node
 * whose raw series are kept, that of rank 0, and of each node name, processes and cores. The same
 * nodes may come in any order, and get the numbers that they had then. Writes the description of
 * this job. Errors: SERVET_EARGUMENT (this job cannot continue that one: the text names the
 * difference), SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY.
 */
int mpi_job_resume(srv_network *network, const char *path, const char *options,
                   mpi_job_relation *relation, servet_error *error);

#endif
