/* SPDX-License-Identifier: BSD-3-Clause */
/** The report for people that `show` and `measure` print. */
#ifndef SRV_CLI_REPORT_REPORT_H
#define SRV_CLI_REPORT_REPORT_H

#include "servet/profile.h"

/**
 * Prints on stdout what the profile knows of the class and core that `at` means; with no core
 * named, of every core kind of the class. NULL means here. What needs attention comes first.
 * `reason`, in a few words, is why missing facts were not measured; NULL if it is not known.
 */
void cli_report(const servet_profile *profile, const servet_at *at, const char *reason);

/** Prints what the profile knows of communication, the same for all classes; nothing where it knows
 *  nothing. */
void cli_report_network(const servet_profile *profile);

/**
 * Prints in one line whether the class that `at` names (NULL: each) is fit for use and, if not,
 * what to do. Returns whether it is.
 */
bool cli_report_fitness(const servet_profile *profile, const servet_at *at);

#endif
