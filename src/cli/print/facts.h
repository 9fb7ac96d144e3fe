/* SPDX-License-Identifier: BSD-3-Clause */
/** Prints facts of a profile by their keys, as lines and as JSON. */
#ifndef SRV_CLI_PRINT_FACTS_H
#define SRV_CLI_PRINT_FACTS_H

#include <stdbool.h>

#include "servet/keys.h"

/** The profile, class and core, and the choice of facts. */
typedef struct fact_source {
    const servet_profile *profile;
    servet_at at;
    bool trusted_only; /**< leave out facts that are not trusted */
} fact_source;

/* All print to stdout; errors are those of servet_profile_get(), and SERVET_EMEMORY. */

/** Prints the value of one fact; a list of sets has a line for each set. */
int facts_print_one(const fact_source *source, const char *key, servet_error *error);

/** Prints one fact as JSON: {"KEY": {"value", ...}}. */
int facts_print_one_json(const fact_source *source, const char *key, servet_error *error);

/** Prints a line KEY=VALUE for each fact, with blanks between sets of cores. */
int facts_print_all(const fact_source *source, servet_error *error);

/** Prints all facts as JSON, each as facts_print_one_json() does. */
int facts_print_all_json(const fact_source *source, servet_error *error);

#endif
