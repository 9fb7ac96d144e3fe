/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds the saturation of a rate: the number of cores, or of loads in flight, with almost the best
 * rate.
 */
#ifndef SRV_STATS_SATURATION_H
#define SRV_STATS_SATURATION_H

#include <stdbool.h>

/** The rate with `count` cores or loads, and the range of its visits. */
typedef struct srv_rate {
    int count;
    double rate, low, high;
    int visits; /**< number of visits with the range low to high; 0: unknown, treated as many */
} srv_rate;

enum { SRV_RATES_MAX = 1024 };

/** Share of the best rate that counts as saturated: repeated measurements differ by some percent.
 */
#define SRV_SATURATED 0.95

/** The number that is measured after `count`, from 0 on: 1, 2, 3, 4, 6, 8, 12, 16, ..., the powers
 * of two and the numbers halfway between, up to `all`, which is the last one; then more. */
static inline int srv_next_count(int count, int all)
{
    bool is_power = (count & (count - 1)) == 0;
    int next = count < 2 ? count + 1 : is_power ? count + count / 2 : count / 3 * 4;
    if (count >= all)
        return count + 1;
    return next > all ? all : next;
}

/** A number of cores or chains, and the interval of this number because of noise. */
typedef struct srv_enough {
    int count, fewest, most;
} srv_enough;

/** Returns the index of the best of `n` rates (1 to SRV_RATES_MAX), which are ordered by ascending
 * counts. If the ranges of several rates overlap with the range of the largest one, the median of
 * these rates is returned: the largest of many measurements of one value is too large. A rate far
 * above both of its neighbours is ignored, unless rates grew up to it: growth that has ended does
 * not begin again. */
int srv_best_rate(const srv_rate *rates, int n);

/** Returns the first count whose rate is at least SRV_SATURATED times the best one. The interval
 * begins behind the last count whose rate is too low even at its upper limit, because all numbers
 * between two measured ones are possible. It ends at the first count whose rate suffices at its
 * lower limit. A limit differs from the rate by half the range of its visits, or half a usual range
 * if that is larger; by more if there are few visits, and by at least `resolution` (relative). */
srv_enough srv_saturation(const srv_rate *rates, int n, double resolution);

#endif
