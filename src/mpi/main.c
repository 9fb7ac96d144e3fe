/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/commands.h"

#include <string.h>

#include "cli/interrupt.h"
#include "machine/ranks/look.h"
#include "machine/ranks/ranks.h"

typedef struct command_line {
    int argc;
    char **argv;
} command_line;

srv_network *mpi_job;
const srv_sighting *mpi_ranks;
int mpi_rank_count;

static int run(int argc, char **argv)
{
    static const cli_command *const commands[] = {&mpi_command_measure, &mpi_command_where, NULL};
    return cli_main("servet-mpi", commands, argc, argv);
}

static int ask(void *context, srv_network *network)
{
    const command_line *line = context;
    mpi_job = network;
    return run(line->argc, line->argv);
}

static int judge(void *context, const srv_sighting *ranks, int count)
{
    const command_line *line = context;
    mpi_ranks = ranks;
    mpi_rank_count = count;
    return run(line->argc, line->argv);
}

/* On a login node MPI may not even start. */
static bool needs_no_job(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0 ||
            strcmp(argv[i], "--version") == 0)
            return true;
    return argc < 2;
}

int main(int argc, char **argv)
{
    servet_error error = SERVET_ERROR_INIT;
    command_line line = {argc, argv};
    int status;
    if (needs_no_job(argc, argv))
        return run(argc, argv);
    int code = strcmp(argv[1], mpi_command_where.name) == 0
                   ? srv_ranks_look(judge, &line, &status, &error)
                   : srv_ranks_run(ask, cli_interrupted, &line, &status, &error);
    if (code == SERVET_OK)
        return status;
    return *error.text ? cli_error(&error) : CLI_FAILED; /* another process says why */
}
