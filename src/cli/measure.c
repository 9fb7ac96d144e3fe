/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "servet/measure.h"

typedef struct measure_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *only, *output, *pages;
    double budget, min_bytes, max_bytes;
    long long seed;
    bool json, quiet;
} measure_arguments;

#define AT(field) offsetof(measure_arguments, field)
static const cli_option options[] = {
    {"only", 0, CLI_TEXT, AT(only), "LIST", "benchmarks to run: cache (default: all)"},
    {"budget", 0, CLI_NUMBER, AT(budget), "S", "seconds to end within (default: no limit)"},
    {"output", 'o', CLI_TEXT, AT(output), "DIR", "where to write (default: the user's own place)"},
    {"min-bytes", 0, CLI_BYTES, AT(min_bytes), "SIZE", "smallest working set (default: 4K)"},
    {"max-bytes", 0, CLI_BYTES, AT(max_bytes), "SIZE",
     "largest working set (default: 4 times the largest cache the OS reports)"},
    {"pages", 0, CLI_TEXT, AT(pages), "KIND", "base or huge pages (default: huge)"},
    {"seed", 0, CLI_WHOLE, AT(seed), "N", "seed of the random orders (default: 2010)"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print the profile as JSON"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "no progress"},
    {0},
};

/* The names of a comma-separated list must be benchmarks. */
static bool known_benchmarks(const char *list)
{
    static const char *const names[] = {"cache"};
    while (*list) {
        size_t length = strcspn(list, ",");
        bool known = false;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            known |= strlen(names[i]) == length && strncmp(list, names[i], length) == 0;
        if (!known)
            return false;
        list += length + (list[length] == ',');
    }
    return true;
}

static bool find_pages(const char *name, servet_pages *pages)
{
    for (int i = 0; i < SERVET_PAGES_COUNT; i++)
        if (strcmp(servet_pages_name((servet_pages)i), name) == 0) {
            *pages = (servet_pages)i;
            return true;
        }
    return false;
}

static int check(const measure_arguments *arguments, servet_measure_options *measuring)
{
    if (!known_benchmarks(arguments->only))
        return cli_usage_error("--only: '%s' is not a list of: cache", arguments->only);
    if (!find_pages(arguments->pages, &measuring->pages))
        return cli_usage_error("--pages: '%s' is not base or huge", arguments->pages);
    return CLI_OK;
}

static const measure_arguments defaults = {
    .only = "cache", .pages = "huge", .min_bytes = 4096, .seed = 2010};

/* The options that a repetition needs: where the result goes does not matter, nor how it is shown. */
static void describe_command(const measure_arguments *arguments, char *text, size_t size)
{
    char value[SERVET_TEXT_MAX], usual[SERVET_TEXT_MAX];
    size_t n = 0;
    *text = '\0';
    for (const cli_option *option = options; option->name && n < size; option++) {
        cli_value(option, arguments, value, sizeof value);
        cli_value(option, &defaults, usual, sizeof usual);
        if (strcmp(value, usual) != 0 && option->offset != AT(output))
            n += (size_t)snprintf(text + n, size - n, "%s--%s %s", n ? " " : "", option->name, value);
    }
}

static int print_result(const measure_arguments *arguments, const cli_output *output,
                        const servet_profile *profile, servet_error *error)
{
    if (arguments->json) {
        if (servet_profile_dump(profile, stdout, error) != SERVET_OK)
            return cli_error(error);
        return cli_finish_output();
    }
    cli_report(profile, NULL);
    printf("\nprofile: %s\n", output->profile);
    return cli_finish_output();
}

/* Measures into a folder that was begun, and commits. */
static int measure_into(cli_output *output, const measure_arguments *arguments,
                        servet_measure_options *measuring, servet_profile **profile,
                        servet_error *error)
{
    cli_progress progress;
    measuring->raw_dir = output->new_raw;
    measuring->progress = cli_progress_show;
    measuring->context = &progress;
    cli_progress_begin(&progress, arguments->quiet);
    int code = servet_measure(measuring, profile, error);
    cli_progress_end(&progress);
    return code == SERVET_OK ? cli_output_commit(output, *profile, error) : code;
}

/* Signals are heeded until nothing is half done: once the profile is being stored, it is stored. */
static int measure(const measure_arguments *arguments, servet_measure_options *measuring)
{
    servet_error error = SERVET_ERROR_INIT;
    cli_output output;
    servet_profile *profile = NULL;
    cli_interrupt_begin();
    int code = cli_output_begin(&output, arguments->output, &error);
    if (code == SERVET_OK)
        code = measure_into(&output, arguments, measuring, &profile, &error);
    cli_output_abandon(&output);
    cli_interrupt_end();
    int status = code == SERVET_OK ? print_result(arguments, &output, profile, &error)
                                   : cli_error(&error);
    servet_profile_close(profile);
    return status;
}

static int run(const void *parsed)
{
    const measure_arguments *arguments = parsed;
    servet_measure_options measuring = SERVET_MEASURE_OPTIONS_INIT;
    int status = check(arguments, &measuring);
    if (status != CLI_OK)
        return status;
    char command[SERVET_TEXT_MAX];
    describe_command(arguments, command, sizeof command);
    measuring.command = command;
    measuring.min_bytes = arguments->min_bytes;
    measuring.max_bytes = arguments->max_bytes;
    measuring.budget_seconds = arguments->budget;
    measuring.seed = arguments->seed;
    return measure(arguments, &measuring);
}

const cli_command command_measure = {
    .name = "measure",
    .summary = "measure this node and store the result",
    .operands = "",
    .options = options,
    .size = sizeof(measure_arguments),
    .operands_offset = AT(operands),
    .defaults = &defaults,
    .run = run,
};
