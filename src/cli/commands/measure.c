/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/print/explain_findings.h"
#include "cli/progress/interrupt.h"
#include "cli/output/output.h"
#include "cli/progress/progress.h"
#include "cli/report/report.h"
#include "core/units.h"
#include "servet/measure.h"

typedef struct measure_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *output, *machine;
    unsigned only;
    int method, pages;
    double budget, min_bytes, max_bytes, sharing_ratio;
    long long seed, votes;
    bool resume, machines, explain, json, quiet;
} measure_arguments;

enum { NOT_GIVEN = -1 }; /* no valid budget */

static const measure_arguments defaults = {
    .method = SERVET_APPROACH_DEFAULT,
    .pages = -1,
    .budget = NOT_GIVEN,
    .min_bytes = 4096,
    .seed = 2010,
    .sharing_ratio = 1.5,
    .votes = 5,
};

#define AT(field) offsetof(measure_arguments, field)
static const cli_option options[] = {
    {"only", 0, CLI_WORDS, AT(only), "LIST", "benchmarks to run", .word = servet_benchmark_name},
    {"method", 0, CLI_WORD, AT(method), "NAME", "method", .word = servet_approach_name},
    {"machine", 0, CLI_TEXT, AT(machine), "MODEL",
     "measure a model (name or file) instead of this node"},
    {"machines", 0, CLI_FLAG, AT(machines), NULL, "list the named models"},
    {"budget", 0, CLI_NUMBER, AT(budget), "S",
     "time limit in seconds (default: see servet(1); 0: no limit)", 0, SRV_SECONDS_MAX},
    {"output", 'o', CLI_FOLDER, AT(output), "DIR",
     "output folder (default: the user's data folder; models: machines/MODEL in it)"},
    {"resume", 0, CLI_FLAG, AT(resume), NULL, "continue an interrupted run"},
    {"min-bytes", 0, CLI_BYTES, AT(min_bytes), "SIZE", "smallest working set (default: 4K)", 1,
     SRV_BYTES_MAX},
    {"max-bytes", 0, CLI_BYTES, AT(max_bytes), "SIZE",
     "largest working set (default: 4 times the largest cache the OS reports)", 1, SRV_BYTES_MAX},
    {"pages", 0, CLI_WORD, AT(pages), "KIND", "pages (default: huge; servet2010: base)",
     .word = servet_pages_name},
    {"sharing-ratio", 0, CLI_NUMBER, AT(sharing_ratio), "R",
     "servet2010: slowdown from which a pair shares a cache (default: 1.5)", 1, 1000},
    {"votes", 0, CLI_WHOLE, AT(votes), "N",
     "servet2010: number of best fits that vote on a size (default: 5)", 1, SERVET_2010_VOTES_MAX},
    {"seed", 0, CLI_WHOLE, AT(seed), "N", "seed of the random numbers (default: 2010)", 0, 1e15},
    {"explain", 0, CLI_FLAG, AT(explain), NULL,
     "explain each decision: the evidence and the rule that applied"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print the profile as JSON"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print no progress"},
    {0},
};

/* Checks options that exclude each other. */
static int check(const measure_arguments *arguments, servet_measure_options *measuring)
{
    bool papers = arguments->method == SERVET_APPROACH_SERVET2010;
    int pages = arguments->pages;
    if (arguments->explain && papers)
        return cli_usage_error("--explain needs --method default");
    if (papers && pages == SERVET_PAGES_HUGE)
        return cli_usage_error("--pages must be base with --method servet2010");
    if (pages < 0)
        pages = papers ? SERVET_PAGES_BASE : SERVET_PAGES_HUGE;
    measuring->only = arguments->only;
    measuring->approach = (servet_approach)arguments->method;
    measuring->pages = (servet_pages)pages;
    return CLI_OK;
}

/* Returns the reason why something was not measured; NULL if it is not known. */
static const char *give_reason(const servet_measure_options *measuring,
                               const servet_profile *profile, char *reason, size_t size)
{
    servet_run run;
    bool up = servet_profile_run(profile, &run) == SERVET_OK && *run.cut;
    snprintf(reason, size, up ? "the budget of %.4g s was used up" : "not requested",
             measuring->budget_seconds);
    return up || measuring->only ? reason : NULL;
}

