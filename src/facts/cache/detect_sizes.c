/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/detect_sizes.h"

#include <math.h>

/*
 * How common sizes are among the cores and processors of thirty years: a logarithm, to a whole
 * number, from data sheets. Of first levels 32 KiB is the usual size, then 48 (Intel since 2019,
 * Zen 5) and 64; 16, 24 and 128 belong to a few families each. Larger caches are classified by
 * their multiple of a power of two: second levels of 1.25 MiB and last levels of 2.5 MiB a core are
 * as common as multiples of 3.
 */
static const struct {
    double kib, prior;
} small_sizes[] = {
    {4, -4},  {8, -4},  {12, -4}, {16, -2},  {24, -2},  {32, 0},
    {48, -1}, {64, -1}, {96, -4}, {128, -2}, {192, -4},
};

static const struct {
    int multiple;
    double prior, kib_min; /* from which size on it occurs */
} multiples[] = {{1, 0, 256},   {3, -2, 256},   {5, -2, 1024},  {7, -4, 1024},
                 {9, -4, 1024}, {11, -4, 1024}, {13, -4, 1024}, {15, -4, 1024}};

/* Five caches in a hundred of an octave are none of these: 33 MiB, 38.5 MiB. */
static const double OTHER = -3;

enum {
    SMALL_COUNT = sizeof small_sizes / sizeof *small_sizes,
    MULTIPLE_COUNT = sizeof multiples / sizeof *multiples
};

static int add_size(double bytes, double prior, double low, double high, srv_size *sizes, int n)
{
    if (bytes < low || bytes > high || n == SRV_BUILT_SIZES_MAX)
        return n;
    sizes[n] = (srv_size){bytes, prior};
    return n + 1;
}

int srv_sizes_list(double low, double high, srv_size sizes[SRV_BUILT_SIZES_MAX])
{
    int n = 0;
    for (int i = 0; i < SMALL_COUNT; i++)
        n = add_size(1024 * small_sizes[i].kib, small_sizes[i].prior, low, high, sizes, n);
    for (int i = 0; i < MULTIPLE_COUNT; i++) {
        double from = fmax(low, 1024 * multiples[i].kib_min) / multiples[i].multiple;
        for (double unit = exp2(ceil(log2(from))); unit * multiples[i].multiple <= high; unit *= 2)
            n = add_size(unit * multiples[i].multiple, multiples[i].prior, low, high, sizes, n);
    }
    return n;
}

double srv_sizes_density(double knee, double error)
{
    srv_size sizes[SRV_BUILT_SIZES_MAX];
    const double peak = 1 / (error * sqrt(2 * acos(-1)));
    double sum = exp(OTHER);
    int n = srv_sizes_list(exp2(knee - SRV_SIZE_ERRORS_MAX * error),
                           exp2(knee + SRV_SIZE_ERRORS_MAX * error), sizes);
    for (int i = 0; i < n; i++) {
        double z = (knee - log2(sizes[i].bytes)) / error;
        sum += peak * exp(sizes[i].prior - z * z / 2);
    }
    return sum;
}

double srv_sizes_other(void)
{
    return OTHER;
}
