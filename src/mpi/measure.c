/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "core/error.h"
#include "machine/machine.h"
#include "measure/network_store.h"
#include "mpi/report.h"

typedef struct measure_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *only, *output;
    double message_bytes, layer_bytes, budget;
    long long nodes;
    bool resume, json, quiet;
} measure_arguments;

#define BENCHMARKS "node, layers, curves, scalability, distance, access"

static const measure_arguments defaults = {
    .only = "",
    .message_bytes = 33554432,
    .layer_bytes = 32768,
};

#define AT(field) offsetof(measure_arguments, field)
static const cli_option options[] = {
    {"only", 0, CLI_TEXT, AT(only), "LIST", "benchmarks to run: " BENCHMARKS " (default: all)"},
    {"message-size", 0, CLI_BYTES, AT(message_bytes), "SIZE",
     "messages of distance and access (default: 32M)"},
    {"layer-size", 0, CLI_BYTES, AT(layer_bytes), "SIZE",
     "messages that tell layers apart (default: 32K)"},
    {"nodes", 0, CLI_WHOLE, AT(nodes), "N",
     "distance and access on the first N nodes only (default: all)"},
    {"budget", 0, CLI_NUMBER, AT(budget), "S", "seconds to end within (default: what it takes)"},
    {"output", 'o', CLI_TEXT, AT(output), "DIR",
     "where to write, on the node of rank 0 (default: the user's own place)"},
    {"resume", 0, CLI_FLAG, AT(resume), NULL, "go on where a job that was killed has left off"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print the profile as JSON"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "no progress"},
    {0},
};

/* --- what is asked for --------------------------------------------------------------------------
 */

/* The parts of a job: the nodes by themselves, and the network between them. */
typedef struct wanted {
    bool nodes;
    unsigned network; /* as srv_network_options.only */
} wanted;

enum { WHOLE_NETWORK = (1u << SRV_NETWORK_BENCHMARK_COUNT) - 1 };

static bool want_word(const char *word, size_t length, wanted *want)
{
    if (length == strlen("node") && strncmp(word, "node", length) == 0)
        return want->nodes = true;
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++) {
        const char *name = srv_network_benchmark_name((srv_network_benchmark)i);
        if (strlen(name) == length && strncmp(name, word, length) == 0)
            return want->network |= 1u << i;
    }
    return false;
}

static bool find_wanted(const char *list, wanted *want)
{
    *want = (wanted){.nodes = !*list, .network = *list ? 0 : WHOLE_NETWORK};
    while (*list) {
        size_t length = strcspn(list, ",");
        if (!want_word(list, length, want))
            return false;
        list += length + (list[length] == ',');
    }
    return true;
}

/* --- a measurement under way --------------------------------------------------------------------
 */

typedef struct session {
    const measure_arguments *arguments;
    wanted want;
    char command[SERVET_TEXT_MAX];
    cli_output output;
    cli_progress progress;
    double from, to; /* share (0..1) of the work that is under way */
    mpi_nodes nodes;
    servet_profile *profile;
    srv_network_facts facts;
} session;

/* While nodes are measured it is called from the main thread, and the asking one waits. */
static int show_progress(void *context, const servet_progress *now)
{
    session *on = context;
    servet_progress all = *now;
    all.done = on->from + (on->to - on->from) * now->done;
    all.seconds = mpi_job->ops->elapsed(mpi_job);
    return cli_progress_show(&on->progress, &all);
}

/* The run is that of the whole job. */
static int record_run(session *on, servet_error *error)
{
    servet_run run;
    if (servet_profile_run(on->profile, &run) != SERVET_OK)
        return SERVET_OK;
    double seconds = mpi_job->ops->elapsed(mpi_job);
    snprintf(run.options, sizeof run.options, "%s", on->command);
    run.duration =
        (servet_value){seconds, seconds, seconds, 1, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED, true};
    return servet_profile_set_run(on->profile, &run, error);
}

/* --- the nodes ----------------------------------------------------------------------------------
 */

static int check_resumed(const session *on, servet_error *error)
{
    servet_run run;
    if (!mpi_nodes_listed(mpi_job, on->profile))
        return srv_fail(error, SERVET_EARGUMENT, "--resume: that job ran on other nodes");
    if (servet_profile_run(on->profile, &run) == SERVET_OK && strcmp(run.options, on->command) != 0)
        return srv_fail(error, SERVET_EARGUMENT, "--resume: that job had the options '%.100s'",
                        run.options);
    return SERVET_OK;
}

/* Half of a budget is for the nodes, unless they need less. */
static int node_budget(const session *on, servet_measure_options *measuring, servet_error *error)
{
    double cost, budget = on->arguments->budget;
    int code = servet_measure_cost(measuring, &cost, error);
    bool shared = on->want.network != 0;
    measuring->budget_seconds = budget > 0 ? fmin(cost, shared ? budget / 2 : budget) : cost;
    return code;
}

static int measure_nodes(session *on, servet_error *error)
{
    servet_measure_options measuring = SERVET_MEASURE_OPTIONS_INIT;
    measuring.command = on->command;
    measuring.raw_dir = on->output.new_raw;
    measuring.progress = show_progress;
    measuring.context = on;
    int code = node_budget(on, &measuring, error);
    if (code == SERVET_OK)
        code = mpi_nodes_measure(mpi_job, &measuring, &on->nodes, &on->profile, error);
    if (code == SERVET_OK)
        code = record_run(on, error);
    return code == SERVET_OK ? servet_profile_write(on->profile, on->output.progress, error) : code;
}

