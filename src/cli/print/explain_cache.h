/* SPDX-License-Identifier: BSD-3-Clause */
/** Prints reasons for the cache levels of a curve: the steps that were left out, and `--explain`.
 */
#ifndef SRV_CLI_PRINT_EXPLAIN_CACHE_H
#define SRV_CLI_PRINT_EXPLAIN_CACHE_H

#include <jansson.h>

#include "servet/analyze.h"

/** Prints the reasons for people, on stdout. */
void explain_cache_print(const servet_explanation *explanation);

/** Prints the steps of the curve that are neither a level nor a TLB, each with its reason; nothing
 * if there are none. */
void explain_cache_print_left_out(const servet_explanation *explanation);

/** The same steps as an array; NULL if memory ran out. */
json_t *explain_cache_left_out_json(const servet_explanation *explanation);

/** The reasons as an array; NULL if memory ran out. */
json_t *explain_cache_json(const servet_explanation *explanation);

#endif
