/* SPDX-License-Identifier: BSD-3-Clause */
/** Why the cache levels of a curve are what they are: `--explain`. */
#ifndef SRV_CLI_PRINT_EXPLAIN_CACHE_H
#define SRV_CLI_PRINT_EXPLAIN_CACHE_H

#include <jansson.h>

#include "servet/analyze.h"

/** Prints the reasons for people, on stdout. */
void explain_cache_print(const servet_explanation *explanation);

/** The reasons as an array; NULL if memory ran out. */
json_t *explain_cache_json(const servet_explanation *explanation);

#endif
