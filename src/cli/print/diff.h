/* SPDX-License-Identifier: BSD-3-Clause */
/** Text that `servet diff` prints. */
#ifndef SRV_CLI_PRINT_DIFF_H
#define SRV_CLI_PRINT_DIFF_H

#include <stdbool.h>
#include "servet/diff.h"

/**
 * Prints a difference; `names` are those of the two profiles. With `common`, a fact that only one
 * of them has is no difference; `changed`: whether there is a difference. False, after an error
 * message: no memory.
 */
typedef bool diff_printer(const servet_diff *diff, const char *const names[2], bool common,
                          bool changed);

/** A line for each fact that is not the same, and one that counts. */
diff_printer diff_print_text;

/** The Test Anything Protocol: a test for each fact. */
diff_printer diff_print_tap;

/** One document. */
diff_printer diff_print_json;

#endif
