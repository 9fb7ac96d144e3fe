/* SPDX-License-Identifier: BSD-3-Clause */
/** `servet analyze layers`. */
#ifndef SRV_CLI_ANALYZE_LAYERS_H
#define SRV_CLI_ANALYZE_LAYERS_H

#include <stdbool.h>

/** Prints the layers of the matrix in the file, as JSON or for people; returns an exit status. */
int analyze_layers(const char *path, bool json);

#endif
