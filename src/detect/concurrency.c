/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/concurrency.h"

static int largest(const srv_rate *rates, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (rates[i].rate > rates[best].rate)
            best = i;
    return best;
}

/* Whether this one may be as good as the largest. */
static int is_alike(const srv_rate *rate, const srv_rate *largest)
{
    return rate->high >= largest->low && rate->rate >= SRV_SATURATED * largest->rate;
}

int srv_detect_best(const srv_rate *rates, int n)
{
    const srv_rate *top = &rates[largest(rates, n)];
    int alike = 0;
    for (int i = 0; i < n; i++)
        alike += is_alike(&rates[i], top);
    for (int i = 0; i < n; i++) {
        int above = 0;
        for (int k = 0; k < n; k++)
            above += is_alike(&rates[k], top) &&
                     (rates[k].rate > rates[i].rate || (rates[k].rate == rates[i].rate && k < i));
        if (is_alike(&rates[i], top) && above == alike / 2)
            return i;
    }
    return largest(rates, n);
}

int srv_detect_saturation(const srv_rate *rates, int n)
{
    double enough = SRV_SATURATED * rates[srv_detect_best(rates, n)].rate;
    int first = 0;
    while (rates[first].rate < enough)
        first++;
    return first;
}
