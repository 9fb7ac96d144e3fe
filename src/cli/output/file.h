/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes the files of commands that do not measure. */
#ifndef SRV_CLI_OUTPUT_FILE_H
#define SRV_CLI_OUTPUT_FILE_H

#include <stddef.h>

#include "servet/error.h"

/** Writes a text of `size` bytes to stdout if `path` is NULL, otherwise to the file, which is
 * replaced when the new one is complete. Removes remnants of killed processes. Errors: SERVET_EIO,
 * also if `path` exists and is not a regular file. */
int cli_file_write(const char *path, const char *text, size_t size, servet_error *error);

#endif
