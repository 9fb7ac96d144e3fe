/* SPDX-License-Identifier: BSD-3-Clause */
/** Points of a long curve that are shown. */
#ifndef SRV_CLI_REPORT_THIN_H
#define SRV_CLI_REPORT_THIN_H

#include <stdbool.h>

/**
 * Chooses at most `most` (at least 2) of `n` points with positive coordinates, x ascending: both
 * ends, then those that lie farthest from the lines, on logarithmic scales, between the ones chosen
 * so far. No knee is hidden, as it would be by each n-th point. shown[0..n-1] is set.
 */
void report_thin(const double *x, const double *y, int n, int most, bool *shown);

#endif
