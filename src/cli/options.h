/* SPDX-License-Identifier: BSD-3-Clause */
/** Parses options by their table. */
#ifndef SRV_CLI_OPTIONS_H
#define SRV_CLI_OPTIONS_H

#include <stddef.h>

#include "cli/command.h"

/** Returns the option that `word` ("--name", "--name=value" or "-x") means, and its value if it is
 * attached; NULL: there is none. */
const cli_option *cli_find_option(const cli_command *command, const char *word, const char **value);

enum { CLI_RANGE_MAX = 64 };

/** Writes the numbers that the option takes: "1 to 64"; "" if it takes none. */
void cli_option_range(const cli_option *option, char text[CLI_RANGE_MAX]);

/** Takes the option at argv[*i], and its argument, into the command's struct. Returns CLI_OK or
 * CLI_USAGE. */
int cli_take_option(const char *program, const cli_command *command, char **argv, int *i,
                    char *arguments);

/**
 * Writes the options whose values differ from the defaults, as words that give the same values
 * again ("--only cache --budget 5"), except for the option at offset `except`; cut to `size` bytes.
 */
void cli_given(const cli_option *options, const void *arguments, const void *defaults,
               size_t except, char *text, size_t size);

/**
 * Returns the number, below `count`, whose name is the first `length` characters of `text`; -1 if
 * there is none. `name_of` gives the name of a number.
 */
int cli_find_word(const char *text, size_t length, int count, const char *(*name_of)(int number));

/** Returns the number whose name is `text`; -1 if there is none. */
int cli_find_name(const char *text, int count, const char *(*name_of)(int number));

/**
 * Returns the beginning of the next word of a list with commas, and its `*length`. Moves `*list`
 * behind the word. Returns NULL at the end of the list.
 */
const char *cli_next_word(const char **list, size_t *length);

#endif
