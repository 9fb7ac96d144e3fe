/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads whole files, and collects the output of streams, in memory. */
#ifndef SRV_CORE_TEXT_H
#define SRV_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "core/error.h"

/**
 * Reads the file at `path`, at most `max` bytes, into `*text`, which ends with a NUL that `*size`
 * does not count; the caller frees it. "-" is standard input. A byte order mark of UTF-8 is left
 * out. Errors: SERVET_ENOTFOUND, SERVET_EIO
 * (also for a device, a folder, and a pipe that no process writes to, which is not waited for),
 * SERVET_EFORMAT (over `max`, UTF-16), SERVET_EMEMORY.
 */
int srv_text_read(const char *path, size_t max, char **text, size_t *size, servet_error *error);

/** Checks an open file before it is read: an error, or SERVET_OK. */
typedef int srv_text_check(int open_file, const char *path, servet_error *error);

/** The same, if `check`, unless it is NULL, accepts the file that was opened, which then must be a
 * regular one. Its errors, too. */
int srv_text_read_checked(const char *path, size_t max, srv_text_check *check, char **text,
                          size_t *size, servet_error *error);

/** Opens a file like srv_text_read(), with its errors, for a reader of single lines. The caller
 * closes it. */
int srv_text_open(const char *path, FILE **stream, servet_error *error);

/** Most bytes of a recording or series: far more than those of a node of some hundred cores. */
#define SRV_SERIES_BYTES_MAX ((size_t)1 << 30)

/**
 * Checks that a file that was found in a folder, and not named itself, may be read: SERVET_EIO for
 * one that is not regular, and for a link that leads out of the folder. A missing file is left to
 * the reader. SERVET_EMEMORY.
 */
int srv_text_check_found(const char *path, servet_error *error);

/** Reads such a file, with the errors of both. */
int srv_text_read_found(const char *path, size_t max, char **text, size_t *size,
                        servet_error *error);

/** The first line of `*rest`, which goes on behind it: its end is cut off, also one of Windows.
 * NULL where `*rest` is NULL, as it is behind the last line. */
char *srv_text_line(char **rest);

/** Length without blanks at the end: processors pad their names. */
int srv_text_trimmed(const char *text);

/** True if texts differ in nothing but blanks at their ends. */
bool srv_text_same(const char *a, const char *b);

/** Writes the text of `context`. */
typedef void srv_text_writer(FILE *stream, const void *context);

/** The text that `write` writes, as a string that the caller frees; NULL without memory. */
char *srv_text_written(srv_text_writer *write, const void *context);

#endif
