/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress/interrupt.h"
#include "cli/report/report.h"
#include "core/error.h"
#include "core/units.h"
#include "mpi/nodes.h"
#include "mpi/session.h"

typedef struct measure_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *output;
    unsigned only;
    int buffers;
    double message_bytes, layer_bytes, budget;
    long long nodes;
    bool resume, dry_run, json, quiet;
} measure_arguments;

/* The words of --only: the first one is for all benchmarks of the nodes. */
static const char *benchmark_name(unsigned number)
{
    return number == 0 ? "node" : srv_network_benchmark_name((srv_network_benchmark)(number - 1));
}

static const measure_arguments defaults = {
    .buffers = -1,
    .layer_bytes = 32768,
};

#define AT(field) offsetof(measure_arguments, field)
static const cli_option options[] = {
    {"only", 0, CLI_WORDS, AT(only), "LIST", "benchmarks to run", .word = benchmark_name},
    {"message-size", 0, CLI_BYTES, AT(message_bytes), "SIZE",
     "message size of distance and access (default: 32M, or what takes a second)", 1,
     SRV_BYTES_MAX},
    {"layer-size", 0, CLI_BYTES, AT(layer_bytes), "SIZE",
     "message size for detecting layers (default: 32K)", 1, SRV_BYTES_MAX},
    {"nodes", 0, CLI_WHOLE, AT(nodes), "N",
     "number of nodes for distance and access (default: all)", 0, SERVET_RANKS_MAX},
    {"buffers", 0, CLI_WORD, AT(buffers), "KIND",
     "buffers (default: warm; distance, access: rotated)", .word = srv_buffers_name},
    {"budget", 0, CLI_NUMBER, AT(budget), "S", "time limit in seconds (default: none)", 0,
     SRV_SECONDS_MAX},
    {"output", 'o', CLI_FOLDER, AT(output), "DIR",
     "output folder on the node of rank 0 (default: the user's data folder)"},
    {"resume", 0, CLI_FLAG, AT(resume), NULL, "continue an interrupted job"},
    {"dry-run", 0, CLI_FLAG, AT(dry_run), NULL, "print the estimated time and measure nothing"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print the profile as JSON"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print no progress"},
    {0},
};

/* --- the request ------------------------------------------------------------------------------ */

enum { WHOLE_NETWORK = (1u << SRV_NETWORK_BENCHMARK_COUNT) - 1 };

static void set_wanted(unsigned only, mpi_scope *scope)
{
    scope->nodes = !only || only & 1;
    scope->network.only = only ? only >> 1 : WHOLE_NETWORK;
    scope->messages = scope->network.only != 0;
}

/* --- from begin to end ------------------------------------------------------------------------ */

static int print_result(const measure_arguments *arguments, const mpi_session *done,
                        servet_error *error)
{
    char path[CLI_CLEAN_MAX];
    if (arguments->json) {
        if (servet_profile_dump(done->profile, stdout, error) != SERVET_OK)
            return cli_error(error);
        return cli_finish_output();
    }
    for (int i = 0; done->scope->nodes && i < servet_profile_class_count(done->profile); i++) {
        servet_at at = {.node_class = servet_profile_class_name(done->profile, i),
                        .core = SERVET_ANY_CORE};
        if (cli_report(done->profile, &at, NULL, error) != SERVET_OK)
            return cli_error(error);
        printf("\n");
    }
    mpi_report_nodes(done->network, &done->nodes, done->profile);
    if (cli_report_network(done->profile, error) != SERVET_OK)
        return cli_error(error);
    printf("\nprofile: %s\n", cli_clean(done->output.profile, path));
    cli_print_fitness(done->profile, NULL);
    return cli_finish_output();
}

/* Fails if the process was started without the launcher: it is not a part of a job then. */
static int check_ranks(srv_network *network, const mpi_scope *scope, servet_error *error)
{
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count;
    int code = network->ops->describe(network, &ranks, &rank_count, &nodes, &node_count, error);
    if (code != SERVET_OK || rank_count > 1 || !scope->messages)
        return code;
    return srv_fail(error, SERVET_EMACHINE,
                    "network benchmarks need at least 2 processes: start one on each core with the "
                    "launcher (mpirun -n RANKS servet-mpi measure); to measure this node alone, "
                    "use 'servet measure' or --only node");
}

static int tell_costs(srv_network *network, const mpi_scope *scope)
{
    servet_error error = SERVET_ERROR_INIT;
    mpi_costs costs;
    if (mpi_costs_find(network, scope, NULL, scope->nodes, &costs, &error) != SERVET_OK)
        return cli_error(&error);
    mpi_costs_print(&costs, scope->budget, stdout);
    return cli_finish_output();
}

static int measure_into(const cli_place *place, srv_network *network,
                        const measure_arguments *arguments, const mpi_scope *scope)
{
    servet_error error = SERVET_ERROR_INIT;
    mpi_session session = {.network = network, .scope = scope, .output = CLI_OUTPUT_INIT};
    cli_interrupt_begin();
    cli_progress_begin(&session.progress, arguments->quiet, false, 0);
    int code = cli_output_begin(&session.output, place, &error);
    if (code == SERVET_OK)
        code = mpi_session_measure(&session, &error);
    cli_progress_end(&session.progress);
    if (code == SERVET_OK)
        code = cli_output_commit(&session.output, session.profile, &error);
    cli_output_end(&session.output, code, &error);
    cli_interrupt_end();
    int status = code == SERVET_OK ? print_result(arguments, &session, &error) : cli_error(&error);
    mpi_session_finish(&session);
    return status;
}

static int measure(srv_network *network, const measure_arguments *arguments, const mpi_scope *scope)
{
    int count;
    servet_error error = SERVET_ERROR_INIT;
    const srv_network_node *nodes = srv_network_nodes(network, &count);
    const char **names = srv_network_node_names(nodes, count);
    if (!names && srv_fail_memory(&error) != SERVET_OK)
        return cli_error(&error);
    cli_place place = {.folder = arguments->output,
                       .who = "mpi",
                       .nodes = names,
                       .node_count = count,
                       .resume = arguments->resume};
    int status = measure_into(&place, network, arguments, scope);
    free(names);
    return status;
}

static int run(const void *parsed, const void *context)
{
    const mpi_context *job = context;
    const measure_arguments *arguments = parsed;
    mpi_scope scope = {.network = SRV_NETWORK_OPTIONS_INIT, .budget = arguments->budget};
    scope.network.layer_bytes = arguments->layer_bytes;
    scope.network.message_bytes = arguments->message_bytes;
    scope.network.nodes = (int)arguments->nodes;
    const srv_buffers buffers = (srv_buffers)arguments->buffers;
    scope.network.buffers = arguments->buffers < 0 ? NULL : &buffers;
    set_wanted(arguments->only, &scope);
    servet_error error = SERVET_ERROR_INIT;
    if (check_ranks(job->network, &scope, &error) != SERVET_OK)
        return cli_error(&error);
    cli_given(options, arguments, &defaults, AT(output), scope.command, sizeof scope.command);
    return arguments->dry_run ? tell_costs(job->network, &scope)
                              : measure(job->network, arguments, &scope);
}

const cli_command mpi_command_measure = {
    .name = "measure",
    .summary = "measure the nodes of this job and the communication between ranks",
    .operands = "",
    .options = options,
    .size = sizeof(measure_arguments),
    .defaults = &defaults,
    .run_on = run,
};
