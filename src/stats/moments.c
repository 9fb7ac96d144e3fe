/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/moments.h"

#include <math.h>
#include <string.h>

#include "core/units.h"
#include "stats/interval.h"
#include "stats/robust.h"

/* Largest factor between a repeat and the median. No placement makes a machine ten times slower,
 * but a core that runs another process for a time slice is a thousand times slower. */
static const double TAKEN = 10;

/* Stores, ascending, the logarithms of the repeats within that factor of their median; returns
 * their number. If there is none, the median lies between two groups that are far apart, and all
 * repeats count. */
static int sort_logarithms(const srv_repeat *repeats, int count, double *logs)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        logs[i] = log(repeats[i].value);
    srv_sort(logs, (size_t)count);
    double middle = srv_sorted_quantile(logs, (size_t)count, 0.5);
    for (int i = 0; i < count; i++)
        if (fabs(logs[i] - middle) <= log(TAKEN))
            logs[kept++] = logs[i];
    return kept > 0 ? kept : count;
}

servet_value srv_repeats_value(const srv_repeat *repeats, int count, servet_unit unit)
{
    double visits[SRV_REPEATS_MAX];
    int kept = sort_logarithms(repeats, count, visits);
    for (int i = 0; i < kept; i++)
        visits[i] = exp(visits[i]);
    srv_interval median = srv_interval_of(visits, (size_t)kept);
    return srv_timed(median.value, median.low, median.high, kept, unit);
}

/* --- two modes -------------------------------------------------------------------------------- */

/* Share of the repeats that may have any value because of daemons and interrupts. */
static const double OUTLIERS = 0.05;

/* Equal repeats differ by this; modes closer than 5 % are not reported. */
static const double SPREAD_LEAST = 0.002, APART_LEAST = 0.05;

/* Least distance of modes in deviations: nearer ones have no valley. */
static const double APART_DEVIATIONS = 6;

/* Least logarithm of the likelihood ratio that proves two modes. It was chosen, together with
 * VALLEY, so that two modes are found in at most 1 % of the series with one mode in
 * tests/c/stats_moments.c. */
static const double EVIDENCE = 5.5;

/* VALLEY: most repeats between two modes. SHARE_LEAST: fewest at each. */
static const double VALLEY = 0.05, SHARE_LEAST = 0.1;
enum { MODE_LEAST = 3 };

enum { ROUNDS = 15 };

/* Sorted logarithms as a mixture: `share` of them around `mean[0]`, the rest around `mean[1]`. */
typedef struct mixture {
    double mean[2], share, deviation;
    double fit; /* logarithm of the likelihood */
} mixture;

typedef struct series {
    const double *logs;
    int count;
    double outlier; /* density of outliers, constant over the range */
} series;

static double normal(double x, double mean, double deviation)
{
    double off = (x - mean) / deviation;
    return exp(-0.5 * off * off) / (deviation * 2.50662827463100050);
}

/* Computes the density of a repeat in each mode; returns the sum with the density of an outlier. */
static double explain(const series *on, const mixture *by, double x, double part[2])
{
    part[0] = (1 - OUTLIERS) * by->share * normal(x, by->mean[0], by->deviation);
    part[1] = (1 - OUTLIERS) * (1 - by->share) * normal(x, by->mean[1], by->deviation);
    return part[0] + part[1] + OUTLIERS * on->outlier;
}

static double fit_of(const series *on, const mixture *by)
{
    double part[2], fit = 0;
    for (int i = 0; i < on->count; i++)
        fit += log(explain(on, by, on->logs[i], part));
    return fit;
}

/* One step of expectation maximisation; false if a mode lost all repeats. */
static bool improve(const series *on, mixture *by)
{
    double weight[2] = {0}, sum[2] = {0}, squares = 0;
    for (int i = 0; i < on->count; i++) {
        double part[2], density = explain(on, by, on->logs[i], part);
        for (int k = 0; k < 2; k++) {
            double off = on->logs[i] - by->mean[k];
            weight[k] += part[k] / density;
            sum[k] += part[k] / density * on->logs[i];
            squares += part[k] / density * off * off;
        }
    }
    bool one = by->share >= 1;
    if (weight[0] < 0.5 || (!one && weight[1] < 0.5))
        return false;
    for (int k = 0; k < 2 && weight[k] > 0; k++)
        by->mean[k] = sum[k] / weight[k];
    by->share = weight[0] / (weight[0] + weight[1]);
    by->deviation = fmax(SPREAD_LEAST, sqrt(squares / (weight[0] + weight[1])));
    return true;
}

