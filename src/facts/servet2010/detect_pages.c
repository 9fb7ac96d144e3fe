/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The probabilistic algorithm for physically indexed caches (IPDPS'10, Fig. 3), as it is printed.
 *
 * It reads large caches 6 to 12 % low: P(X > K) counts the page sets that overflow, not the
 * accesses that miss. A page misses if at least K *others* share its set, P(Y >= K) with Y ~ B(NP -
 * 1, K PS / CS), and that is reached by smaller sizes. The bias belongs to the method and is not
 * corrected; the default method has none.
 */
#include "facts/servet2010/detect_pages.h"

#include <math.h>

#include "stats/binomial.h"
#include "stats/grid2010.h"

/* Ways of real caches go from 2 to 24. All numbers between are tried, so that neighbouring values
 * of K support each other in the vote on CS. */
enum { WAYS_MIN = 2, WAYS_MAX = 24 };

/* The steps of the grid, of 1 MiB, times the points that each is compared with: seconds. A stretch
 * that takes more, up to years, is no cache's. */
static const double COMPARISONS_MAX = 0x1p21, STEP = 0x1p20;

/* The smallest capacity to try: a page, as the sizes of Fig. 1 are. */
static const double CAPACITY_MIN = 4096;

/* The fits that differ least, best first. */
typedef struct ranking {
    int count, max;
    struct {
        double capacity, divergence;
    } fit[SERVET_2010_VOTES_MAX];
} ranking;

/* The stretch as the algorithm sees it. */
typedef struct stretch {
    const servet_curve *curve;
    size_t first, last;
    double hit_time, miss_overhead, page_bytes;
} stretch;

static stretch stretch_of(const servet_curve *curve, size_t first, size_t last, double page_bytes)
{
    double least = INFINITY, most = 0;
    for (size_t i = first; i <= last; i++) {
        least = fmin(least, curve->latency[i]);
        most = fmax(most, curve->latency[i]);
    }
    return (stretch){curve, first, last, least, most - least, page_bytes};
}

/* Sum of |MR - P(X > K)|; ends early once it is above `limit`. */
static double divergence(const stretch *on, double capacity, int ways, double limit)
{
    double p = ways * on->page_bytes / capacity, sum = 0;
    for (size_t i = on->first; i <= on->last && sum <= limit; i++) {
        double miss_rate = (on->curve->latency[i] - on->hit_time) / on->miss_overhead;
        long pages = (long)(on->curve->bytes[i] / on->page_bytes);
        sum += fabs(miss_rate - srv_binomial_above(pages, p, ways));
    }
    return sum;
}

static double limit_of(const ranking *best)
{
    return best->count < best->max ? INFINITY : best->fit[best->count - 1].divergence;
}

static void keep(ranking *best, double capacity, double divergence)
{
    if (divergence >= limit_of(best))
        return;
    if (best->count < best->max)
        best->count++;
    int at = best->count - 1;
    for (; at > 0 && best->fit[at - 1].divergence > divergence; at--)
        best->fit[at] = best->fit[at - 1];
    best->fit[at].capacity = capacity;
    best->fit[at].divergence = divergence;
}

static int votes_for(const ranking *best, double capacity)
{
    int votes = 0;
    for (int i = 0; i < best->count; i++)
        votes += best->fit[i].capacity == capacity;
    return votes;
}

/* The statistical mode; of capacities with as many votes, the one that fits best. */
static srv_2010_size elect(const ranking *best)
{
    srv_2010_size size = {best->fit[0].capacity, INFINITY, 0, 0, true};
    for (int i = 0; i < best->count; i++) {
        double capacity = best->fit[i].capacity;
        if (votes_for(best, capacity) > votes_for(best, size.bytes))
            size.bytes = capacity;
        size.low = fmin(size.low, capacity);
        size.high = fmax(size.high, capacity);
    }
    size.share = (double)votes_for(best, size.bytes) / best->count;
    return size;
}

bool srv_2010_probabilistic(const servet_curve *curve, size_t first, size_t last, double above,
                            const servet_2010_options *options, srv_2010_size *size)
{
    double steps = (curve->bytes[last] - curve->bytes[first]) / STEP;
    if (steps * (double)(last - first + 1) > COMPARISONS_MAX)
        return false;
    stretch on = stretch_of(curve, first, last, options->page_bytes);
    ranking best = {.max = options->votes};
    double capacity = CAPACITY_MIN;
    while (capacity < curve->bytes[first] || capacity <= above)
        capacity = srv_grid2010_next(capacity);
    for (; capacity <= curve->bytes[last]; capacity = srv_grid2010_next(capacity))
        for (int ways = WAYS_MIN; ways <= WAYS_MAX; ways++)
            if (ways * on.page_bytes <= capacity)
                keep(&best, capacity, divergence(&on, capacity, ways, limit_of(&best)));
    if (best.count > 0)
        *size = elect(&best);
    return best.count > 0;
}
