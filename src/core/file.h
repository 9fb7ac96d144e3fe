/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes files completely or not at all. */
#ifndef SRV_CORE_FILE_H
#define SRV_CORE_FILE_H

#include <stdio.h>
#include "core/error.h"

/** Room for the suffix of the path: ".HOST.PROCESS-NUMBER". */
enum { SRV_FILE_SUFFIX_MAX = 128 };

/** A file under construction: written beside its final path, moved there by srv_file_commit(). It
 * is locked until then, so that the next writer recognizes remnants of killed writers. */
typedef struct srv_file {
    FILE *stream; /**< to write to; NULL when closed */
    char path[SERVET_ERROR_FILE_MAX];
    char temporary[SERVET_ERROR_FILE_MAX + SRV_FILE_SUFFIX_MAX];
} srv_file;

/**
 * Opens a new file beside `path`, and removes remnants of writers of `path` that were killed on
 * this host. Errors: SERVET_EIO, also if `path` is not a regular file (links are followed): a
 * device or a pipe would be replaced. After a failure, there is nothing to abandon.
 */
int srv_file_begin(srv_file *file, const char *path, servet_error *error);

/**
 * Flushes the file to disk and renames it to `path`. Errors: SERVET_EIO, also if an earlier write
 * to the stream failed; the temporary file is then removed and `path` is unchanged.
 */
int srv_file_commit(srv_file *file, servet_error *error);

/** Removes the unfinished file. Does nothing after a commit. */
void srv_file_abandon(srv_file *file);

#endif
