/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/interval.h"

#include <math.h>

#include "stats/robust.h"

/* Visits from which on two of them enclose the median in 95 % of all series. */
enum { RANKS_MIN = 6 };

/* Half of a 95 % interval in standard deviations. */
static const double HALF_DEVIATIONS = 1.96;

/* Visits on each side that are outside: the number below the median deviates by half of the root of
 * their number. The share between two visits is interpolated, for which this is subtracted: 6 to 64
 * visits of normal and of exponential distributions are then held in 94.7 to 96.8 %. */
static const double INTERPOLATED = 0.4;

/* Factor that limits an interval, unless the visits themselves are further apart: that of two may
 * reach over many orders of magnitude. */
static const double FACTOR_MAX = 10;

srv_interval srv_interval_by_ranks(const double *sorted, size_t count, double independent)
{
    double outside = independent / 2 - HALF_DEVIATIONS / 2 * sqrt(independent) - INTERPOLATED;
    double share = independent < RANKS_MIN ? 0 : outside / (independent - 1);
    return (srv_interval){srv_sorted_quantile(sorted, count, 0.5),
                          srv_sorted_quantile(sorted, count, share),
                          srv_sorted_quantile(sorted, count, 1 - share)};
}

static double deviation_of(const double *samples, size_t n, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (samples[i] - mean) * (samples[i] - mean);
    return n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
}

/* The t interval of the mean of 2 to RANKS_MIN - 1 ascending logarithms, with the median in it. */
static srv_interval by_student(const double *logs, size_t count)
{
    static const double student[] = {12.706, 4.303, 3.182, 2.776}; /* 97.5 %, by count - 2 */
    double median = srv_sorted_quantile(logs, count, 0.5), mean = 0;
    for (size_t i = 0; i < count; i++)
        mean += logs[i] / (double)count;
    double error = deviation_of(logs, count, mean) / sqrt((double)count);
    double half =
        fmin(student[count - 2] * error, fmax(log(FACTOR_MAX), (logs[count - 1] - logs[0]) / 2));
    return (srv_interval){median, fmin(median, mean - half), fmax(median, mean + half)};
}

srv_interval srv_interval_of(double *visits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        visits[i] = log(visits[i]);
    srv_sort(visits, count);
    srv_interval logs = count > 1 && count < RANKS_MIN
                            ? by_student(visits, count)
                            : srv_interval_by_ranks(visits, count, (double)count);
    return (srv_interval){exp(logs.value), exp(logs.low), exp(logs.high)};
}

srv_interval srv_mean_of(const double *samples, size_t n)
{
    srv_interval mean = {0, INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        mean.value += samples[i] / (double)n;
        mean.low = fmin(mean.low, samples[i]);
        mean.high = fmax(mean.high, samples[i]);
    }
    double error = 2 * deviation_of(samples, n, mean.value) / sqrt((double)n);
    mean.low = fmin(mean.value, fmax(mean.low, mean.value - error)); /* sums are rounded */
    mean.high = fmax(mean.value, fmin(mean.high, mean.value + error));
    return mean;
}
