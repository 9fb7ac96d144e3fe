/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "servet/profile.h"
#include "servet/version.h"

/* --- messages --------------------------------------------------------------------------------- */

/* The library cleans the lines of errors, and a file has the most room there. */
char *cli_clean(const char *text, char buffer[CLI_CLEAN_MAX])
{
    servet_error line = SERVET_ERROR_INIT;
    snprintf(line.file, sizeof line.file, "%s", text);
    servet_error_line(&line, buffer, CLI_CLEAN_MAX);
    if (*text)
        buffer[strlen(line.file)] = '\0'; /* without ": " */
    return buffer;
}

static void print_line(const char *text)
{
    fprintf(stderr, "servet: %s\n", text);
}

int cli_error(const servet_error *error)
{
    char line[SERVET_ERROR_FILE_MAX + SERVET_ERROR_TEXT_MAX + 32];
    print_line(servet_error_line(error, line, sizeof line));
    return error->code == SERVET_EKEY || error->code == SERVET_EARGUMENT ? CLI_USAGE : CLI_FAILED;
}

int cli_usage_error(const char *format, ...)
{
    char line[512], clean[CLI_CLEAN_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    print_line(cli_clean(line, clean));
    return CLI_USAGE;
}

int cli_finish_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_OK;
    char line[256];
    snprintf(line, sizeof line, "cannot write to standard output: %s", strerror(errno));
    print_line(line);
    return CLI_FAILED;
}

/* --- help ------------------------------------------------------------------------------------- */

static void print_option(const cli_option *option)
{
    char left[64];
    int n = option->letter ? snprintf(left, sizeof left, "-%c, ", option->letter)
                           : snprintf(left, sizeof left, "    ");
    snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", option->name,
             option->argument ? " " : "", option->argument ? option->argument : "");
    printf("  %-26s %s\n", left, option->help);
}

static void print_help(const char *program, const cli_command *command)
{
    printf("usage: %s %s%s%s%s\n%s\n\n", program, command->name,
           command->options ? " [OPTION]..." : "", *command->operands ? " " : "", command->operands,
           command->summary);
    for (const cli_option *option = command->options; option && option->name; option++)
        print_option(option);
    print_option(&(cli_option){"help", 'h', CLI_FLAG, 0, NULL, "print this help"});
}

static void print_overview(const char *program, const cli_command *const *commands)
{
    printf("usage: %s COMMAND [OPTION]...\n\n", program);
    for (; *commands; commands++)
        printf("  %-10s %s\n", (*commands)->name, (*commands)->summary);
    printf("\n%s COMMAND --help describes a command; %s --version prints the version.\n", program,
           program);
}

/* --- parsing ---------------------------------------------------------------------------------- */

static bool parse_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value) && *value >= 0;
}

static bool parse_whole(const char *text, long long *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && !*end && *value >= 0 && errno == 0;
}

static bool parse_bytes(const char *text, double *value)
{
    static const char suffixes[] = "KMGT";
    char *end;
    *value = strtod(text, &end);
    if (end == text || !isfinite(*value) || *value <= 0)
        return false;
    const char *suffix = *end ? strchr(suffixes, *end >= 'a' ? *end - 'a' + 'A' : *end) : NULL;
    if (suffix) {
        *value = ldexp(*value, 10 * (int)(suffix - suffixes + 1));
        end++;
    }
    return !*end && isfinite(*value);
}

static bool add_text(const char *text, const char *texts[CLI_TEXTS_MAX])
{
    int count = 0;
    while (count < CLI_TEXTS_MAX && texts[count])
        count++;
    if (count == CLI_TEXTS_MAX || !*text)
        return false;
    texts[count] = text;
    return true;
}

static bool store(const cli_option *option, const char *text, char *arguments)
{
    void *field = arguments + option->offset;
    switch (option->type) {
    case CLI_FLAG:
        *(bool *)field = true;
        return true;
    case CLI_TEXT:
        *(const char **)field = text;
        return *text != '\0';
    case CLI_TEXTS:
        return add_text(text, field);
    case CLI_BYTES:
        return parse_bytes(text, field);
    case CLI_NUMBER:
        return parse_number(text, field);
    case CLI_WHOLE:
        return parse_whole(text, field);
    }
    return false;
}

/* With as few digits as give the same number again. */
static void print_number(double value, char *text, size_t size)
{
    snprintf(text, size, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, size, "%.17g", value);
}

/* The value of an option in a form that gives the same value again; "" for a NULL text. */
static void value_of(const cli_option *option, const void *arguments, char *text, size_t size)
{
    const void *field = (const char *)arguments + option->offset;
    *text = '\0';
    if (option->type == CLI_BYTES || option->type == CLI_NUMBER)
        print_number(*(const double *)field, text, size);
    else if (option->type == CLI_WHOLE)
        snprintf(text, size, "%lld", *(const long long *)field);
    else if (option->type == CLI_TEXT && *(const char *const *)field)
        snprintf(text, size, "%s", *(const char *const *)field);
}

