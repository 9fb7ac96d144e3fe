/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "servet/version.h"

/* --- help ------------------------------------------------------------------------------------- */

static void print_option(const cli_option *option, const void *defaults)
{
    char left[64], help[CLI_HELP_MAX];
    int n = option->letter ? snprintf(left, sizeof left, "-%c, ", option->letter)
                           : snprintf(left, sizeof left, "    ");
    snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", option->name,
             option->argument ? " " : "", option->argument ? option->argument : "");
    cli_option_help(option, defaults, help);
    printf("  %-26s %s\n", left, help);
}

static void print_help(const char *program, const cli_command *command)
{
    printf("usage: %s %s%s%s%s\n%s\n\n", program, command->name,
           command->options ? " [OPTION]..." : "", *command->operands ? " " : "", command->operands,
           command->summary);
    for (const cli_option *option = command->options; option && option->name; option++)
        print_option(option, command->defaults);
    print_option(&(cli_option){"help", 'h', CLI_FLAG, 0, NULL, "print this help"}, NULL);
}

static void print_overview(const char *program, const cli_command *const *commands)
{
    printf("usage: %s COMMAND [OPTION]...\n\n", program);
    for (; *commands; commands++)
        printf("  %-10s %s\n", (*commands)->name, (*commands)->summary);
    printf("\n%s COMMAND --help describes a command; %s --version prints the version.\n", program,
           program);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int run_command(const char *program, const cli_command *command, const void *context,
                       int argc, char **argv)
{
    char *arguments = calloc(1, command->size);
    if (!arguments)
        return cli_memory_error();
    if (command->defaults)
        memcpy(arguments, command->defaults, command->size);
    const char **operands = (const char **)arguments;
    int count = 0, status = CLI_OK;
    bool options_end = false;
    for (int i = 0; i < argc && status == CLI_OK; i++) {
        if (!options_end && is_help(argv[i])) {
            print_help(program, command);
            free(arguments);
            return cli_finish_output();
        }
        if (!options_end && strcmp(argv[i], "--") == 0)
            options_end = true;
        else if (!options_end && argv[i][0] == '-' && argv[i][1])
            status = cli_take_option(program, command, argv, &i, arguments);
        else if (count == command->operands_max)
            status = cli_usage_error("%s: unexpected '%s'", command->name, argv[i]);
        else
            operands[count++] = argv[i];
    }
    if (status == CLI_OK && count < command->operands_min)
        status = cli_usage_error("%s needs %s (see %s %s --help)", command->name, command->operands,
                                 program, command->name);
    if (status == CLI_OK)
        status = command->run_on ? command->run_on(arguments, context) : command->run(arguments);
    free(arguments);
    return status;
}

/* --- limits ----------------------------------------------------------------------------------- */

/* Least stack: functions of the report have tables of up to 100 KiB, and call each other. */
static const rlim_t STACK_BYTES = 1 << 20;

static void take_stack(struct rlimit *stack)
{
    struct rlimit wanted = *stack;
    wanted.rlim_cur = stack->rlim_max < STACK_BYTES ? stack->rlim_max : STACK_BYTES;
    if (setrlimit(RLIMIT_STACK, &wanted) == 0)
        *stack = wanted;
}

/* Handles limits that would end the program without a message. A file that grows too large becomes
 * an error, as on a full disk. With too small a stack, the program does not begin. */
static int settle_limits(void)
{
    struct rlimit stack;
    signal(SIGXFSZ, SIG_IGN);
    if (getrlimit(RLIMIT_STACK, &stack) != 0)
        return CLI_OK;
    if (stack.rlim_cur < STACK_BYTES)
        take_stack(&stack);
    if (stack.rlim_cur >= STACK_BYTES)
        return CLI_OK;
    servet_error error = SERVET_ERROR_INIT;
    snprintf(error.text, sizeof error.text, "the stack is limited to %lu KiB: %lu are needed",
             (unsigned long)(stack.rlim_cur >> 10), (unsigned long)(STACK_BYTES >> 10));
    return cli_error(&error);
}

int cli_main(const char *program, const cli_command *const *commands, const void *context, int argc,
             char **argv)
{
    /* hwloc must not print: results report missing objects, and stderr is for our own messages. */
    setenv("HWLOC_HIDE_ERRORS", "2", 0);
    int status = settle_limits();
    if (status != CLI_OK)
        return status;
    if (argc < 2)
        return cli_usage_error("no command given (%s --help lists them)", program);
    if (is_help(argv[1])) {
        print_overview(program, commands);
        return cli_finish_output();
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("%s %s\n", program, servet_version());
        return cli_finish_output();
    }
    if (strcmp(argv[1], "--complete") == 0)
        return cli_complete(commands, argc - 2, argv + 2);
    for (const cli_command *const *command = commands; *command; command++)
        if (strcmp(argv[1], (*command)->name) == 0)
            return run_command(program, *command, context, argc - 2, argv + 2);
    return cli_usage_error("unknown command '%s' (%s --help lists them)", argv[1], program);
}

int cli_with_profile(const char *path, cli_profile_user *use, const void *arguments)
{
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile = NULL;
    int code = servet_profile_open(&profile, path, &error);
    if (code == SERVET_OK)
        code = use(profile, arguments, &error);
    servet_profile_close(profile);
    return code == SERVET_OK ? cli_finish_output() : cli_error(&error);
}
