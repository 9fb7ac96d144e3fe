/* SPDX-License-Identifier: BSD-3-Clause */
/** `servet map --explain`. */
#ifndef SRV_CLI_PRINT_EXPLAIN_MAP_H
#define SRV_CLI_PRINT_EXPLAIN_MAP_H

#include <stdbool.h>
#include "servet/map.h"

/**
 * Prints what Servet's placement and the scheduler's two are predicted to cost, and why, and
 * whether cores are better left idle; `messages` says in words what the request's processes send,
 * NULL for what is assumed where that is not known. Errors: those of servet_map_create() and
 * servet_map_predict().
 */
int explain_map(const servet_profile *profile, const servet_map_request *request,
                const char *messages, bool json, servet_error *error);

#endif
