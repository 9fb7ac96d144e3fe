/* SPDX-License-Identifier: BSD-3-Clause */
/** The interval of a quantity that was measured several times. Quantities that come from the fit of
 * a curve have the interval of the fit instead (facts/cache/detect_capacity.c). */
#ifndef SRV_STATS_INTERVAL_H
#define SRV_STATS_INTERVAL_H

#include <stddef.h>

#include "servet/network.h"

/** An estimate and its 95 % interval. */
typedef struct srv_interval {
    double value, low, high;
} srv_interval;

/** With this number of visits or more, two of them enclose the median in 95 % of all series. */
enum { SRV_RANKS_MIN = 6 };

/** Returns the median of `count` > 0 positive visits, and an interval that contains the true median
 * in 95 % of all series. With SRV_RANKS_MIN visits or more, the interval ends at ranks. It is valid
 * for every distribution: with one mode or two, skewed, or rounded by a clock. With fewer visits,
 * it is Student's t interval of the logarithms, which assumes one mode. Visits must be independent:
 * if they drift, or see the same state of the machine for a while, the interval is too narrow. A
 * single visit is its own interval. Overwrites `visits`. */
srv_interval srv_interval_of(double *visits, size_t count);

/** The common deviation of the visits in several rows of a series. All zero: no row was added. */
typedef struct srv_pooled {
    double squares; /**< sum of squares of logarithms about the mean of their row */
    int freedom;    /**< degrees of freedom */
} srv_pooled;

/** Adds the `count` > 0 positive visits of a row to the common deviation. */
void srv_pool(srv_pooled *pooled, const double *visits, size_t count);

/** Returns the median of the visits of a row, and Student's t interval with the common deviation of
 * all rows: many rows with a few visits determine the deviation better than one row. Without
 * degrees of freedom, the interval is the median alone. Overwrites `visits`. */
srv_interval srv_interval_pooled(const srv_pooled *pooled, double *visits, size_t count);

/** Returns the median and an interval by ranks of any number of ascending samples, which count like
 * `independent` (at least 1) independent samples. If these are fewer than SRV_RANKS_MIN, the
 * interval is the range of the samples. */
srv_interval srv_interval_by_ranks(const double *sorted, size_t count, double independent);

/** Returns the mean of n > 0 samples at different places, and an interval of two standard errors on
 * each side, but not beyond the samples. A fit weights points by this interval. For visits of one
 * quantity, use srv_interval_of(). */
srv_interval srv_mean_of(const double *samples, size_t n);

/** Relative difference of equal times: medians of the same message differ by this from visit to
 * visit. */
#define SRV_MESSAGE_NOISE 0.02

/** Returns the payoff for the interval of the gain, which is the time of several messages divided
 * by the time of one. One message pays if the whole interval is above 1 by more than the noise, and
 * loses if it is below 1 by more than the noise. */
servet_payoff srv_payoff_of(double low, double high);

#endif
