/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/robust.h"

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
