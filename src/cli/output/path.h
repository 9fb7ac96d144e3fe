/* SPDX-License-Identifier: BSD-3-Clause */
/** Paths of files that the programs write. */
#ifndef SRV_CLI_OUTPUT_PATH_H
#define SRV_CLI_OUTPUT_PATH_H

#include "servet/error.h"

enum { CLI_PATH_MAX = SERVET_ERROR_FILE_MAX };

#endif
