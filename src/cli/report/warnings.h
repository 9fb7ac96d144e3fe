/* SPDX-License-Identifier: BSD-3-Clause */
/** Warnings, which come before all tables, because they would be overlooked there. */
#ifndef SRV_CLI_REPORT_WARNINGS_H
#define SRV_CLI_REPORT_WARNINGS_H

#include <stdio.h>

#include "servet/profile.h"

/** Writes the warnings about a class and core, or, with NULL, about communication: a line each that
 * begins with "! ". */
void report_write_warnings(FILE *to, const servet_profile *profile, const servet_at *at);

/** The same on stdout, wrapped at the width of the report. */
void report_print_warnings(const servet_profile *profile, const servet_at *at);

#endif
