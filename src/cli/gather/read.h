/* SPDX-License-Identifier: BSD-3-Clause */
/** Reads files of a measurement for sending, and checks that their content matches their name. */
#ifndef SRV_CLI_GATHER_READ_H
#define SRV_CLI_GATHER_READ_H

#include "servet/error.h"

/**
 * Reads a whole recording (answers-*.txt), series (*.csv) or profile; the caller frees `*text`.
 * Errors: those of srv_text_read_found(), SERVET_EFORMAT (a line that no such file has).
 */
int cli_gather_read(const char *path, char **text, servet_error *error);

#endif
