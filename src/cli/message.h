/* SPDX-License-Identifier: BSD-3-Clause */
/** Messages of programs on stderr, and the end of their output. */
#ifndef SRV_CLI_MESSAGE_H
#define SRV_CLI_MESSAGE_H

#include <jansson.h>

#include "cli/command.h"
#include "servet/error.h"

/** Room for the path of an error, and for the rest of its line. */
enum { CLI_CLEAN_MAX = SERVET_ERROR_FILE_MAX + 3 };

/** Copies a path or a word of the user into `buffer`, which is returned, with '?' for control
 * characters; a text that is too long is cut. */
char *cli_clean(const char *text, char buffer[CLI_CLEAN_MAX]);

/** Prints "servet: ..." on stderr as one line and returns CLI_FAILED, or CLI_USAGE for wrong usage.
 */
int cli_error(const servet_error *error);

/** Replaces the text of `*error` by a lack of memory; returns SERVET_EMEMORY. */
int cli_fail_memory(servet_error *error);

/** Prints that there was no memory, as cli_error(). */
int cli_memory_error(void);

/** Prints "servet: ..." on stderr and returns CLI_USAGE. */
int cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Prints "servet: KEY: not trusted: REASON" on stderr, where it disturbs no script that reads
 * stdout. */
void cli_doubt(const char *key, const char *reason);

/** Prints a document on stdout with `flags` of json_dumpf(), and a line's end, and frees it. False:
 * there is none, or no memory; cli_finish_output() reports whether it could be written. */
bool cli_print_json(json_t *json, size_t flags);

/** Flushes stdout; a full disk or a closed pipe is a failure, not a success. Returns an exit
 * status. */
int cli_finish_output(void);

#endif
