/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/saturation.h"

#include <math.h>
#include <stdbool.h>

#include "stats/robust.h"

/* Half ranges above its neighbours by which a rate is not due to chance. */
static const double STICKS_OUT = 3;

/* The rates without outliers. */
typedef struct smooth {
    const srv_rate *rates;
    int n;
    double noise; /* half of a usual range, relative */
    double rate[SRV_RATES_MAX];
} smooth;

/* --- chance ----------------------------------------------------------------------------------- */

static double half_range(const srv_rate *rate)
{
    return (rate->high - rate->low) / 2 / rate->rate;
}

static bool is_growth(const smooth *on, int i)
{
    return on->rates[i].rate * (1 - on->noise) > on->rates[i - 1].rate * (1 + on->noise);
}

/* True if rates still grew before the i-th. */
static bool grew(const smooth *on, int i)
{
    return i < 2 || is_growth(on, i - 1);
}

/* Removes peaks and dips; growing rates equal their median, but the last. */
static double smoothed(const smooth *on, int i)
{
    int from = i < 1 ? 0 : i > on->n - 2 ? on->n - 3 : i - 1;
    double three[3] = {on->rates[from].rate, on->rates[from + 1].rate, on->rates[from + 2].rate};
    srv_sort(three, 3);
    double rate = on->rates[i].rate, median = three[1];
    double range = fmax(on->noise, half_range(&on->rates[i]));
    if (i == 0)
        return fmin(rate, median);
    if (i == on->n - 1 && grew(on, i) && is_growth(on, i))
        return rate;
    return grew(on, i) && rate - median > STICKS_OUT * range * median ? rate : median;
}

static smooth without_luck(const srv_rate *rates, int n)
{
    double halves[SRV_RATES_MAX];
    for (int i = 0; i < n; i++)
        halves[i] = half_range(&rates[i]);
    srv_sort(halves, (size_t)n);
    smooth made = {.rates = rates, .n = n, .noise = srv_sorted_quantile(halves, (size_t)n, 0.5)};
    for (int i = 0; i < n; i++)
        made.rate[i] = n < 3 ? rates[i].rate : smoothed(&made, i);
    return made;
}

/* --- the best --------------------------------------------------------------------------------- */

static int largest(const smooth *on)
{
    int best = 0;
    for (int i = 1; i < on->n; i++)
        if (on->rate[i] > on->rate[best])
            best = i;
    return best;
}

static bool is_alike(const smooth *on, int i, double top)
{
    double as_good = fmin(SRV_SATURATED, 1 - on->noise);
    return on->rate[i] >= as_good * top && on->rate[i] * (1 + on->noise) >= top * (1 - on->noise);
}

/* Returns the median of all rates that may equal the largest one. */
static int best_of(const smooth *on)
{
    double top = on->rate[largest(on)];
    int alike = 0;
    for (int i = 0; i < on->n; i++)
        alike += is_alike(on, i, top);
    for (int i = 0; i < on->n; i++) {
        int above = 0;
        for (int k = 0; k < on->n; k++)
            above += is_alike(on, k, top) &&
                     (on->rate[k] > on->rate[i] || (on->rate[k] == on->rate[i] && k < i));
        if (is_alike(on, i, top) && above == alike / 2)
            return i;
    }
    return largest(on);
}

int srv_best_rate(const srv_rate *rates, int n)
{
    smooth on = without_luck(rates, n);
    return best_of(&on);
}

/* --- enough ----------------------------------------------------------------------------------- */

/* Returns the largest factor, in nine of ten cases, between the error of a median and half the
 * range of its visits (normally distributed errors). The range of two visits is often too small; a
 * single visit has no range. */
static double beyond_range(int visits)
{
    static const double factors[] = {1, 2, 2, 1.3};
    return visits < (int)(sizeof factors / sizeof *factors) ? factors[visits] : 1;
}

static double uncertainty(const smooth *on, int i, double resolution)
{
    double half = fmax(on->noise, half_range(&on->rates[i]));
    return fmax(resolution, half * beyond_range(on->rates[i].visits));
}

srv_enough srv_saturation(const srv_rate *rates, int n, double resolution)
{
    smooth on = without_luck(rates, n);
    double enough = SRV_SATURATED * on.rate[best_of(&on)];
    double halves[SRV_RATES_MAX], top = on.rate[largest(&on)];
    int alike = 0;
    for (int i = 0; i < on.n; i++)
        if (is_alike(&on, i, top))
            halves[alike++] = uncertainty(&on, i, resolution);
    srv_sort(halves, (size_t)alike);
    double of_best = srv_sorted_quantile(halves, (size_t)alike, 0.5) / sqrt(alike);
    int first = n - 1, earliest = n - 1, latest = n - 1;
    for (int i = n - 2; i >= 0; i--) {
        double chance = hypot(uncertainty(&on, i, resolution), of_best);
        first = on.rate[i] >= enough ? i : first;
        earliest = on.rate[i] * (1 + chance) >= enough ? i : earliest;
        latest = on.rate[i] * (1 - chance) >= enough ? i : latest;
    }
    return (srv_enough){.count = rates[first].count,
                        .fewest = earliest > 0 ? rates[earliest - 1].count + 1 : rates[0].count,
                        .most = rates[latest].count};
}
