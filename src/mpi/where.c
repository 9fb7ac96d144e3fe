/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/commands.h"

#include <stdlib.h>

#include "core/error.h"
#include "mpi/where_report.h"

typedef struct where_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    bool json;
} where_arguments;

#define AT(field) offsetof(where_arguments, field)
static const cli_option options[] = {
    {"json", 0, CLI_FLAG, AT(json), NULL, "print the result as JSON"},
    {0},
};

/* The verdict on each rank; the caller frees `*verdicts`. */
static int verify_all(const mpi_context *job, const mpi_placement *placement,
                      mpi_verdict **verdicts, servet_error *error)
{
    if (placement->count != job->rank_count)
        return srv_fail(error, SERVET_ERANGE, "the job has %d rank%s, the placement %d",
                        job->rank_count, job->rank_count == 1 ? "" : "s", placement->count);
    *verdicts = calloc((size_t)job->rank_count, sizeof **verdicts);
    if (!*verdicts)
        return srv_fail_memory(error);
    for (int i = 0; i < job->rank_count; i++)
        (*verdicts)[i] = mpi_verify(&placement->rank[i], &job->ranks[i]);
    return SERVET_OK;
}

static bool all_agree(const mpi_where *where)
{
    for (int i = 0; i < where->count; i++)
        if (!where->verdicts[i].agrees)
            return false;
    return true;
}

static int report(const mpi_where *where, bool json)
{
    if (json)
        mpi_where_json(where);
    else
        mpi_where_text(where);
    int status = cli_finish_output();
    bool differs = where->verdicts && !all_agree(where);
    return status == CLI_OK && differs ? CLI_FAILED : status;
}

static int run(const void *parsed, const void *context)
{
    const mpi_context *job = context;
    const where_arguments *arguments = parsed;
    const char *path = arguments->operands[0];
    servet_error error = SERVET_ERROR_INIT;
    mpi_placement placement = {NULL, 0};
    mpi_verdict *verdicts = NULL;
    int code = path ? mpi_placement_read(&placement, path, &error) : SERVET_OK;
    if (code == SERVET_OK && path)
        code = verify_all(job, &placement, &verdicts, &error);
    mpi_where where = {job->ranks, job->rank_count, placement.rank, verdicts};
    int status = code == SERVET_OK ? report(&where, arguments->json) : cli_error(&error);
    free(verdicts);
    mpi_placement_finish(&placement);
    return status;
}

const cli_command mpi_command_where = {
    .name = "where",
    .summary = "print where ranks and threads run, and verify a placement",
    .operands = "[PLACEMENT]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(where_arguments),
    .operands_offset = AT(operands),
    .run_on = run,
};
