/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Allows one job at a time to measure into a folder. A file at-work-WHO in the folder names the
 * job, which holds a lock on the file. The lock ends with the job, however that ends. Other hosts
 * see the lock if the file system has locks; otherwise only processes of this host do.
 */
#ifndef SRV_CLI_OUTPUT_AT_WORK_H
#define SRV_CLI_OUTPUT_AT_WORK_H

#include <stdbool.h>

#include "cli/output/path.h"

enum { CLI_AT_WORK_OTHER = -2 };

/**
 * Returns a descriptor for cli_at_work_end(); -1, with errno, after a failure; CLI_AT_WORK_OTHER if
 * another job measures into the folder, which `other` then names ("process 71 on n1").
 */
int cli_at_work_begin(const char *folder, const char *who, char other[CLI_PATH_MAX]);

/** Allows the next job. `lock` may be negative: nothing was begun. */
void cli_at_work_end(const char *folder, const char *who, int lock);

#endif
