/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The folder that a measurement is written into: made before measuring, so that a place that cannot
 * be written is reported at once, and changed only when the new results are complete. Of its
 * contents, only the profile and the series (cache-*.csv, sharing-*.csv, ...) in raw/ are ever
 * replaced or removed; links are not followed. Until then the new files are in a folder
 * unfinished-WHO.*, with the profile so far, progress.json. What a killed run has left there stays,
 * and a later run can continue it.
 */
#ifndef SRV_CLI_OUTPUT_OUTPUT_H
#define SRV_CLI_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include "cli/output/path.h"
#include "servet/record.h"

/** The measurement and its place. */
typedef struct cli_place {
    /**
     * NULL: by servet_profile_place(); for a model the folder machines/NAME of the user's place,
     * which no program takes for this node's
     */
    const char *folder;
    const char *model; /**< a name or file; NULL: this node, or a job */
    /** measures, "mpi" for a job, of which there is one at a time; NULL: this host */
    const char *who;
    const char *const *nodes; /**< of the job, by name, each once */
    int node_count;           /**< 0: this host alone */
    bool resume;              /**< continues an interrupted measurement */
} cli_place;

typedef struct cli_output {
    cli_place place; /**< its texts are the caller's */
    char folder[CLI_PATH_MAX];
    char raw[CLI_PATH_MAX];      /**< where raw series lie in the end */
    char fresh[CLI_PATH_MAX];    /**< where they are collected */
    char progress[CLI_PATH_MAX]; /**< the profile so far, in that folder */
    int at_work;                 /**< keeps other jobs out of the folder; -1: they are not */
    int lock;    /**< held while this run works on it; -1: none, before begin and after end */
    bool stored; /**< the profile is, and only series are left to be moved */
    char profile[CLI_PATH_MAX]; /**< the profile's path */
} cli_output;

/** Nothing begun. */
#define CLI_OUTPUT_INIT                                                                            \
    {                                                                                              \
        .lock = -1, .at_work = -1                                                                  \
    }

/**
 * Creates the folder (and those above it) and one for the new files in it. To resume, that is the
 * latest folder with progress that a run of `who` has left and that no run works on; if there is
 * none, an empty one. Errors: SERVET_EIO. By default, the profile in the folder must not have nodes
 * that are not measured now, unless it is unfinished and resumed on other nodes. The folder raw/
 * must be a real, writable folder, and no other job may measure into the folder. cli_output_end()
 * is due after an error, too.
 */
int cli_output_begin(cli_output *output, const cli_place *place, servet_error *error);

/**
 * Puts the profile, then the raw series in place of earlier ones; by default these are never of
 * another machine, which may have stored its first profile there meanwhile. Errors: SERVET_EIO,
 * SERVET_EMEMORY; a profile that could not be written leaves all as it was.
 */
int cli_output_commit(cli_output *output, const servet_profile *profile, servet_error *error);

/** True if a measurement with this failure may succeed another time. */
bool cli_output_can_go_on(int code);

/**
 * Ends the output, also if a step failed with `code`: removes intermediate files, except if another
 * run can continue from them; then error->text ends with a remark on that.
 */
void cli_output_end(cli_output *output, int code, servet_error *error);

#endif
