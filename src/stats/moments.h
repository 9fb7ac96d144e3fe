/* SPDX-License-Identifier: BSD-3-Clause */
/** Evaluates repeats of one measurement at different moments, each with different memory: computes
 * a value whose interval is the spread between repeats, and finds whether they have two modes. The
 * functions are pure; share/doc/measuring.md gives the reasons and the error rates. */
#ifndef SRV_STATS_MOMENTS_H
#define SRV_STATS_MOMENTS_H

#include "servet/value.h"

/** One repeat: its result and its moment. */
typedef struct srv_repeat {
    double value;  /**< positive, in the unit of the measurement */
    double moment; /**< s, on the clock of the machine or network */
    int buffer;    /**< number of the memory that it used, different for each repeat of a fact */
} srv_repeat;

/** Limit of repeats: a mode with a twentieth of the time is found among so few already. */
enum { SRV_REPEATS_MAX = 64 };

/** Least number of repeats that can show two modes: three in each mode. */
enum { SRV_MODES_LEAST = 6 };

/** Returns the median of `count` repeats, 1 to SRV_REPEATS_MAX, with its interval
 * (stats/interval.h). Repeats that differ from the median by a factor of ten or more are ignored,
 * unless all do: another process had the core. `samples` is the number of the remaining repeats. */
servet_value srv_repeats_value(const srv_repeat *repeats, int count, servet_unit unit);

/** Finds two modes among `count` repeats. There are two if a mixture of two lognormal modes with
 * equal relative spread and a few outliers explains the repeats much better than one mode, if the
 * distance of the modes is larger than their width, if almost no repeats lie between them, and if
 * each has at least three repeats and a tenth of all. modes->count is then 2, the smaller value
 * comes first, and the shares add up to 1; otherwise it is 0. */
void srv_repeats_modes(const srv_repeat *repeats, int count, servet_modes *modes);

/** A value with two modes becomes the slower one, a longer time or a lower rate, on which programs
 * can count, and its interval contains both. A value with one mode stays. */
void srv_modes_join(servet_value *value, const servet_modes *modes);

#endif
