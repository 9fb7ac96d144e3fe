/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads whole files, and collects the output of streams, in memory. */
#ifndef SRV_CORE_TEXT_H
#define SRV_CORE_TEXT_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/error.h"

/**
 * Reads the file at `path`, at most `max` bytes, into `*text`, which ends with a NUL that `*size`
 * does not count; the caller frees it. "-" is standard input. A byte order mark of UTF-8 is left
 * out. Errors: SERVET_ENOTFOUND, SERVET_EIO (also for a device, a folder, and a pipe without a
 * writer, for which the function does not wait), SERVET_EFORMAT (over `max`, UTF-16),
 * SERVET_EMEMORY.
 */
int srv_text_read(const char *path, size_t max, char **text, size_t *size, servet_error *error);

/** Checks an open file before it is read: an error, or SERVET_OK. */
typedef int srv_text_check(int open_file, const char *path, servet_error *error);

/** Reads a file as srv_text_read() does, after `check` has accepted the open file, which then must
 * be a regular one. `check` may be NULL. Errors: also those of `check`. */
int srv_text_read_checked(const char *path, size_t max, srv_text_check *check, char **text,
                          size_t *size, servet_error *error);

/** Opens a file like srv_text_read(), with its errors, for a reader of single lines. The caller
 * closes it. */
int srv_text_open(const char *path, FILE **stream, servet_error *error);

/** Limit of the bytes of a profile, a model, or the file of another tool: a profile has some 10 KiB
 * for each node class. */
#define SRV_FILE_BYTES_MAX ((size_t)16 << 20)

/** Limit of the bytes of a recording, a series or a placement: a million ranks with 100 cores each
 * fit. */
#define SRV_SERIES_BYTES_MAX ((size_t)1 << 30)

/**
 * Checks whether a file may be read that was found in a folder, and that the user did not name.
 * Errors: SERVET_EIO (it is not a regular file, or is a link to a file outside the folder),
 * SERVET_EMEMORY. A missing file is not an error here.
 */
int srv_text_check_found(const char *path, servet_error *error);

/** Checks a file with srv_text_check_found(), then reads it with srv_text_read(); errors of both.
 */
int srv_text_read_found(const char *path, size_t max, char **text, size_t *size,
                        servet_error *error);

/** Checks the text of a whole file: it must hold no NUL. Errors: SERVET_EFORMAT, with the line of
 * the first one. */
int srv_text_check_plain(const char *path, const char *text, size_t size, servet_error *error);

/** Returns the first line of `*rest` without its end (of Unix or Windows), and moves `*rest` behind
 * it. Behind the last line, `*rest` becomes NULL, and the next call returns NULL. */
char *srv_text_line(char **rest);

/** Returns the length without blanks at the end: processors pad their names. */
int srv_text_trimmed(const char *text);

/** Returns true if texts are equal except for blanks at their ends. */
bool srv_text_same(const char *a, const char *b);

/** Writes the text of `context`. */
typedef void srv_text_writer(FILE *stream, const void *context);

/** The text that `write` writes, as a string that the caller frees; NULL without memory. */
char *srv_text_written(srv_text_writer *write, const void *context);

/** Writes "cache, sharing and line" for "cache,sharing,line", cut to `size` bytes. */
void srv_words_list(const char *words, char *text, size_t size);

/** State for srv_numbers_end(). */
typedef struct srv_numbers {
    locale_t before, plain;
} srv_numbers;

/** Makes this thread read and write numbers with a point from now on (as far as memory allows). */
srv_numbers srv_numbers_begin(void);

/** Restores the locale. */
void srv_numbers_end(srv_numbers numbers);

/** Writes the text of `context`, or fails on the way. */
typedef int srv_text_maker(FILE *stream, const void *context, servet_error *error);

/**
 * Writes the complete text of `context` to `stream`, with such numbers, and flushes it. After an
 * error of `make` the stream got nothing. `what` names the text in messages. Errors: those of
 * `make`, SERVET_EIO (the stream took a part, or nothing), SERVET_EMEMORY.
 */
int srv_text_print(FILE *stream, srv_text_maker *make, const void *context, const char *what,
                   servet_error *error);

/** Takes a line, which it may change, without its end. Its error ends the reading. */
typedef int srv_line_taker(void *context, char *line);

/**
 * Reads a file of at most `max` bytes, with such numbers, line by line. `*line` is the number of
 * the line, from 1, while `take` has it. Errors: those of srv_text_read(), srv_text_check_plain()
 * and `take`.
 */
int srv_numbers_read(const char *path, size_t max, int *line, srv_line_taker *take, void *context,
                     servet_error *error);

#endif
