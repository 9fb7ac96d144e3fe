/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/commands.h"

#include <string.h>

#include "cli/progress/interrupt.h"
#include "machine/ranks/ranks.h"
#include "mpi/nodes.h"

typedef struct command_line {
    int argc;
    char **argv;
} command_line;

static int run(const command_line *line, const mpi_context *context)
{
    static const cli_command *const commands[] = {&mpi_command_measure, &mpi_command_where, NULL};
    return cli_main("servet-mpi", commands, context, line->argc, line->argv);
}

static int run_client(void *line, srv_network *network)
{
    return run(line, &(mpi_context){.network = network});
}

static int run_verifier(void *line, const srv_observed_binding *ranks, int count)
{
    return run(line, &(mpi_context){.ranks = ranks, .rank_count = count});
}

/* Returns true for requests such as --help: on a login node, MPI may not even start. */
static bool needs_no_job(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0 ||
            strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "--complete") == 0)
            return true;
    return argc < 2;
}

int main(int argc, char **argv)
{
    servet_error error = SERVET_ERROR_INIT;
    command_line line = {argc, argv};
    int status;
    if (needs_no_job(argc, argv))
        return run(&line, &(mpi_context){.network = NULL});
    const srv_ranks_job job = {run_client, &line, cli_interrupted, mpi_node_measure};
    int code = strcmp(argv[1], mpi_command_where.name) == 0
                   ? srv_ranks_observe_bindings(run_verifier, &line, &status, &error)
                   : srv_ranks_run(&job, &status, &error);
    if (code == SERVET_OK)
        return status;
    return *error.text ? cli_error(&error) : CLI_FAILED; /* another process reports the reason */
}
