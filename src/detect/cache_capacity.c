/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/cache_steps.h"

#include <math.h>

/* How finely knees are looked for (octaves), and in how many steps to each side at most. */
static const double RESOLUTION = 1.0 / 64;
enum { WALK_MAX = 81 };

/* Rise of the cost that is no reason yet to exclude a capacity: 95 % of chi-square with one degree
   of freedom. */
static const double COST_95 = 3.84;

/*
 * Simple sizes of caches: a multiple of a power of two, from which size on it occurs, by how much
 * more cost than a power of two must it be the better explanation on a grid of powers of two (finer
 * grids ask less), and, on fine grids, how far from the raw estimate it may lie (octaves times the
 * coarseness: 11, 11 and 5 % at four points per octave). Nine caches of ten are powers of two, and a
 * model that is off by a few percent at one point moves the knee of a coarse curve. On fine grids
 * what is left is the model's own error.
 */
static const struct {
    int multiple;
    double bytes_min, handicap, octaves;
} simple_sizes[] = {
    {1, 0, 0, 0.6},         {3, 0, 30, 0.6},        {5, 1 << 20, 60, 0.3},
    {7, 1 << 20, 60, 0.3},  {9, 1 << 20, 60, 0.3},  {11, 1 << 20, 60, 0.3},
    {13, 1 << 20, 60, 0.3}, {15, 1 << 20, 60, 0.3},
};

/* What being no simple size costs. */
static const double RAW_HANDICAP = 60;

/* The first step rises from a plateau that nothing has bent, so it asks for half of that. */
static const double FIRST_SHARE = 0.5;

/* From so many points per octave on (1 over this), the model's error counts for more than the
   grid's; on coarser grids simple sizes are looked for within so many octaves. */
static const double FINE_GRID = 0.5, COARSE_REACH = 1.25;

enum { SIMPLE_SIZES = sizeof simple_sizes / sizeof simple_sizes[0] };

/* Costs along one direction from the fitted knee, until no capacity beyond can matter. */
static int walk(srv_fitter *fitter, const srv_fit *fit, int k, double step, double *cost)
{
    double best = INFINITY;
    int n = 0;
    while (n < WALK_MAX) {
        cost[n] = srv_fit_cost_at(fitter, fit, k, fit->step[k].knee + n * step);
        best = fmin(best, cost[n]);
        if (cost[n++] > best + RAW_HANDICAP)
            break;
    }
    return n;
}

/* Sets raw, low and high from the cost of knees around the fitted one; returns the least cost. */
static double find_interval(srv_fitter *fitter, const srv_fit *fit, int k, srv_capacity *capacity)
{
    double cost[2][WALK_MAX], best = INFINITY, knee = fit->step[k].knee;
    int n[2];
    for (int side = 0; side < 2; side++) {
        n[side] = walk(fitter, fit, k, side ? RESOLUTION : -RESOLUTION, cost[side]);
        for (int i = 0; i < n[side]; i++)
            if (cost[side][i] < best) {
                best = cost[side][i];
                capacity->raw = exp2(knee + (side ? i : -i) * RESOLUTION);
            }
    }
    capacity->low = capacity->high = capacity->raw;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < n[side]; i++)
            if (cost[side][i] <= best + COST_95) {
                double bytes = exp2(knee + (side ? i : -i) * RESOLUTION);
                capacity->low = fmin(capacity->low, bytes);
                capacity->high = fmax(capacity->high, bytes);
            }
    return best;
}

/* An interval that several shapes or steps span may hold two powers of two. */
static const double INSIDE_OCTAVES = 1.0 / 3;

/*
 * The simple size nearest to the raw estimate, of the simplest multiple that lies near it or within the
 * interval, which knows how far apart the likely shapes are; else raw. With coarseness 0 the interval
 * alone counts.
 */
static double nearest_simple(const srv_capacity *capacity, double coarseness)
{
    for (int i = 0; i < SIMPLE_SIZES; i++) {
        double offset = log2(simple_sizes[i].multiple);
        double size = exp2(round(log2(capacity->raw) - offset) + offset);
        double apart = fabs(log2(size / capacity->raw));
        bool inside = size >= capacity->low && size <= capacity->high && apart < INSIDE_OCTAVES;
        if ((inside || apart <= simple_sizes[i].octaves * coarseness) && size >= simple_sizes[i].bytes_min)
            return round(size);
    }
    return capacity->raw;
}

