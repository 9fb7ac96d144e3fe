/* SPDX-License-Identifier: BSD-3-Clause */
/** Prints lines that fit the width of the report. */
#ifndef SRV_CLI_REPORT_WRAP_H
#define SRV_CLI_REPORT_WRAP_H

/** Limit of the columns of a line of the report. */
enum { REPORT_WIDTH = 100 };

/** Prints `label` and a text, up to its end or the end of its line, as lines of at most
 * REPORT_WIDTH columns; the second and later ones are indented by `indent`. */
void report_print_wrapped(const char *label, int indent, const char *text);

#endif
