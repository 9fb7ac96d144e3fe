/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Folders of measurements in progress, unfinished-WHO.XXXXXX: a later run of the same kind may
 * continue one that was killed. A run holds a lock on the folder that it works on. Once its profile
 * is stored, a folder is called stored-WHO.XXXXXX: then only its raw series remain to be moved,
 * which any later run does.
 */
#ifndef SRV_CLI_OUTPUT_UNFINISHED_H
#define SRV_CLI_OUTPUT_UNFINISHED_H

#include <stdbool.h>
#include "cli/output/path.h"

/**
 * Opens a folder of this kind within `folder`, writes its path into `path` and returns its
 * descriptor, which is the lock; -1, with errno, on failure. `who` measures; NULL means this host.
 * With `resume` it is the latest folder with progress (*.json) that no run works on, if there is
 * one; else a new one.
 */
int cli_unfinished_open(const char *folder, const char *who, bool resume, char path[CLI_PATH_MAX]);

/** True if there is progress in the folder. */
bool cli_unfinished_has_progress(const char *path);

/** Renames a folder whose profile is stored, and `path` with it. False, with errno, on failure. */
bool cli_unfinished_store(char path[CLI_PATH_MAX]);

/**
 * Cleans up folders that no run works on: moves the series of stored ones into `raw` and removes
 * them, and removes those of `who` without progress, which runs left that were killed early.
 */
void cli_unfinished_sweep(const char *folder, const char *who, const char *raw);

#endif
