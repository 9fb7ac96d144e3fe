/* SPDX-License-Identifier: BSD-3-Clause */
/** Words of the command line. */
#ifndef SRV_CLI_WORDS_H
#define SRV_CLI_WORDS_H

#include <stddef.h>

/**
 * The number, below `count`, whose name by `name_of` is the first `length` characters of `text`; -1
 * for none.
 */
int cli_find_word(const char *text, size_t length, int count, const char *(*name_of)(int number));

/** The same of all of `text`. */
int cli_find_name(const char *text, int count, const char *(*name_of)(int number));

/**
 * The next word of a list with commas between: where it begins, its `*length`, and `*list` moved
 * behind it; NULL at the end.
 */
const char *cli_next_word(const char **list, size_t *length);

#endif
