/* SPDX-License-Identifier: BSD-3-Clause */
/** What a job is, written down for a later one that is to go on from it. */
#ifndef SRV_MPI_JOB_H
#define SRV_MPI_JOB_H

#include <stdbool.h>

#include "machine/network.h"

/**
 * Where `path` is not there yet, writes into it what this job is: version, options, and of each
 * node name, processes and cores. Else compares the two: the nodes may come in any order, and get
 * the numbers that they had then. `*resumed` says which of both it was. Errors: SERVET_EARGUMENT
 * (this job is not to go on from there: the text says what differs), SERVET_EFORMAT, SERVET_EIO,
 * SERVET_EMEMORY.
 */
int mpi_job_take_up(srv_network *network, const char *path, const char *options, bool *resumed,
                    servet_error *error);

#endif
