/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Lets one job at a time measure into a folder. A file there, at-work-WHO, names the job, which
 * holds a lock on it: however the job ends, the lock ends with it. Other hosts see the lock if the
 * file system has locks; otherwise only processes of this host do.
 */
#ifndef SRV_CLI_OUTPUT_AT_WORK_H
#define SRV_CLI_OUTPUT_AT_WORK_H

#include <stdbool.h>

#include "cli/output/path.h"

enum { CLI_AT_WORK_OTHER = -2 };

/**
 * Returns a descriptor for cli_at_work_end(); -1, with errno, on failure; CLI_AT_WORK_OTHER where
 * another job is at work, which `other` then names ("process 71 on n1").
 */
int cli_at_work_begin(const char *folder, const char *who, char other[CLI_PATH_MAX]);

/** Lets the next one in. `lock` may be negative: nothing was begun. */
void cli_at_work_end(const char *folder, const char *who, int lock);

#endif
