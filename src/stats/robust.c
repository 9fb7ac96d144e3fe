/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/robust.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void srv_sort(double *samples, size_t n)
{
    qsort(samples, n, sizeof *samples, ascending);
}

double srv_sorted_quantile(const double *sorted, size_t n, double q)
{
    double position = q * (double)(n - 1);
    size_t below = (size_t)position;
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

srv_spread srv_spread_of(double *samples, size_t n)
{
    srv_sort(samples, n);
    return (srv_spread){
        .median = srv_sorted_quantile(samples, n, 0.5),
        .minimum = samples[0],
        .low = srv_sorted_quantile(samples, n, 0.25),
        .high = srv_sorted_quantile(samples, n, 0.75),
        .n = n,
    };
}

/* The quartiles of a normal distribution are 1.349 standard deviations apart. The standard error of
 * its median is 1.253 times the error of its mean. The difference of two rounded readings has a
 * standard deviation of step / sqrt(6). */
static const double QUARTILES_APART = 1.349, MEDIAN_ERROR = 1.253, ROUNDED_TWICE = 0.408;

double srv_median_error(const srv_spread *spread, double step)
{
    double deviation = (spread->high - spread->low) / QUARTILES_APART;
    return hypot(MEDIAN_ERROR * deviation / sqrt((double)spread->n), ROUNDED_TWICE * step);
}

/* With this number of rounds or more, their median shows which one was disturbed. */
enum { ROUNDS_ENOUGH = 3 };

/* Outliers are beyond the quartiles by this many quartile ranges (Tukey). */
static const double FENCE = 3;

size_t srv_fence(double **sorted, size_t n)
{
    double low = srv_sorted_quantile(*sorted, n, 0.25),
           high = srv_sorted_quantile(*sorted, n, 0.75);
    double room = FENCE * (high - low);
    while ((*sorted)[n - 1] > high + room)
        n--;
    for (; **sorted < low - room; n--)
        ++*sorted;
    return n;
}

static double fenced_mean(double *samples, size_t n)
{
    srv_sort(samples, n);
    size_t kept = srv_fence(&samples, n);
    double sum = 0;
    for (size_t i = 0; i < kept; i++)
        sum += samples[i];
    return sum / (double)kept;
}

double srv_round_mean(double *samples, size_t n, double period)
{
    size_t phases = (size_t)(period + 0.5);
    if ((double)n < ROUNDS_ENOUGH * period)
        return fenced_mean(samples, n);
    double sum = 0, told = 0;
    for (size_t k = 0; k < phases; k++) {
        double phase[SRV_ROUND_SAMPLES_MAX];
        size_t m = 0;
        for (size_t i = 0; i < n; i++)
            if ((size_t)(fmod((double)i, period) / period * (double)phases) == k)
                phase[m++] = samples[i];
        srv_sort(phase, m);
        double median = m > 0 ? srv_sorted_quantile(phase, m, 0.5) : NAN;
        sum += isnan(median) ? 0 : median;
        told += !isnan(median);
    }
    return sum / told;
}

/* Least distance of a lone sample from the other samples: in ranges of these, and as a factor. */
static const double LONE_RANGES_MIN = 3, LONE_RATIO_MIN = 1.05;

size_t srv_without_lone(const double *sorted, size_t n)
{
    if (n < 3)
        return n;
    bool far = sorted[n - 1] - sorted[n - 2] > LONE_RANGES_MIN * (sorted[n - 2] - sorted[0]);
    return far && sorted[n - 1] > LONE_RATIO_MIN * sorted[n - 2] ? n - 1 : n;
}

/* The median of the deviations of a normal distribution is 0.6745 standard deviations. Among a
 * thousand normal numbers, one beyond five occurs in one of 3000 sets. */
static const double DEVIATIONS_MAX = 5, MEDIAN_DEVIATION = 0.6745;

static double median_of(double *numbers, size_t n)
{
    srv_sort(numbers, n);
    return n > 0 ? srv_sorted_quantile(numbers, n, 0.5) : NAN;
}

void srv_find_low(double *numbers, size_t n, double ratio, bool *is_low)
{
    double *work = numbers + n;
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(numbers[i]))
            work[known++] = numbers[i];
    double median = median_of(work, known);
    for (size_t i = 0; i < known; i++)
        work[i] = fabs(work[i] - median);
    double most = DEVIATIONS_MAX / MEDIAN_DEVIATION * median_of(work, known);
    for (size_t i = 0; i < n; i++)
        is_low[i] = median > ratio * numbers[i] && median - numbers[i] > most;
}
