/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/messages/detect.h"

#include <math.h>

#include "stats/robust.h"

enum { SIZES_MAX = 256 };

/* The number of batches with the same number of messages and the same payoff, from the first on. */
static int alike(const servet_batch *batches, int count)
{
    int n = 1;
    while (n < count && batches[n].messages == batches->messages &&
           batches[n].payoff == batches->payoff)
        n++;
    return n;
}

/* The least size, in whole bytes, beyond the place between two sizes where the payoff changes. */
static double limit_between(const servet_batch *a, const servet_batch *b)
{
    double before = log(a->gain.value), after = log(b->gain.value);
    double where = before * after < 0 ? before / (before - after) : 0.5;
    return fmin(b->bytes, ceil(a->bytes * pow(b->bytes / a->bytes, where)));
}

static servet_value gain_of(const servet_batch *batches, int count)
{
    double gains[SIZES_MAX];
    servet_value all = batches->gain;
    int n = count < SIZES_MAX ? count : SIZES_MAX;
    for (int i = 0; i < n; i++) {
        const servet_value *gain = &batches[i].gain;
        gains[i] = gain->value;
        all.low = fmin(all.low, gain->low);
        all.high = fmax(all.high, gain->high);
        all.samples = gain->samples < all.samples ? gain->samples : all.samples;
        all.trusted = all.trusted && gain->trusted;
    }
    srv_sort(gains, (size_t)n);
    all.value = srv_sorted_quantile(gains, (size_t)n, 0.5);
    return all;
}

int srv_detect_aggregation(const servet_batch *batches, int count, servet_aggregation *ranges)
{
    int made = 0;
    for (int first = 0, n; first < count; first += n) {
        n = alike(batches + first, count - first);
        const servet_batch *begin = batches + first, *last = begin + n - 1, *next = last + 1;
        bool goes_on = first > 0 && begin[-1].messages == begin->messages;
        bool ends = next == batches + count || next->messages != begin->messages;
        ranges[made] = (servet_aggregation){.messages = begin->messages,
                                            .from = goes_on ? ranges[made - 1].below : begin->bytes,
                                            .below = ends ? last->bytes : limit_between(last, next),
                                            .unbounded = ends,
                                            .payoff = begin->payoff,
                                            .gain = gain_of(begin, n)};
        made++;
    }
    return made;
}