static int print_result(const measure_arguments *arguments, const servet_measure_options *measuring,
                        const cli_output *output, const servet_profile *profile,
                        servet_error *error)
{
    char reason[64], path[CLI_CLEAN_MAX];
    const servet_findings *findings = measuring->findings;
    if (arguments->json) {
        if ((findings ? explain_findings_dump(profile, findings, error)
                      : servet_profile_dump(profile, stdout, error)) != SERVET_OK)
            return cli_error(error);
        return cli_finish_output();
    }
    if (cli_report(profile, NULL, give_reason(measuring, profile, reason, sizeof reason), error) !=
        SERVET_OK)
        return cli_error(error);
    if (findings)
        explain_findings_print(findings);
    printf("\nprofile: %s\n", cli_clean(output->profile, path));
    cli_print_fitness(profile, NULL);
    return cli_finish_output();
}

/* Measures for about `seconds` into an existing folder, and commits the result. */
static int measure_into(cli_output *output, const measure_arguments *arguments,
                        servet_measure_options *measuring, double seconds, servet_profile **profile,
                        servet_error *error)
{
    cli_progress progress;
    measuring->raw_dir = output->fresh;
    measuring->progress_file = output->progress;
    measuring->progress = cli_progress_show;
    measuring->context = &progress;
    cli_progress_begin(&progress, arguments->quiet, arguments->machine != NULL, seconds);
    int code = servet_measure(measuring, profile, error);
    cli_progress_end(&progress);
    return code == SERVET_OK ? cli_output_commit(output, *profile, error) : code;
}

/* Reports errors of the request before a folder is made for it. The measurement takes about
 * `*seconds`. */
static int choose_budget(const measure_arguments *arguments, servet_measure_options *measuring,
                         double *seconds, servet_error *error)
{
    double cost, most;
    int code = servet_measure_cost(measuring, &cost, &most, error);
    if (code != SERVET_OK)
        return code;
    double budget = arguments->budget != NOT_GIVEN ? arguments->budget : most;
    measuring->budget_seconds = budget;
    *seconds = budget > 0 ? fmin(budget, cost) : cost;
    return SERVET_OK;
}

/* Measures. A signal ends the measurement, but not the storing of the profile. */
static int measure(const measure_arguments *arguments, servet_measure_options *measuring)
{
    servet_error error = SERVET_ERROR_INIT;
    cli_place place = {
        .folder = arguments->output, .model = arguments->machine, .resume = arguments->resume};
    cli_output output = CLI_OUTPUT_INIT;
    servet_profile *profile = NULL;
    cli_interrupt_begin();
    double seconds = 0;
    int code = choose_budget(arguments, measuring, &seconds, &error);
    if (code == SERVET_OK)
        code = cli_output_begin(&output, &place, &error);
    if (code == SERVET_OK)
        code = measure_into(&output, arguments, measuring, seconds, &profile, &error);
    cli_output_end(&output, code, &error);
    cli_interrupt_end();
    int status = code == SERVET_OK ? print_result(arguments, measuring, &output, profile, &error)
                                   : cli_error(&error);
    servet_profile_close(profile);
    return status;
}

static int list_machine(void *context, const char *name, const char *about)
{
    char clean[CLI_CLEAN_MAX];
    (void)context;
    printf("%-24s %s\n", cli_clean(name, clean), about);
    return 0;
}

static int complete_model(void *context, const char *name, const char *about)
{
    (void)context;
    cli_candidate(name, about);
    return 0;
}

static bool complete(const char *name)
{
    if (strcmp(name, "MODEL") == 0)
        servet_machine_models(complete_model, NULL);
    return false;
}

static int run(const void *parsed)
{
    const measure_arguments *arguments = parsed;
    if (arguments->machines) {
        servet_machine_models(list_machine, NULL);
        return cli_finish_output();
    }
    servet_measure_options measuring = SERVET_MEASURE_OPTIONS_INIT;
    int status = check(arguments, &measuring);
    if (status != CLI_OK)
        return status;
    char command[SERVET_TEXT_MAX];
    cli_given(options, arguments, &defaults, AT(output), command, sizeof command);
    measuring.command = command;
    measuring.min_bytes = arguments->min_bytes;
    measuring.max_bytes = arguments->max_bytes;
    measuring.seed = arguments->seed;
    measuring.sharing_ratio = arguments->sharing_ratio;
    measuring.votes = (int)arguments->votes;
    measuring.machine = arguments->machine;
    measuring.resume = arguments->resume;
    servet_findings findings = SERVET_FINDINGS_INIT;
    measuring.findings = arguments->explain ? &findings : NULL;
    status = measure(arguments, &measuring);
    servet_findings_free(&findings);
    return status;
}

const cli_command command_measure = {
    .name = "measure",
    .summary = "measure this node and store the result",
    .operands = "",
    .options = options,
    .size = sizeof(measure_arguments),
    .defaults = &defaults,
    .run = run,
    .complete = complete,
};
