/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The folder that a measurement is written into: made before measuring, so that a place that cannot
 * be written is said at once, and changed only when everything new is whole. Of what lies there, only
 * the profile and the series (cache-*.csv, sharing-*.csv) in raw/ are ever replaced or removed; links are not
 * followed. What a killed run has left (raw.new-*) stays: another node may be at work on it.
 */
#ifndef SRV_CLI_OUTPUT_H
#define SRV_CLI_OUTPUT_H

#include "servet/record.h"

enum { CLI_PATH_MAX = SERVET_ERROR_FILE_MAX };

typedef struct cli_output {
    char folder[CLI_PATH_MAX];
    char raw[CLI_PATH_MAX];      /**< where raw series lie in the end */
    char new_raw[CLI_PATH_MAX];  /**< where they are collected; "" once removed */
    char profile[CLI_PATH_MAX];  /**< the profile's path */
} cli_output;

/**
 * Creates the folder (and those above it) and an empty one for raw series in it. NULL means the
 * user's own place, $XDG_DATA_HOME/servet or ~/.local/share/servet; for a `model` (a name or file;
 * NULL: this node) the folder machines/NAME there, which no program takes for this node's.
 * Errors: SERVET_EIO, also for a raw/ that is no real folder or not to be written.
 */
int cli_output_begin(cli_output *output, const char *folder, const char *model,
                     servet_error *error);

/**
 * Puts the profile, then the raw series in place of earlier ones. Errors: SERVET_EIO, SERVET_EMEMORY;
 * a profile that could not be written leaves all as it was.
 */
int cli_output_commit(cli_output *output, const servet_profile *profile, servet_error *error);

/** Removes what was only for the way. To be called after commit, too. */
void cli_output_abandon(cli_output *output);

#endif
