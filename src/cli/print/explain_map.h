/* SPDX-License-Identifier: BSD-3-Clause */
/** `servet map --explain`. */
#ifndef SRV_CLI_PRINT_EXPLAIN_MAP_H
#define SRV_CLI_PRINT_EXPLAIN_MAP_H

#include <stdbool.h>
#include "servet/map.h"

/** Data of a step of the program beside its request. */
typedef struct explain_program {
    const char *messages; /**< describes the traffic; NULL: all-to-all is assumed */
    double computing;     /**< seconds that a process computes beside its messages; 0: not given */
} explain_program;

/**
 * Prints the predicted costs of Servet's placement and of the scheduler's two, with reasons, and
 * whether cores are better left idle. Errors: those of servet_map_create() and
 * servet_map_predict().
 */
int explain_map(const servet_profile *profile, const servet_map_request *request,
                const explain_program *program, bool json, servet_error *error);

#endif
