/* SPDX-License-Identifier: BSD-3-Clause */
/** Messages of programs on stderr, and the end of their output. */
#ifndef SRV_CLI_MESSAGE_H
#define SRV_CLI_MESSAGE_H

#include <jansson.h>
#include <stddef.h>

#include "cli/command.h"
#include "core/text.h"
#include "servet/error.h"

/** Room for the path of an error, and for the rest of its line. */
enum { CLI_CLEAN_MAX = SERVET_ERROR_FILE_MAX + 3 };

/** Copies a path or a word of the user into `buffer`, which is returned, with '?' for control
 * characters; a text that is too long is cut. */
char *cli_clean(const char *text, char buffer[CLI_CLEAN_MAX]);

/** Prints "servet: ..." on stderr as one line and returns CLI_FAILED, or CLI_USAGE for wrong usage.
 */
int cli_error(const servet_error *error);

/** Prints that memory was short, as cli_error() does. */
int cli_memory_error(void);

/** Prints "servet: ..." on stderr and returns CLI_USAGE. */
int cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Prints "servet: KEY: not trusted: REASON" on stderr, so that scripts that read stdout are not
 * disturbed. */
void cli_doubt(const char *key, const char *reason);

/** A number; null if it is not finite. */
json_t *cli_json_number(double value);

/** Prints a document with a line end on stdout, with `flags` of json_dumpf(), and frees it. Errors:
 * SERVET_EMEMORY, also if it is NULL; cli_finish_output() reports errors of writing. */
int cli_print_json(json_t *json, size_t flags, servet_error *error);

/** Prints a document as the whole output of a command, with `flags` as above and six digits of each
 * number. Returns an exit status. */
int cli_finish_json(json_t *json, size_t flags);

/** Flushes stdout. Returns an exit status: a full disk or a closed pipe is a failure. */
int cli_finish_output(void);

/** Writes the text that `make` makes of `context` to stdout if `path` is NULL, otherwise to the
 * file, which is replaced when the new one is complete. After an error of `make` nothing is
 * written. Removes remnants of killed processes. Errors: those of `make`; SERVET_EIO, also if
 * `path` exists and is not a regular file; SERVET_EMEMORY. */
int cli_write(const char *path, srv_text_maker *make, const void *context, servet_error *error);

#endif