static int run_nodes(session *on, servet_error *error)
{
    on->from = 0;
    on->to = on->want.network ? 0.5 : 1;
    if (on->arguments->resume && access(on->output.progress, F_OK) == 0) {
        int code = servet_profile_open(&on->profile, on->output.progress, error);
        return code == SERVET_OK ? check_resumed(on, error) : code;
    }
    return on->want.nodes ? measure_nodes(on, error) : mpi_nodes_list(mpi_job, &on->profile, error);
}

/* --- the network --------------------------------------------------------------------------------
 */

/* What the OS says that cores of this node share. */
static int find_objects(srv_sets *objects, servet_error *error)
{
    srv_machine *machine;
    int code = srv_hardware_create(&machine, error);
    if (code != SERVET_OK)
        return code;
    code = machine->ops->objects(machine, objects, error);
    srv_machine_destroy(machine);
    return code;
}

/* After each benchmark, for those that come after a kill. */
static int keep_facts(void *context, const srv_network_facts *facts, servet_error *error)
{
    session *on = context;
    int code = srv_network_store(facts, mpi_job, on->profile, error);
    return code == SERVET_OK ? servet_profile_write(on->profile, on->output.progress, error) : code;
}

/* Goes on with what the profile knows. What a measurement that fails has found out stays known. */
static int measure_network(session *on, const srv_network_options *asking, servet_error *error)
{
    int code = srv_network_recall(on->profile, mpi_job, &on->facts, error);
    if (code != SERVET_OK)
        return code;
    code = srv_measure_network(mpi_job, asking, &on->facts, error);
    int stored = srv_network_store(&on->facts, mpi_job, on->profile, error);
    return code == SERVET_OK ? stored : code;
}

static int run_network(session *on, servet_error *error)
{
    const measure_arguments *arguments = on->arguments;
    double left = arguments->budget - mpi_job->ops->elapsed(mpi_job);
    srv_sets objects = {NULL, 0};
    srv_network_options asking = SRV_NETWORK_OPTIONS_INIT;
    int code = find_objects(&objects, error);
    asking.only = on->want.network;
    asking.layer_bytes = arguments->layer_bytes;
    asking.message_bytes = arguments->message_bytes;
    asking.nodes = (int)arguments->nodes;
    asking.budget_seconds = arguments->budget > 0 ? fmax(left, 1) : 0;
    asking.raw_dir = on->output.new_raw;
    asking.objects = &objects;
    asking.progress = show_progress;
    asking.keep = keep_facts;
    asking.context = on;
    on->from = on->to < 1 ? on->to : 0;
    on->to = 1;
    if (code == SERVET_OK)
        code = measure_network(on, &asking, error);
    srv_sets_finish(&objects);
    return code;
}

/* --- from begin to end --------------------------------------------------------------------------
 */

static int print_result(const session *on, servet_error *error)
{
    if (on->arguments->json) {
        if (servet_profile_dump(on->profile, stdout, error) != SERVET_OK)
            return cli_error(error);
        return cli_finish_output();
    }
    for (int i = 0; on->want.nodes && i < servet_profile_class_count(on->profile); i++) {
        servet_at at = {servet_profile_class_name(on->profile, i), SERVET_ANY_CORE};
        cli_report(on->profile, &at, NULL);
        printf("\n");
    }
    mpi_report_nodes(&on->nodes);
    cli_report_network(on->profile);
    printf("\nprofile: %s\n", on->output.profile);
    return cli_finish_output();
}

/* What a job that did not end well has measured stays for another one. Where there is no profile
 * yet it becomes one at once. */
static void end_badly(session *on, int code, servet_error *error)
{
    if (code == SERVET_ECOMMUNICATION && on->profile && access(on->output.profile, F_OK) != 0)
        servet_profile_write(on->profile, on->output.profile, error);
    bool stays =
        code == SERVET_EINTERRUPTED || code == SERVET_EARGUMENT || code == SERVET_ECOMMUNICATION;
    if (!stays || !on->output.new_raw[0])
        cli_output_abandon(&on->output);
    else if (cli_output_keep(&on->output) && code != SERVET_EARGUMENT) {
        size_t n = strlen(error->text);
        snprintf(error->text + n, sizeof error->text - n, "; --resume goes on from there");
    }
}

static int measure(session *on, servet_error *error)
{
    int code =
        cli_output_begin(&on->output, on->arguments->output, NULL, on->arguments->resume, error);
    if (code != SERVET_OK)
        return code;
    cli_progress_begin(&on->progress, on->arguments->quiet, false);
    code = run_nodes(on, error);
    if (code == SERVET_OK && on->want.network)
        code = run_network(on, error);
    cli_progress_end(&on->progress);
    if (code == SERVET_OK)
        code = record_run(on, error);
    return code == SERVET_OK ? cli_output_commit(&on->output, on->profile, error) : code;
}

static int run(const void *parsed)
{
    const measure_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    session on = {.arguments = arguments, .output = {.lock = -1}};
    if (!find_wanted(arguments->only, &on.want))
        return cli_usage_error("--only: '%s' is not a list of: " BENCHMARKS, arguments->only);
    cli_given(options, arguments, &defaults, AT(output), on.command, sizeof on.command);
    cli_interrupt_begin();
    int code = measure(&on, &error);
    if (code == SERVET_OK)
        cli_output_abandon(&on.output);
    else
        end_badly(&on, code, &error);
    cli_interrupt_end();
    int status = code == SERVET_OK ? print_result(&on, &error) : cli_error(&error);
    srv_network_facts_finish(&on.facts);
    mpi_nodes_finish(&on.nodes);
    servet_profile_close(on.profile);
    return status;
}

const cli_command mpi_command_measure = {
    .name = "measure",
    .summary = "measure the nodes of this job and the network between them",
    .operands = "",
    .options = options,
    .size = sizeof(measure_arguments),
    .operands_offset = AT(operands),
    .defaults = &defaults,
    .run = run,
};
