/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/commands.h"

#include <jansson.h>
#include <stdlib.h>

#include "core/error.h"
#include "mpi/verify.h"

/* The ranks 0..count-1 and where they run. Without a placement, `placed` and `verdicts` are NULL.
 */
typedef struct where_of_ranks {
    const srv_observed_binding *ranks;
    int count;
    const mpi_placed *placed;
    const mpi_verdict *verdicts;
} where_of_ranks;

/* --- for people ------------------------------------------------------------------------------- */

static void print_rank(int number, const srv_observed_binding *rank)
{
    printf("rank %d on %s, cores %s, now on", number, rank->host, rank->cores);
    for (int i = 0; i < rank->thread_count; i++)
        printf("%c%d", i ? ',' : ' ', rank->threads[i].core);
}

/* A line for each rank, then the number of ranks that run where they were placed. */
static void print_text(const where_of_ranks *where)
{
    int agree = 0;
    for (int i = 0; i < where->count; i++) {
        print_rank(i, &where->ranks[i]);
        if (where->verdicts && where->verdicts[i].agrees)
            agree++;
        else if (where->verdicts)
            printf("; placed on %s, cores %s: %s", where->placed[i].host, where->placed[i].cores,
                   where->verdicts[i].text);
        printf("\n");
    }
    if (where->verdicts)
        printf("%d of %d rank%s as placed\n", agree, where->count,
               where->count == 1 ? " runs" : "s run");
}

/* --- for programs ----------------------------------------------------------------------------- */

static json_t *threads_of(const srv_observed_binding *rank)
{
    json_t *threads = json_array();
    for (int i = 0; i < rank->thread_count; i++)
        json_array_append_new(threads, json_pack("{s:s, s:i}", "cores", rank->threads[i].cores,
                                                 "core", rank->threads[i].core));
    return threads;
}

static json_t *rank_of(const where_of_ranks *where, int i)
{
    const srv_observed_binding *observed = &where->ranks[i];
    json_t *rank = json_pack("{s:i, s:s, s:s, s:o}", "rank", i, "host", observed->host, "cores",
                             observed->cores, "threads", threads_of(observed));
    if (!where->verdicts)
        return rank;
    const mpi_placed *placed = &where->placed[i];
    const mpi_verdict *verdict = &where->verdicts[i];
    json_object_set_new(rank, "placed",
                        json_pack("{s:s, s:s}", "host", placed->host, "cores", placed->cores));
    json_object_set_new(rank, "agrees", json_boolean(verdict->agrees));
    if (!verdict->agrees)
        json_object_set_new(rank, "reason", json_string(verdict->text));
    return rank;
}

/* A JSON document, which servet-mpi(1) describes. */
static void print_json(const where_of_ranks *where)
{
    json_t *ranks = json_array();
    for (int i = 0; i < where->count; i++)
        json_array_append_new(ranks, rank_of(where, i));
    json_t *document = json_pack("{s:o}", "ranks", ranks);
    json_dumpf(document, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(document);
}

/* --- the command ------------------------------------------------------------------------------ */

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

static bool all_agree(const where_of_ranks *where)
{
    for (int i = 0; i < where->count; i++)
        if (!where->verdicts[i].agrees)
            return false;
    return true;
}

static int report(const where_of_ranks *where, bool json)
{
    if (json)
        print_json(where);
    else
        print_text(where);
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
    where_of_ranks where = {job->ranks, job->rank_count, placement.rank, verdicts};
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
    .run_on = run,
};
