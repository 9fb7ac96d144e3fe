/* SPDX-License-Identifier: BSD-3-Clause */
/** `servet analyze messages`, `scaling` and `loaded`. */
#ifndef SRV_CLI_ANALYZE_TABLES_H
#define SRV_CLI_ANALYZE_TABLES_H

#include <stdbool.h>

#include "servet/analyze.h"

/** Prints the error, with the name of the file if it names none; returns an exit status. */
int analyze_failed(const char *path, servet_error *error);

/** Prints the protocols of the times of messages in the file, as JSON or for people; returns an
 * exit status. */
int analyze_messages(const char *path, const servet_printed *printed, bool json);

/** Prints the saturation point of the bandwidths in the file, as JSON or for people; returns an
 * exit status. `unit` is that of the bandwidths if the file has none; NULL: not known. */
int analyze_scaling(const char *path, const char *unit, bool json);

/** Prints the values of the curve of bandwidth and latency in the file, as JSON or for people;
 * returns an exit status. */
int analyze_loaded(const char *path, bool json);

#endif
