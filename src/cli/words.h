/* SPDX-License-Identifier: BSD-3-Clause */
/** Words of the command line. */
#ifndef SRV_CLI_WORDS_H
#define SRV_CLI_WORDS_H

#include <stddef.h>

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
