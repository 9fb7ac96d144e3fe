/* SPDX-License-Identifier: BSD-3-Clause */
/** Prints the text of `servet diff`. */
#ifndef SRV_CLI_PRINT_DIFF_H
#define SRV_CLI_PRINT_DIFF_H

#include <stdbool.h>
#include "servet/diff.h"

/**
 * Prints a comparison; `names` are the names of the two profiles. With `common`, a fact that only
 * one profile has is not a difference. `changed` says whether there is a difference. Returns false,
 * after an error message, without memory.
 */
typedef bool diff_printer(const servet_diff *diff, const char *const names[2], bool common,
                          bool changed);

/** Prints a line for each fact that differs, and a line with the numbers. */
diff_printer diff_print_text;

/** Prints the Test Anything Protocol, with a test for each fact. */
diff_printer diff_print_tap;

/** Prints one JSON document. */
diff_printer diff_print_json;

#endif
