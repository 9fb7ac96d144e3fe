/* SPDX-License-Identifier: BSD-3-Clause */
/** `servet analyze scaling`. */
#ifndef SRV_CLI_ANALYZE_SCALING_H
#define SRV_CLI_ANALYZE_SCALING_H

#include <stdbool.h>

/** Prints the saturation point of the bandwidths in the file, as JSON or for people; returns an
 * exit status. `unit` is that of the bandwidths if the file has none; NULL: not known. */
int analyze_scaling(const char *path, const char *unit, bool json);

#endif
