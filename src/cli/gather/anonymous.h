/* SPDX-License-Identifier: BSD-3-Clause */
/** Texts without the names of hosts, users and paths. */
#ifndef SRV_CLI_GATHER_ANONYMOUS_H
#define SRV_CLI_GATHER_ANONYMOUS_H

#include <stdbool.h>
#include <stddef.h>

/** Names, each with the word that takes its place, and how often that happened. */
typedef struct cli_names {
    struct cli_name {
        char *name;
        char word[24];
    } * list;
    int count;
    long replaced, paths; /**< so far */
} cli_names;

/**
 * Adds a name: the n-th one of a `kind` becomes "KINDn". Known names, numbers, and words of less
 * than two letters are left out. False without memory.
 */
bool cli_names_add(cli_names *names, const char *kind, const char *name);

/** Frees all. A zeroed one is valid. */
void cli_names_finish(cli_names *names);

/**
 * A copy of the text in which every name, with a domain or without, is replaced, and every path is
 * PATH. Members of JSON objects keep their names. NULL without memory; the caller frees it.
 */
char *cli_anonymous(cli_names *names, const char *text);

/**
 * The same for the name of a series, in which names stand between other words
 * ("cache-HOST-lines.csv"): those of hosts and users are replaced from the first hyphen to the last
 * dot.
 */
char *cli_anonymous_file(cli_names *names, const char *file);

#endif
