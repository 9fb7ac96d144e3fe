/* SPDX-License-Identifier: BSD-3-Clause */
/** Warnings about what is not trusted: one reason is often that of a dozen. */
#ifndef SRV_CLI_REPORT_DOUBTS_H
#define SRV_CLI_REPORT_DOUBTS_H

#include <stdio.h>

/**
 * Writes the lines of a report's warnings. Where four or more are "! WHAT not trusted: REASON" with
 * one reason, its numbers apart, the first of them becomes "! not trusted, REASON: WHAT, WHAT ...",
 * with the range of the reason's first number, and stands for all.
 */
void report_write_doubts(FILE *to, const char *lines);

#endif