/* The simple size whose cost, handicap included, is least and below `limit`; else raw. */
static double cheapest_simple(srv_fitter *fitter, const srv_fit *fit, int k, double limit,
                              double share, double raw)
{
    double from = fit->step[k].knee - COARSE_REACH, to = fit->step[k].knee + COARSE_REACH;
    double best = raw;
    for (int i = 0; i < SIMPLE_SIZES; i++) {
        double offset = log2(simple_sizes[i].multiple);
        for (double size = ceil(from - offset) + offset; size <= to; size++) {
            double cost = srv_fit_cost_at(fitter, fit, k, size) + simple_sizes[i].handicap * share;
            if (exp2(size) >= simple_sizes[i].bytes_min && cost < limit) {
                limit = cost;
                best = round(exp2(size));
            }
        }
    }
    return best;
}

/* The interval holds what is said to be the capacity. */
static srv_capacity widened(srv_capacity capacity)
{
    capacity.low = fmin(capacity.low, capacity.nominal);
    capacity.high = fmax(capacity.high, capacity.nominal);
    return capacity;
}

/*
 * Shapes differ in where they put the knee of a smeared step by up to half an octave, and noise or
 * the luck of page placement decides which of them fits best: one machine's 2 MiB came out as 1.75
 * or 2.4 MiB so, from curves that look alike. Their mean, each weighed by its likelihood, is steady.
 * Where the fit leaves no more than chance would, that is exp(-cost), not exp(-cost / 2): the points of
 * dense grids count by half in the cost. Where it leaves more, no shape is right, and the differences
 * between wrong ones mean less the more is left: six runs on that machine left 2.9 to 4.1 times the
 * least error, nine in ten machines that the shapes describe less than 2.2.
 */
static const double MISFIT_LIKELY = 2, MISFIT_POWER = 4;

static double cost_scale(const srv_fitter *fitter)
{
    return fmax(1, pow(fitter->misfit / MISFIT_LIKELY, MISFIT_POWER));
}

static void average_shapes(srv_fitter *fitter, const srv_fit *fit, int k, double best,
                           srv_capacity *capacity)
{
    double sum = 0, mean = 0, square = 0;
    for (int s = 0; s < SRV_SHAPE_COUNT; s++) {
        if (!(fitter->shapes_allowed & SRV_SHAPE_ONLY(s)))
            continue;
        double knee, cost = srv_fit_best_knee(fitter, fit, k, (srv_shape)s, &knee);
        double weight = exp(-fmax(0, cost - best) / cost_scale(fitter));
        sum += weight;
        mean += weight * knee;
        square += weight * knee * knee;
    }
    mean /= sum;
    double deviation = sqrt(fmax(0, square / sum - mean * mean));
    capacity->raw = exp2(mean);
    capacity->low = fmin(capacity->low, exp2(mean - deviation));
    capacity->high = fmax(capacity->high, exp2(mean + deviation));
}

static srv_capacity capacity_of(srv_fitter *fitter, const srv_fit *fit, int k)
{
    srv_capacity capacity;
    double cost = find_interval(fitter, fit, k, &capacity);
    if (fitter->coarseness >= FINE_GRID) {
        double share = fitter->coarseness * (k == 0 ? FIRST_SHARE : 1);
        capacity.nominal = cheapest_simple(fitter, fit, k, cost + RAW_HANDICAP * share, share,
                                           capacity.raw);
        return widened(capacity);
    }
    /* The first step is indexed inside a page: nothing smears it. */
    if (k > 0)
        average_shapes(fitter, fit, k, cost, &capacity);
    capacity.nominal = nearest_simple(&capacity, fitter->coarseness);
    return widened(capacity);
}

srv_capacity srv_step_capacity(srv_fitter *fitter, const srv_fit *fit, int k, int last)
{
    srv_capacity capacity = capacity_of(fitter, fit, k);
    if (last == k)
        return capacity;
    srv_capacity end = capacity_of(fitter, fit, last);
    capacity.high = end.high;
    capacity.raw = sqrt(capacity.raw * end.raw);
    /* Of a boundary that takes several steps nothing is known but from where to where it reaches. */
    capacity.nominal = nearest_simple(&capacity, fitter->fine ? 0 : fitter->coarseness);
    return widened(capacity);
}

/* What a level behind the first one shows by independent loads may lie so far off (octaves): where
 * others use the level behind it, misses of that begin within its own rise. A guest whose 1 MiB was
 * known gave 0.90 to 1.13 MiB while other work took half of its time. */
static const double RANDOM_OCTAVES = 1.0 / 8;

srv_capacity srv_capacity_told(const srv_fitter *fitter, int k, srv_capacity capacity)
{
    if (k == 0 || !srv_fitter_is_random(fitter))
        return capacity;
    capacity.low = fmin(capacity.low, capacity.raw) * exp2(-RANDOM_OCTAVES);
    capacity.high = fmax(capacity.high, capacity.raw) * exp2(RANDOM_OCTAVES);
    capacity.nominal = nearest_simple(&capacity, fitter->coarseness);
    return widened(capacity);
}
