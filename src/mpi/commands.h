/* SPDX-License-Identifier: BSD-3-Clause */
/** The subcommands of `servet-mpi`, which rank 0 runs. */
#ifndef SRV_MPI_COMMANDS_H
#define SRV_MPI_COMMANDS_H

#include "cli/cli.h"
#include "machine/hardware/sight.h"
#include "machine/network.h"

extern const cli_command mpi_command_measure, mpi_command_where;

/** The job that the commands are about; the program has one, and a command's arguments have no
 *  place for it. */
extern srv_network *mpi_job;

/** The ranks that `where` is about. */
extern const srv_sighting *mpi_ranks;
extern int mpi_rank_count;

#endif
