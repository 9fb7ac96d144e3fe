/* SPDX-License-Identifier: BSD-3-Clause */
/** Prints the reasons for results: `--explain` of `measure` and of `analyze DIR`. */
#ifndef SRV_CLI_PRINT_EXPLAIN_FINDINGS_H
#define SRV_CLI_PRINT_EXPLAIN_FINDINGS_H

#include "servet/explain.h"
#include "servet/profile.h"

/** Prints the findings for people, on stdout. */
void explain_findings_print(const servet_findings *findings);

/**
 * Prints the profile as one JSON document with the findings as "explanation" in it, on stdout.
 * Errors: SERVET_EMEMORY. cli_finish_output() reports whether it could be written.
 */
int explain_findings_dump(const servet_profile *profile, const servet_findings *findings,
                          servet_error *error);

#endif
