/* SPDX-License-Identifier: BSD-3-Clause */
/** Files that commands write beside measurements. */
#ifndef SRV_CLI_OUTPUT_FILE_H
#define SRV_CLI_OUTPUT_FILE_H

#include <stddef.h>

#include "servet/error.h"

/** Writes a text of `size` bytes to the file at `path`; NULL: to stdout. Errors: SERVET_EIO. */
int cli_file_write(const char *path, const char *text, size_t size, servet_error *error);

/** The error of a path that cannot be written, by errno. */
int cli_file_error(const char *path, servet_error *error);

#endif
