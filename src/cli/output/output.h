/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The folder into which a measurement is written. It is made before measuring, so that a place that
 * cannot be written is reported at once, and it is changed only when the new results are complete.
 * Only the profile, and the series (cache-*.csv, sharing-*.csv, ...) in raw/, are ever replaced or
 * removed; links are not followed. While measuring, the new files are in a folder unfinished-WHO.*,
 * with the profile so far, progress.json. The results of a killed run stay there, and a later run
 * can continue it.
 */
#ifndef SRV_CLI_OUTPUT_OUTPUT_H
#define SRV_CLI_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include "cli/output/path.h"
#include "servet/record.h"

/** The measurement and its place. */
typedef struct cli_place {
    /**
     * NULL: the folder of servet_profile_place(); for a model, the folder machines/NAME in the
     * user's place, in which no program looks for this node's profile
     */
    const char *folder;
    const char *model; /**< a name or file; NULL: this node, or a job */
    /** name for the measurer: "mpi" for a job, of which there is one at a time; NULL: this host */
    const char *who;
    const char *const *nodes; /**< nodes of the job, ordered by name, each once */
    int node_count;           /**< 0: only this host */
    bool resume;              /**< continues an interrupted measurement */
} cli_place;

typedef struct cli_output {
    cli_place place; /**< its texts belong to the caller */
    char folder[CLI_PATH_MAX];
    char raw[CLI_PATH_MAX];      /**< final folder of raw series */
    char fresh[CLI_PATH_MAX];    /**< folder in which they are collected */
    char progress[CLI_PATH_MAX]; /**< the profile so far, in that folder */
    int at_work; /**< descriptor that keeps other jobs out of the folder; -1: none */
    int lock;    /**< lock on the unfinished folder; -1: none, before begin and after end */
    bool stored; /**< the profile is stored, and only series remain to be moved */
    char profile[CLI_PATH_MAX]; /**< the profile's path */
} cli_output;

/** An output that has not begun. */
#define CLI_OUTPUT_INIT                                                                            \
    {                                                                                              \
        .lock = -1, .at_work = -1                                                                  \
    }

/**
 * Creates the folder (and the folders above it), and in it a folder for the new files. To resume,
 * the latest folder with progress is used that a run of `who` has left and that no run uses now; if
 * there is none, an empty one. Errors: SERVET_EIO. In the default folder, the profile must not have
 * nodes that are not measured now, unless it is unfinished and resumed on other nodes. raw/ must be
 * a writable folder and not a link, and no other job may measure into the folder. Call
 * cli_output_end() also after an error.
 */
int cli_output_begin(cli_output *output, const cli_place *place, servet_error *error);

/**
 * Replaces the earlier profile, then the raw series, and removes earlier unfinished runs of which
 * this one measured everything again. In the default folder, it does not replace a
 * profile of another machine, which may have been stored there meanwhile. Errors: SERVET_EIO,
 * SERVET_EMEMORY; if the profile cannot be written, nothing changes.
 */
int cli_output_commit(cli_output *output, const servet_profile *profile, servet_error *error);

/** Returns true if a measurement with this failure may succeed another time. */
bool cli_output_can_go_on(int code);

/**
 * Ends the output, also after a failure with `code`. Removes intermediate files, unless another run
 * can continue from them; then error->text ends with a remark about that.
 */
void cli_output_end(cli_output *output, int code, servet_error *error);

#endif
