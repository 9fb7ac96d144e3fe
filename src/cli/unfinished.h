/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Folders of measurements under way, unfinished-HOST.XXXXXX: what a run that was killed leaves, a
 * later one on the same host may take up. A lock on the folder says that a run is at work on it.
 */
#ifndef SRV_CLI_UNFINISHED_H
#define SRV_CLI_UNFINISHED_H

#include "output.h"

/** In such a folder, the profile so far. */
#define CLI_PROGRESS_FILE "progress.json"

/**
 * Opens such a folder within `folder`, writes its path into `path` and returns its descriptor,
 * which is the lock; -1, with errno, on failure. With `resume` it is the latest of those with a
 * profile so far that nobody is at work on, if there is one; else a new one.
 */
int cli_unfinished_open(const char *folder, bool resume, char path[CLI_PATH_MAX]);

#endif
