/* SPDX-License-Identifier: BSD-3-Clause */
/** `servet analyze messages`. */
#ifndef SRV_CLI_ANALYZE_MESSAGES_H
#define SRV_CLI_ANALYZE_MESSAGES_H

#include <stdbool.h>

#include "servet/analyze.h"

/** Prints the protocols of the times of messages in the file, as JSON or for people; returns an
 * exit status. */
int analyze_messages(const char *path, const servet_printed *printed, bool json);

#endif
