/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/interval.h"

#include <math.h>

#include "stats/robust.h"

/* Half of a 95 % interval in standard deviations. */
static const double HALF_DEVIATIONS = 1.96;

/* Correction of the number of visits outside the interval on each side. The number of visits below
 * the median has a standard deviation of sqrt(n) / 2. Positions between two visits are
 * interpolated, which needs this correction: with 6 to 64 visits of normal and exponential
 * distributions, 94.7 to 96.8 % of the intervals contain the median. */
static const double INTERPOLATED = 0.4;

/* Limits an interval to this factor on each side, unless the visits themselves are further apart:
 * the interval of two visits could reach over many orders of magnitude. */
static const double FACTOR_MAX = 10;

srv_interval srv_interval_by_ranks(const double *sorted, size_t count, double independent)
{
    double outside = independent / 2 - HALF_DEVIATIONS / 2 * sqrt(independent) - INTERPOLATED;
    double share = independent < SRV_RANKS_MIN ? 0 : outside / (independent - 1);
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

static double mean_of(const double *samples, size_t n)
{
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += samples[i] / (double)n;
    return mean;
}

/* Returns the 97.5 % quantile of Student's distribution: from a table for up to four degrees of
 * freedom, by the series of Cornish and Fisher for more, which is exact within 1 %. */
static double student(int freedom)
{
    static const double table[] = {12.706, 4.303, 3.182, 2.776};
    const double z = HALF_DEVIATIONS;
    return freedom <= 4 ? table[freedom - 1]
                        : z + (pow(z, 3) + z) / (4.0 * freedom) +
                              (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96.0 * freedom * freedom);
}

/* The interval around the mean of ascending logarithms, with the median in it. */
static srv_interval about_mean(const double *logs, size_t count, double error, int freedom)
{
    double median = srv_sorted_quantile(logs, count, 0.5), mean = mean_of(logs, count);
    double range = (logs[count - 1] - logs[0]) / 2;
    double half = fmin(student(freedom) * error, fmax(log(FACTOR_MAX), range));
    return (srv_interval){median, fmin(median, mean - half), fmax(median, mean + half)};
}

static srv_interval by_student(const double *logs, size_t count)
{
    double error = deviation_of(logs, count, mean_of(logs, count)) / sqrt((double)count);
    return about_mean(logs, count, error, (int)count - 1);
}

static void sort_logs(double *visits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        visits[i] = log(visits[i]);
    srv_sort(visits, count);
}

static srv_interval without_logs(const srv_interval *logs)
{
    return (srv_interval){exp(logs->value), exp(logs->low), exp(logs->high)};
}

srv_interval srv_interval_of(double *visits, size_t count)
{
    sort_logs(visits, count);
    srv_interval logs = count > 1 && count < SRV_RANKS_MIN
                            ? by_student(visits, count)
                            : srv_interval_by_ranks(visits, count, (double)count);
    return without_logs(&logs);
}

void srv_pool(srv_pooled *pooled, const double *visits, size_t count)
{
    double mean = 0;
    for (size_t i = 0; i < count; i++)
        mean += log(visits[i]) / (double)count;
    for (size_t i = 0; i < count; i++)
        pooled->squares += pow(log(visits[i]) - mean, 2);
    pooled->freedom += (int)count - 1;
}

srv_interval srv_interval_pooled(const srv_pooled *pooled, double *visits, size_t count)
{
    sort_logs(visits, count);
    double median = srv_sorted_quantile(visits, count, 0.5);
    srv_interval logs = {median, median, median};
    if (pooled->freedom > 0)
        logs = about_mean(visits, count, sqrt(pooled->squares / pooled->freedom / (double)count),
                          pooled->freedom);
    return without_logs(&logs);
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

servet_payoff srv_payoff_of(double low, double high)
{
    if (low > 1 + SRV_MESSAGE_NOISE)
        return SERVET_PAYOFF_PAYS;
    return high < 1 / (1 + SRV_MESSAGE_NOISE) ? SERVET_PAYOFF_LOSES : SERVET_PAYOFF_EVEN;
}
