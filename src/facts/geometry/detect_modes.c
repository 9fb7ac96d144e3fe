/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/geometry/detect_modes.h"

#include <math.h>
#include <stddef.h>

static double density(double away, double spread)
{
    double z = away / spread;
    return exp(-0.5 * z * z) / spread;
}

/* The effects of all pairs, counted in classes. */
enum { CLASSES = 1024, PASSES = 50 };
typedef struct histogram {
    double low, width;
    double count[CLASSES];
    double pairs;
} histogram;

static void count_effects(const float *effect, size_t n, histogram *all)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            least = fmin(least, effect[i * n + j]);
            most = fmax(most, effect[i * n + j]);
        }
    *all = (histogram){.low = least, .width = fmax(1e-12, most - least) / CLASSES};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double class = (effect[i * n + j] - least) / all->width;
            all->count[class < CLASSES ? (size_t) class : CLASSES - 1]++;
            all->pairs++;
        }
}

static double centre_of(const histogram *all, int class)
{
    return all->low + (class + 0.5) * all->width;
}

static double quantile_of(const histogram *all, double q)
{
    int class = 0;
    for (double below = all->count[0]; below < q * all->pairs; below += all->count[class])
        class ++;
    return centre_of(all, class);
}

/* One step of expectation maximisation: the probability of each class, then the classes that
 * follow. */
static srv_modes improve(const histogram *all, const srv_modes *old)
{
    double weight[2] = {0}, sum[2] = {0}, square[2] = {0};
    for (int class = 0; class < CLASSES; class ++) {
        double x = centre_of(all, class);
        double other = (1 - old->share) * density(x - old->other, old->spread[0]);
        double same = old->share * density(x - old->same, old->spread[1]), both = other + same;
        double part = both > 0 ? same / both : x >= old->same; /* far from either: the nearer one */
        double parts[2] = {1 - part, part};
        for (int k = 0; k < 2; k++) {
            weight[k] += parts[k] * all->count[class];
            sum[k] += parts[k] * all->count[class] * x;
            square[k] += parts[k] * all->count[class] * x * x;
        }
    }
    double mean[2], variance[2];
    for (int k = 0; k < 2; k++) {
        mean[k] = sum[k] / fmax(1e-9, weight[k]);
        variance[k] = square[k] / fmax(1e-9, weight[k]) - mean[k] * mean[k];
    }
    srv_modes now = {.other = mean[0], .same = mean[1]};
    now.share = fmin(0.5, fmax(weight[1], 1) / all->pairs);
    now.spread[0] = fmax(all->width, sqrt(fmax(0, variance[0])));
    now.spread[1] = fmax(now.spread[0] / 2, sqrt(fmax(0, variance[1])));
    return now;
}

/* A mixture of two normal distributions: most pairs are of different colours and around `other`,
 * the rest are of one colour. */
srv_modes srv_find_modes(const float *effect, int n)
{
    histogram all;
    count_effects(effect, (size_t)n, &all);
    double median = quantile_of(&all, 0.5), deviation = median - quantile_of(&all, 0.16);
    double spread = fmax(deviation, all.width);
    srv_modes found = {median, quantile_of(&all, 0.99), {spread, spread}, 0.05};
    for (int pass = 0; pass < PASSES; pass++)
        found = improve(&all, &found);
    return found;
}
