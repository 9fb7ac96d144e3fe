/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes the description of a job, by which a later job can continue it. */
#ifndef SRV_MPI_JOB_H
#define SRV_MPI_JOB_H

#include "machine/network.h"

/** Comparison with the job that began an unfinished measurement. */
typedef enum mpi_job_match {
    MPI_JOB_NEW,   /**< there is no earlier job */
    MPI_JOB_SAME,  /**< this job has the same nodes, with the same processes on each */
    MPI_JOB_MOVED, /**< this job has some other nodes */
} mpi_job_match;

/** Relation of this job to an earlier one. */
typedef struct mpi_job_relation {
    mpi_job_match match;
    bool has_series;  /**< the raw series, if any, are of the node that has rank 0 now */
    bool lost_series; /**< the raw series are of a node that this job does not have */
} mpi_job_relation;

/**
 * Compares this job with the description that an earlier job has written to `path`: version,
 * options, the node whose raw series are kept, the node of rank 0, and the name, processes and
 * cores of each node. The same nodes may come in any order; they get the numbers of the earlier
 * job. Then writes the description of this job. Errors: SERVET_EARGUMENT (this job cannot continue
 * the earlier one: the text names the difference), SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY.
 */
int mpi_job_resume(srv_network *network, const char *path, const char *options,
                   mpi_job_relation *relation, servet_error *error);

#endif
