/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/cache_sizes.h"

#include <math.h>

/*
 * How common a size is among the designs of cores and processors since 1995, from their data sheets, as
 * a logarithm: first levels by their size (of some 120 designs half have 32 KiB, a fifth 64, six or
 * eight each 16, 24 and 48), larger caches by the multiple of a power of two that they are.
 */
static const struct {
    double kib, prior;
} small_sizes[] = {
    {4, -4}, {8, -3}, {12, -4}, {16, -1.7}, {24, -1.7}, {32, 0}, {48, -1.5}, {64, -0.5}, {96, -4}, {128, -2}, {192, -4},
};

static const struct {
    int multiple;
    double prior;
} multiples[] = {{1, 0}, {3, -2}, {5, -4}, {7, -4}, {9, -4}, {11, -4}, {13, -4}, {15, -4}};

/* From here on a size is known by its multiple. */
static const double LARGE_KIB = 256;

/* Five caches in a hundred of an octave are none of these: 33 MiB, 38.5 MiB. */
static const double OTHER = -3;

enum { SMALL_COUNT = sizeof small_sizes / sizeof *small_sizes, MULTIPLE_COUNT = sizeof multiples / sizeof *multiples };

static int add_size(double bytes, double prior, double low, double high, srv_size *sizes, int n)
{
    if (bytes < low || bytes > high || n == SRV_SIZES_MAX)
        return n;
    sizes[n] = (srv_size){bytes, prior};
    return n + 1;
}

int srv_sizes_list(double low, double high, srv_size sizes[SRV_SIZES_MAX])
{
    int n = 0;
    for (int i = 0; i < SMALL_COUNT; i++)
        n = add_size(1024 * small_sizes[i].kib, small_sizes[i].prior, low, high, sizes, n);
    double from = fmax(low, 1024 * LARGE_KIB);
    for (int i = 0; i < MULTIPLE_COUNT; i++)
        for (double bytes = multiples[i].multiple * exp2(ceil(log2(from / multiples[i].multiple)));
             bytes <= high; bytes *= 2)
            n = add_size(bytes, multiples[i].prior, low, high, sizes, n);
    return n;
}

double srv_sizes_other(void)
{
    return OTHER;
}