void cli_given(const cli_option *options, const void *arguments, const void *defaults,
               size_t except, char *text, size_t size)
{
    char value[SERVET_TEXT_MAX], usual[SERVET_TEXT_MAX];
    size_t n = 0;
    *text = '\0';
    for (const cli_option *option = options; option->name && n < size; option++) {
        value_of(option, arguments, value, sizeof value);
        value_of(option, defaults, usual, sizeof usual);
        if (strcmp(value, usual) != 0 && option->offset != except)
            n += (size_t)snprintf(text + n, size - n, "%s--%s %s", n ? " " : "", option->name,
                                  value);
    }
}

static const char *accepted(cli_type type)
{
    static const char *const texts[] = {
        [CLI_FLAG] = "nothing",
        [CLI_TEXT] = "a text",
        [CLI_TEXTS] = "a text (at most four times)",
        [CLI_BYTES] = "a size such as 32M (suffixes K M G T, binary)",
        [CLI_NUMBER] = "a non-negative number",
        [CLI_WHOLE] = "a non-negative whole number",
    };
    return texts[type];
}

const cli_option *cli_find_option(const cli_command *command, const char *word, const char **value)
{
    *value = NULL;
    for (const cli_option *option = command->options; option && option->name; option++) {
        if (word[1] != '-') {
            if (option->letter && word[1] == option->letter && !word[2])
                return option;
            continue;
        }
        size_t length = strlen(option->name);
        if (strncmp(word + 2, option->name, length) != 0)
            continue;
        if (word[2 + length] == '=')
            *value = word + 2 + length + 1;
        if (*value || !word[2 + length])
            return option;
    }
    return NULL;
}

/* Takes the option at argv[*i], and its argument; CLI_OK or CLI_USAGE. */
static int take_option(const char *program, const cli_command *command, char **argv, int *i,
                       char *arguments)
{
    const char *value, *word = argv[*i];
    const cli_option *option = cli_find_option(command, word, &value);
    if (!option)
        return cli_usage_error("%s: unknown option %s (see %s %s --help)", command->name, word,
                               program, command->name);
    if (option->type == CLI_FLAG && value)
        return cli_usage_error("--%s takes no value", option->name);
    if (option->type != CLI_FLAG && !value)
        value = argv[++*i];
    if (option->type != CLI_FLAG && !value)
        return cli_usage_error("--%s needs %s", option->name, accepted(option->type));
    if (!store(option, value, arguments))
        return cli_usage_error("--%s must be %s, not '%s'", option->name, accepted(option->type),
                               value);
    return CLI_OK;
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
        return cli_error(&(servet_error){
            .code = SERVET_EMEMORY, .line = 0, .file = "", .text = "out of memory"});
    if (command->defaults)
        memcpy(arguments, command->defaults, command->size);
    const char **operands = (const char **)(arguments + command->operands_offset);
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
            status = take_option(program, command, argv, &i, arguments);
        else if (count == command->operands_max)
            status = cli_usage_error("%s: unexpected '%s'", command->name, argv[i]);
        else
            operands[count++] = argv[i];
    }
    if (status == CLI_OK && count < command->operands_min)
        status = cli_usage_error("%s needs %s", command->name, command->operands);
    if (status == CLI_OK)
        status = command->run_on ? command->run_on(arguments, context) : command->run(arguments);
    free(arguments);
    return status;
}

int cli_main(const char *program, const cli_command *const *commands, int argc, char **argv)
{
    return cli_main_on(program, commands, NULL, argc, argv);
}

/* --- limits ----------------------------------------------------------------------------------- */

/* Functions of the report have tables of 256 KiB, and call one another. */
static const rlim_t STACK_BYTES = 1 << 20;

static void take_stack(struct rlimit *stack)
{
    struct rlimit wanted = *stack;
    wanted.rlim_cur = stack->rlim_max < STACK_BYTES ? stack->rlim_max : STACK_BYTES;
    if (setrlimit(RLIMIT_STACK, &wanted) == 0)
        *stack = wanted;
}

/* Under limits that would end the program without a word: a file that grows too large is an error
 * as on a full disk, and with too little stack nothing begins. */
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

int cli_main_on(const char *program, const cli_command *const *commands, const void *context,
                int argc, char **argv)
{
    /* Results report what hwloc cannot find; stderr is for our messages. */
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

/* --- words ------------------------------------------------------------------------------------ */

int cli_find_word(const char *text, size_t length, int count, const char *(*name_of)(int number))
{
    for (int i = 0; i < count; i++)
        if (strlen(name_of(i)) == length && strncmp(name_of(i), text, length) == 0)
            return i;
    return -1;
}

int cli_find_name(const char *text, int count, const char *(*name_of)(int number))
{
    return cli_find_word(text, strlen(text), count, name_of);
}

const char *cli_next_word(const char **list, size_t *length)
{
    const char *word = *list;
    *length = strcspn(word, ",");
    *list = word + *length + (word[*length] == ',');
    return *word ? word : NULL;
}
