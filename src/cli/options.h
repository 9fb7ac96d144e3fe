/* SPDX-License-Identifier: BSD-3-Clause */
/** Parses options by their table. */
#ifndef SRV_CLI_OPTIONS_H
#define SRV_CLI_OPTIONS_H

#include <stddef.h>

#include "cli/command.h"

/** Returns the option that `word` ("--name", "--name=value" or "-x") means, and its value if it is
 * attached; NULL: there is none. */
const cli_option *cli_find_option(const cli_command *command, const char *word, const char **value);

enum { CLI_HELP_MAX = 1024 };

/** Writes the help of an option with the words or numbers that it takes: "order: servet or block
 * (default: servet)", "number of processes [1 to 64]". `defaults` may be NULL, as in cli_command.
 */
void cli_option_help(const cli_option *option, const void *defaults, char text[CLI_HELP_MAX]);

/** Takes the option at argv[*i], and its argument, into the command's struct. Returns CLI_OK or
 * CLI_USAGE. */
int cli_take_option(const char *program, const cli_command *command, char **argv, int *i,
                    char *arguments);

/** True if the value of the option is not the default one. */
bool cli_is_given(const cli_option *option, const void *arguments, const void *defaults);

/**
 * Writes the options whose values differ from the defaults, as words that give the same values
 * again ("--only cache --budget 5"), except for the option at offset `except`; cut to `size` bytes.
 */
void cli_given(const cli_option *options, const void *arguments, const void *defaults,
               size_t except, char *text, size_t size);

/** Returns the number of the word that is the first `length` characters of `text`; -1: there is
 * none. `word` gives the word of a number, as in cli_option. */
int cli_find_word(const char *text, size_t length, const char *(*word)(unsigned number));

/** False for the "?" behind the last word. */
bool cli_has_word(const char *(*word)(unsigned number), unsigned number);

/**
 * Returns the beginning of the next word of a list with commas, and its `*length`. Moves `*list`
 * behind the word. Returns NULL at the end of the list.
 */
const char *cli_next_word(const char **list, size_t *length);

#endif
