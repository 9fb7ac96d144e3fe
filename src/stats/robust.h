/* SPDX-License-Identifier: BSD-3-Clause */
/** Robust statistics of samples: order statistics, never means (share/doc/measuring.md says why). */
#ifndef SRV_STATS_ROBUST_H
#define SRV_STATS_ROBUST_H

#include <stddef.h>

/** Sorts ascending, in place. */
void srv_sort(double *samples, size_t n);

/** Quantile q (0..1) of ascending samples, n > 0, interpolated between neighbours. */
double srv_sorted_quantile(const double *sorted, size_t n, double q);

/** What a set of samples says about the undisturbed value. */
typedef struct srv_spread {
    double median, minimum;
    double low, high; /**< quartiles */
    size_t n;
} srv_spread;

/** Sorts `samples` in place and summarises them; n > 0. */
srv_spread srv_spread_of(double *samples, size_t n);

#endif
