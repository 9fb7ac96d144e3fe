/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes an archive of text files (POSIX.1-1988, ustar). */
#ifndef SRV_CLI_GATHER_ARCHIVE_H
#define SRV_CLI_GATHER_ARCHIVE_H

#include <stdbool.h>
#include <stdio.h>

/** Adds a file with a name of at most 99 bytes; a longer one is cut. Returns false, with errno, if
 * it could not be written. */
bool cli_archive_add(FILE *to, const char *name, const char *text);

/** Ends the archive. */
void cli_archive_end(FILE *to);

#endif
