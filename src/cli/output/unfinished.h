/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Folders of measurements in progress, unfinished-WHO.XXXXXX: a later run of the same measurer may
 * continue one that was killed. A run holds a lock on the folder that it uses. After its profile is
 * stored, the folder is renamed to stored-WHO.XXXXXX: then only its raw series remain to be moved,
 * and any later run does that.
 */
#ifndef SRV_CLI_OUTPUT_UNFINISHED_H
#define SRV_CLI_OUTPUT_UNFINISHED_H

#include <stdbool.h>
#include "cli/output/path.h"
#include "servet/profile.h"

/**
 * Opens such a folder within `folder`, writes its path into `path`, and returns its descriptor,
 * which is the lock; -1, with errno, after a failure. `who` names the measurer; NULL means this
 * host. With `resume`, it is the latest folder with progress
 * (*.json) that no run uses, if there is one; otherwise a new one.
 */
int cli_unfinished_open(const char *folder, const char *who, bool resume, char path[CLI_PATH_MAX]);

/** True if there is progress in the folder. */
bool cli_unfinished_has_progress(const char *path);

/** Renames a folder whose profile is stored, and `path` with it. False, with errno, on failure. */
bool cli_unfinished_store(char path[CLI_PATH_MAX]);

/**
 * Cleans up folders that no run uses: moves the series of stored folders into `raw` and removes
 * these folders; removes folders of `who` without progress, which are from runs that were killed
 * early.
 */
void cli_unfinished_sweep(const char *folder, const char *who, const char *raw);

/**
 * After `whole` is stored, removes earlier folders of `who` that no run uses, if a run with the
 * same options measured all of their nodes and cores again, and left nothing out. Names the others
 * on stderr: their results are nowhere else.
 */
void cli_unfinished_replace(const char *folder, const char *who, const servet_profile *whole);

#endif
