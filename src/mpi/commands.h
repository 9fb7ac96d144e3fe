/* SPDX-License-Identifier: BSD-3-Clause */
/** The subcommands of `servet-mpi`, which rank 0 runs. */
#ifndef SRV_MPI_COMMANDS_H
#define SRV_MPI_COMMANDS_H

#include "cli/cli.h"
#include "machine/hardware/binding.h"
#include "machine/network.h"

/** The job of a command: the context of its run_on(). */
typedef struct mpi_context {
    srv_network *network;              /**< for `measure` */
    const srv_observed_binding *ranks; /**< for `where`, rank_count of them */
    int rank_count;
} mpi_context;

extern const cli_command mpi_command_measure, mpi_command_where;

#endif
