/* SPDX-License-Identifier: BSD-3-Clause */
/** Lines of text in order; those of a file of answers, each of which is given once. */
#ifndef SRV_MACHINE_RECORDED_LINES_H
#define SRV_MACHINE_RECORDED_LINES_H

#include <stdbool.h>

#include "core/file.h"

typedef struct srv_line {
    char *text;
    int number; /**< in its file, from 1 */
    bool given;
} srv_line;

typedef struct srv_lines {
    srv_line *line;
    int count;
    int room;
    char *path; /**< of the file that was read last; NULL: of none */
} srv_lines;

enum { SRV_RECORD_PATH_MAX = SERVET_ERROR_FILE_MAX };

/** The file of a part's answers in the folder. Errors: SERVET_EIO (the path is too long). */
int srv_record_path(const char *folder, const char *part, char path[SRV_RECORD_PATH_MAX],
                    servet_error *error);

/** Begins that file with a comment, "# TITLE". Errors: SERVET_EIO. */
int srv_record_begin(srv_file *file, const char *folder, const char *part, const char *title,
                     servet_error *error);

/**
 * Appends the lines of the file, without empty ones and those that begin with '#'. Errors:
 * SERVET_ENOTFOUND, SERVET_EIO, SERVET_EFORMAT (too large), SERVET_EMEMORY.
 */
int srv_lines_read(srv_lines *lines, const char *path, servet_error *error);

/** Appends a line, which is then owned, also where this fails. Errors: SERVET_EMEMORY. */
int srv_lines_add(srv_lines *lines, char *text, servet_error *error);

/**
 * The next line after `from` (and then from the first on) that has not been given yet and begins
 * with the probe; `*answer` is what follows it. -1: there is none.
 */
int srv_lines_find(const srv_lines *lines, int from, const char *probe, const char **answer);

/** Frees all and leaves none. A zeroed one is valid. */
void srv_lines_finish(srv_lines *lines);

#endif
