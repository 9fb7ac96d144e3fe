/* SPDX-License-Identifier: BSD-3-Clause */
/** Facts of a profile by their keys, as lines and as JSON. */
#ifndef SRV_CLI_PRINT_FACTS_H
#define SRV_CLI_PRINT_FACTS_H

#include <stdbool.h>

#include "servet/keys.h"

/** Whose facts are printed, and which. */
typedef struct fact_source {
    const servet_profile *profile;
    servet_at at;
    bool trusted_only; /**< leave out the others */
} fact_source;

/* All print to stdout; errors are those of servet_profile_get(), and SERVET_EMEMORY. */

/** One fact: its value, sets of cores a line each. */
int facts_print_one(const fact_source *source, const char *key, servet_error *error);

/** The same as JSON: {"KEY": {"value", ...}}. */
int facts_print_one_json(const fact_source *source, const char *key, servet_error *error);

/** All: a line KEY=VALUE each, with blanks between sets of cores. */
int facts_print_all(const fact_source *source, servet_error *error);

/** All as JSON, each as facts_print_one_json() has it. */
int facts_print_all_json(const fact_source *source, servet_error *error);

#endif
