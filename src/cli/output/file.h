/* SPDX-License-Identifier: BSD-3-Clause */
/** Files that commands write beside measurements. */
#ifndef SRV_CLI_OUTPUT_FILE_H
#define SRV_CLI_OUTPUT_FILE_H

#include <stddef.h>

#include "servet/error.h"

/** Writes a text of `size` bytes to stdout if `path` is NULL, else to the file there, which is
 * replaced once the new one is complete; remnants of killed processes are removed. Errors:
 * SERVET_EIO, also if `path` exists and is no regular file. */
int cli_file_write(const char *path, const char *text, size_t size, servet_error *error);

#endif
