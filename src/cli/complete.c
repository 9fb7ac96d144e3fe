/* SPDX-License-Identifier: BSD-3-Clause */
/* Completes command lines for all shells, from the tables of which help is printed. */
#include "cli/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/options.h"

static const cli_option help_option = {"help", 'h', CLI_FLAG, 0, NULL, "print this help"};

/* The shells select the words that begin like the typed one. */
void cli_candidate(const char *word, const char *description)
{
    printf("%s%s%s\n", word, description ? "\t" : "", description ? description : "");
}

/* --- values ----------------------------------------------------------------------------------- */

static void print_paths(const char *name)
{
    puts(strcmp(name, "DIR") == 0 ? ":folders" : ":files");
}

static bool is_path(const char *name)
{
    static const char *const names[] = {"DIR", "FILE", "MODEL", "TOPOLOGY"};
    const char *end = strstr(name, ".csv");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return end != NULL;
}

static void complete_value(const cli_command *command, const cli_option *option)
{
    if (command->complete && command->complete(option->argument))
        return;
    if (is_path(option->argument))
        print_paths(option->argument);
    for (unsigned i = 0; option->word && cli_has_word(option->word, i); i++)
        cli_candidate(option->word(i), NULL);
}

/* --- operands --------------------------------------------------------------------------------- */

/* Finds the name of operand `number` (from 0) in "KEY [PROFILE]"; the last one may be repeated. */
static void name_operand(const char *operands, int number, char name[64])
{
    *name = '\0';
    for (const char *at = operands; *at && number >= 0; number--) {
        at += strspn(at, " [");
        size_t length = strcspn(at, " [].");
        if (length)
            snprintf(name, 64, "%.*s", (int)length, at);
        at += length + strspn(at + length, "].");
    }
}

static void complete_operand(const cli_command *command, int number)
{
    char name[64];
    name_operand(command->operands, number, name);
    if (!*name || number >= command->operands_max)
        return;
    if (!command->complete || !command->complete(name))
        print_paths(name);
}

/* --- options ---------------------------------------------------------------------------------- */

static void complete_option(const cli_option *option)
{
    char name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    cli_candidate(name, option->help);
}

static void complete_options(const cli_command *command)
{
    for (const cli_option *option = command->options; option && option->name; option++)
        complete_option(option);
    complete_option(&help_option);
}

/* --- the command line ------------------------------------------------------------------------- */

static void complete_commands(const cli_command *const *commands)
{
    for (; *commands; commands++)
        cli_candidate((*commands)->name, (*commands)->summary);
    cli_candidate("--help", "print the commands");
    cli_candidate("--version", "print the version");
}

/* Returns the option whose value is the last word; NULL: it is not a value. Counts the operands
 * before this word. */
static const cli_option *option_before(const cli_command *command, int count, char **words,
                                       int *operands, bool *ended)
{
    const cli_option *open = NULL;
    const char *value;
    for (int i = 0; i < count - 1; i++) {
        const char *word = words[i];
        bool is_value = open != NULL;
        open = NULL;
        if (is_value)
            continue;
        if (*ended || word[0] != '-' || !word[1]) {
            ++*operands;
        } else if (strcmp(word, "--") == 0) {
            *ended = true;
        } else {
            const cli_option *option = cli_find_option(command, word, &value);
            open = option && option->type != CLI_FLAG && !value ? option : NULL;
        }
    }
    return open;
}

static void complete_words(const cli_command *command, int count, char **words)
{
    int operands = 0;
    bool ended = false;
    const cli_option *open = option_before(command, count, words, &operands, &ended);
    if (open)
        complete_value(command, open);
    else if (!ended && words[count - 1][0] == '-')
        complete_options(command);
    else
        complete_operand(command, operands);
}

int cli_complete(const cli_command *const *commands, int count, char **words)
{
    if (count <= 1)
        complete_commands(commands);
    for (; count > 1 && *commands; commands++)
        if (strcmp(words[0], (*commands)->name) == 0)
            complete_words(*commands, count - 1, words + 1);
    return cli_finish_output();
}
