/* SPDX-License-Identifier: BSD-3-Clause */
/** Statistics of samples (share/doc/measuring.md describes their use and the reasons). */
#ifndef SRV_STATS_ROBUST_H
#define SRV_STATS_ROBUST_H

#include <stdbool.h>
#include <stddef.h>

/** Sorts ascending, in place. */
void srv_sort(double *samples, size_t n);

/** Quantile q (0..1) of ascending samples, n > 0, interpolated between neighbours. */
double srv_sorted_quantile(const double *sorted, size_t n, double q);

/** Removes outliers, which are more than three quartile ranges beyond the quartiles: `*sorted`
 * becomes the first remaining sample; returns the number of remaining samples. */
size_t srv_fence(double **sorted, size_t n);

/** The undisturbed value, estimated from a set of samples. */
typedef struct srv_spread {
    double median, minimum;
    double low, high; /**< quartiles */
    size_t n;
} srv_spread;

/** Sorts `samples` in place and summarises them; n > 0. */
srv_spread srv_spread_of(double *samples, size_t n);

/** Returns the standard error of the median of samples, measured by a clock with steps of `step`
 * (in the samples' unit). The clock's part of the error does not decrease with the number of
 * samples, because similar samples are rounded to the same value. */
double srv_median_error(const srv_spread *spread, double step);

enum { SRV_ROUND_SAMPLES_MAX = 1024 };

/** Returns the mean over a round of samples that repeat every `period` samples (at least 1, may be
 * a fraction). The `n` samples, 1 to SRV_ROUND_SAMPLES_MAX, follow each other. Differences within a
 * round are kept. With at least three rounds, a deviation in only one round is a disturbance and is
 * ignored; with fewer rounds, outliers are ignored. Overwrites `samples`. */
double srv_round_mean(double *samples, size_t n, double period);

/** Returns the number of ascending samples without a last one far above the others, which
 * interference or an unfavourable set of pages may have made slow. */
size_t srv_without_lone(const double *sorted, size_t n);

/** Marks the numbers, all positive or NaN, that are far below the others: less than their median by
 * this `ratio` (above 1), and by five standard deviations, which the median of all deviations
 * estimates. It is right while less than half of the numbers are outliers; NaN is none. Overwrites
 * the second half of `numbers`, which has room for 2 * n. */
void srv_find_low(double *numbers, size_t n, double ratio, bool *is_low);

#endif
