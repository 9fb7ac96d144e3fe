/* SPDX-License-Identifier: BSD-3-Clause */
/** Chooses the points of a long curve that are shown. */
#ifndef SRV_CLI_REPORT_THIN_H
#define SRV_CLI_REPORT_THIN_H

#include <stdbool.h>

/**
 * Chooses at most `most` (at least 2) of `n` points with positive coordinates, x ascending: both
 * ends, then the points that are farthest, on logarithmic scales, from the lines between the points
 * chosen so far. So knees stay visible, which every n-th point would hide. Sets shown[0..n-1].
 */
void report_thin(const double *x, const double *y, int n, int most, bool *shown);

#endif
