/* SPDX-License-Identifier: BSD-3-Clause */
/** Removes the names of hosts and users, and paths, from texts. */
#ifndef SRV_CLI_GATHER_ANONYMOUS_H
#define SRV_CLI_GATHER_ANONYMOUS_H

#include <stdbool.h>
#include <stddef.h>

/** The names, each with the word that replaces it, and the numbers of replacements. */
typedef struct cli_names {
    struct cli_name {
        char *name;
        char word[24];
    } * list;
    int count;
    long replaced, paths; /**< so far */
} cli_names;

/**
 * Adds a name: the n-th name of a `kind` becomes "KINDn". Known names, numbers, and words with less
 * than two letters are ignored. Returns false without memory.
 */
bool cli_names_add(cli_names *names, const char *kind, const char *name);

/** Frees the names. A zeroed struct is valid. */
void cli_names_finish(cli_names *names);

/**
 * A copy of the text in which every name, with a domain or without, is replaced, and every path is
 * PATH. Members of JSON objects keep their names. NULL without memory; the caller frees it.
 */
char *cli_anonymous(cli_names *names, const char *text);

/**
 * Returns a copy of the name of a series, which has names between other words
 * ("cache-HOST-lines.csv"): names of hosts and users between the first hyphen and the last dot are
 * replaced.
 */
char *cli_anonymous_file(cli_names *names, const char *file);

#endif
