/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Evaluates repeats of one measurement that were taken at different moments, each in memory of its
 * own: a value whose interval is the spread between repeats, and whether they fall into two modes.
 * Pure functions; share/doc/measuring.md gives the reasons and the error rates.
 */
#ifndef SRV_STATS_MOMENTS_H
#define SRV_STATS_MOMENTS_H

#include "servet/value.h"

/** One repeat: its result and its moment. */
typedef struct srv_repeat {
    double value;  /**< positive, in the unit of the measurement */
    double moment; /**< s, on the clock of the machine or network */
    int buffer;    /**< number of the memory that it used; no two repeats of a fact share one */
} srv_repeat;

/** More repeats add nothing: a mode of a twentieth of the time would be among these. */
enum { SRV_REPEATS_MAX = 64 };

/** Least number of repeats that can show two modes: three of each. */
enum { SRV_MODES_LEAST = 6 };

/**
 * Median of `count` repeats, 1 to SRV_REPEATS_MAX, with its interval (stats/interval.h). Repeats
 * ten times and more off the median do not count, unless all are: somebody took the core. `samples`
 * is the number of the others.
 */
servet_value srv_repeats_value(const srv_repeat *repeats, int count, servet_unit unit);

/**
 * Finds two modes among `count` repeats: a mixture of two lognormal modes of equal relative
 * spread and a few outliers explains them far better than one such mode, they lie further apart
 * than they are wide, next to nothing lies between them, and each has three repeats and a tenth of
 * all. modes->count is then 2, the smaller value first, shares sum up to 1; else 0.
 */
void srv_repeats_modes(const srv_repeat *repeats, int count, servet_modes *modes);

#endif
