/* SPDX-License-Identifier: BSD-3-Clause */
/** The report for people that `show` and `measure` print. */
#ifndef SRV_CLI_REPORT_REPORT_H
#define SRV_CLI_REPORT_REPORT_H

#include <stdbool.h>

#include "servet/profile.h"

/**
 * Prints on stdout the profile's facts about the class and core that `at` names; if it names no
 * core, about every core kind of the class. NULL means this node. Warnings come first. `reason`, in
 * a few words, is why missing facts were not measured; NULL if it is not known.
 */
void cli_report(const servet_profile *profile, const servet_at *at, const char *reason);

/** Prints the profile's facts about communication, the same for all classes; nothing if it has
 * none. */
void cli_report_network(const servet_profile *profile);

/**
 * Prints in one line whether the class that `at` names (NULL: each) is fit for use and, if not,
 * what to do. Returns whether it is.
 */
bool cli_report_fitness(const servet_profile *profile, const servet_at *at);

/** The text of servet_profile_doubtful() for a class that exists, which the caller frees; NULL
 * without memory. */
char *cli_report_doubtful(const servet_profile *profile, const servet_at *at);

#endif
