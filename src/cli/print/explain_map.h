/* SPDX-License-Identifier: BSD-3-Clause */
/** Prints the text of `servet map --explain`. */
#ifndef SRV_CLI_PRINT_EXPLAIN_MAP_H
#define SRV_CLI_PRINT_EXPLAIN_MAP_H

#include <stdbool.h>
#include "servet/map.h"

/** Data about a step of the program, in addition to the request. */
typedef struct explain_program {
    const char *messages; /**< describes the traffic; NULL: all-to-all is assumed */
    double computing;     /**< seconds that a process computes in a step; 0: not given */
} explain_program;

/**
 * Prints the predicted costs of Servet's placement and of the scheduler's two placements, with
 * reasons, and whether cores should stay idle. Errors: those of servet_map_create() and
 * servet_map_predict().
 */
int explain_map(const servet_profile *profile, const servet_map_request *request,
                const explain_program *program, bool json, servet_error *error);

#endif
