/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The interval of a quantity that was measured several times. A curve's quantities have the
 * interval of its fit instead (facts/cache/detect_capacity.c).
 */
#ifndef SRV_STATS_INTERVAL_H
#define SRV_STATS_INTERVAL_H

#include <stddef.h>

/** An estimate and its 95 % interval. */
typedef struct srv_interval {
    double value, low, high;
} srv_interval;

/**
 * The median of `count` > 0 positive visits, and the interval that holds the true median in 95 % of
 * all series. From six visits on it is taken by ranks, whatever the distribution: of one mode or of
 * two, skewed, or rounded by a clock. With fewer it is Student's t interval of the logarithms, and
 * supposes one mode. It supposes that visits are independent: visits that drift, or that see the
 * same state of the machine for a while, make it too narrow. A single visit is its own interval.
 * Overwrites `visits`.
 */
srv_interval srv_interval_of(double *visits, size_t count);

/** The deviation that visits of several rows of a series have in common. All zero: of none. */
typedef struct srv_pooled {
    double squares; /**< sum of squares of logarithms about the mean of their row */
    int freedom;    /**< degrees of it */
} srv_pooled;

/** Adds the `count` > 0 positive visits of a row. */
void srv_pool(srv_pooled *pooled, const double *visits, size_t count);

/**
 * The median of the visits of a row, and Student's t interval with the deviation of all rows: a few
 * visits of many rows tell more about it than those of one. Without degrees of freedom it is the
 * median alone. Overwrites `visits`.
 */
srv_interval srv_interval_pooled(const srv_pooled *pooled, double *visits, size_t count);

/** The same by ranks for any number of ascending samples, as many of which as `independent` (at
 * least 1) say something new. That of fewer than six is their range. */
srv_interval srv_interval_by_ranks(const double *sorted, size_t count, double independent);

/** The mean of n > 0 samples at different places, with two standard errors on either side that do
 * not go beyond the samples: what a fit weighs a point by. Visits of one quantity have
 * srv_interval_of(). */
srv_interval srv_mean_of(const double *samples, size_t n);

#endif
