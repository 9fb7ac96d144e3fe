/* SPDX-License-Identifier: BSD-3-Clause */
/** `servet analyze DIR`. */
#ifndef SRV_CLI_ANALYZE_FOLDER_H
#define SRV_CLI_ANALYZE_FOLDER_H

#include <stdbool.h>

/**
 * Analyzes the measurement in the folder (a run's, or its raw/) again; prints the profile, as JSON
 * or as a report, and with `explain` the reasons. Returns an exit status.
 */
int analyze_folder(const char *path, bool json, bool explain);

#endif
