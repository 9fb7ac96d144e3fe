/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The folder that a measurement is written into: made before measuring, so that a place that cannot
 * be written is said at once, and changed only when everything new is whole.
 */
#ifndef SRV_CLI_OUTPUT_H
#define SRV_CLI_OUTPUT_H

#include "servet/record.h"

enum { CLI_PATH_MAX = SERVET_ERROR_FILE_MAX };

typedef struct cli_output {
    char folder[CLI_PATH_MAX];
    char raw[CLI_PATH_MAX];      /**< where raw series lie in the end */
    char new_raw[CLI_PATH_MAX];  /**< where they are collected; "" once moved or removed */
    char profile[CLI_PATH_MAX];  /**< the profile's path */
} cli_output;

/**
 * Creates the folder (and those above it) and an empty one for raw series in it. NULL means the
 * user's own place, $XDG_DATA_HOME/servet or ~/.local/share/servet. Errors: SERVET_EIO.
 */
int cli_output_begin(cli_output *output, const char *folder, servet_error *error);

/** Puts raw series and profile in place of earlier ones. Errors: SERVET_EIO, SERVET_EMEMORY. */
int cli_output_commit(cli_output *output, const servet_profile *profile, servet_error *error);

/** Removes what was begun and not committed. */
void cli_output_abandon(cli_output *output);

#endif
