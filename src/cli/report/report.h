/* SPDX-License-Identifier: BSD-3-Clause */
/** Writes the report on a profile for people: its parts (parts.h, advice.h) in a document. */
#ifndef SRV_CLI_REPORT_REPORT_H
#define SRV_CLI_REPORT_REPORT_H

#include <stdbool.h>

#include "cli/report/document.h"
#include "servet/profile.h"

/** Adds the warnings and doubts about a class and core. */
void report_warnings(document *to, const servet_profile *profile, const servet_at *at);

/**
 * Adds the measured facts about the class and core that `at` names; if it names no core, about
 * every core type of the class. `reason` says in a few words why missing facts were not measured;
 * NULL if that is not known.
 */
void report_results(document *to, const servet_profile *profile, const servet_at *at,
                    const char *reason);

/** Prints on stdout the machine, warnings, advice and results; `at` NULL means this node. Errors:
 * SERVET_EMEMORY. */
int cli_report(const servet_profile *profile, const servet_at *at, const char *reason,
               servet_error *error);

/** Prints the profile's facts about communication, the same for all classes; nothing if it has
 * none. Errors: SERVET_EMEMORY. */
int cli_report_network(const servet_profile *profile, servet_error *error);

/**
 * Returns a sentence, which the caller frees: whether the class that `at` names (NULL: each) is fit
 * for use and, if not, what to do. NULL without memory, or if there is no such class. `*fit` is the
 * answer.
 */
char *cli_report_fitness(const servet_profile *profile, const servet_at *at, bool *fit);

/** Prints that sentence, if there is one. */
void cli_print_fitness(const servet_profile *profile, const servet_at *at);

/** The text of servet_profile_doubtful() for a class that exists, which the caller frees; NULL
 * without memory. */
char *cli_report_doubtful(const servet_profile *profile, const servet_at *at);

#endif