static double squares_around(const double *logs, int count, double middle)
{
    double squares = 0;
    for (int i = 0; i < count; i++)
        squares += (logs[i] - middle) * (logs[i] - middle);
    return squares;
}

/* Fits a mixture; it starts with the first `split` repeats and the remaining ones as modes. With
 * `split` equal to their number, there is one mode. */
static mixture fit_from(const series *on, int split)
{
    int rest = on->count - split;
    double low = srv_sorted_quantile(on->logs, (size_t)split, 0.5);
    double high = rest > 0 ? srv_sorted_quantile(on->logs + split, (size_t)rest, 0.5) : low;
    double squares =
        squares_around(on->logs, split, low) + squares_around(on->logs + split, rest, high);
    mixture fit = {.mean = {low, high},
                   .share = (double)split / on->count,
                   .deviation = fmax(SPREAD_LEAST, sqrt(squares / on->count))};
    bool alive = true;
    for (int round = 0; round < ROUNDS && alive; round++)
        alive = improve(on, &fit);
    fit.fit = alive ? fit_of(on, &fit) : -INFINITY;
    return fit;
}

/* Fits one mode; it starts without outliers, which would widen the mode. */
static mixture fit_one(const series *on)
{
    mixture whole = fit_from(on, on->count), core = whole;
    double middle = srv_sorted_quantile(on->logs, (size_t)on->count, 0.5);
    double low = srv_sorted_quantile(on->logs, (size_t)on->count, 0.25);
    double high = srv_sorted_quantile(on->logs, (size_t)on->count, 0.75);
    core.mean[0] = middle;
    core.deviation = fmax(SPREAD_LEAST, (high - low) / 1.349);
    for (int round = 0; round < ROUNDS; round++)
        if (!improve(on, &core))
            return whole;
    core.fit = fit_of(on, &core);
    return core.fit > whole.fit ? core : whole;
}

static int count_between(const series *on, double from, double to)
{
    int count = 0;
    for (int i = 0; i < on->count; i++)
        count += on->logs[i] > from && on->logs[i] < to;
    return count;
}

/* Returns true if there is a valley between two modes. */
static bool is_apart(const series *on, const mixture *fit)
{
    double apart = fit->mean[1] - fit->mean[0], reach = apart / 3;
    double least = fmax(MODE_LEAST, SHARE_LEAST * on->count);
    int valley = count_between(on, fit->mean[0] + reach, fit->mean[1] - reach);
    for (int k = 0; k < 2; k++)
        if (count_between(on, fit->mean[k] - reach, fit->mean[k] + reach) < least)
            return false;
    return apart >= APART_LEAST && apart >= APART_DEVIATIONS * fit->deviation &&
           valley <= VALLEY * on->count;
}

void srv_repeats_modes(const srv_repeat *repeats, int count, servet_modes *modes)
{
    double logs[SRV_REPEATS_MAX];
    *modes = (servet_modes){0};
    if (count < SRV_MODES_LEAST)
        return;
    count = sort_logarithms(repeats, count, logs);
    if (count < SRV_MODES_LEAST)
        return;
    double range = logs[count - 1] - logs[0];
    if (range < APART_LEAST)
        return;
    series on = {logs, count, 1 / range};
    mixture two = {.fit = -INFINITY};
    for (int split = 2; split <= on.count - 2; split++) {
        mixture fit = fit_from(&on, split);
        two = fit.fit > two.fit ? fit : two;
    }
    if (two.fit - fit_one(&on).fit < EVIDENCE || !is_apart(&on, &two))
        return;
    *modes = (servet_modes){.count = 2,
                            .value = {exp(two.mean[0]), exp(two.mean[1])},
                            .share = {two.share, 1 - two.share}};
}

void srv_modes_join(servet_value *value, const servet_modes *modes)
{
    if (modes->count < 2)
        return;
    value->value = modes->value[value->unit == SERVET_UNIT_SECOND];
    value->low = fmin(value->low, modes->value[0]);
    value->high = fmax(value->high, modes->value[1]);
}
