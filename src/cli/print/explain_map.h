/* SPDX-License-Identifier: BSD-3-Clause */
/** `servet map --explain`. */
#ifndef SRV_CLI_PRINT_EXPLAIN_MAP_H
#define SRV_CLI_PRINT_EXPLAIN_MAP_H

#include <stdbool.h>
#include "servet/map.h"

/**
 * Prints the predicted costs of Servet's placement and of the scheduler's two, with reasons, and
 * whether cores are better left idle; `messages` describes what the request's processes send, NULL
 * for the assumption that is made if that is not known. Errors: those of servet_map_create() and
 * servet_map_predict().
 */
int explain_map(const servet_profile *profile, const servet_map_request *request,
                const char *messages, bool json, servet_error *error);

#endif
