/* SPDX-License-Identifier: BSD-3-Clause */
/** `servet analyze loaded`. */
#ifndef SRV_CLI_ANALYZE_LOADED_H
#define SRV_CLI_ANALYZE_LOADED_H

#include <stdbool.h>

/** Prints the values of the curve of bandwidth and latency in the file, as JSON or for people;
 * returns an exit status. */
int analyze_loaded(const char *path, bool json);

#endif
