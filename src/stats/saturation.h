/* SPDX-License-Identifier: BSD-3-Clause */
/** Saturation of a rate: the number of cores, or of loads in flight, that gets almost all that any
 * number gets. */
#ifndef SRV_STATS_SATURATION_H
#define SRV_STATS_SATURATION_H

/** A rate with `count` at once, and the range of its visits. */
typedef struct srv_rate {
    int count;
    double rate, low, high;
    int visits; /**< with the range low to high; 0: unknown, as if there were many */
} srv_rate;

enum { SRV_RATES_MAX = 1024 };

/** Share of the best rate that counts as saturated: measurements of a rate repeat to some percent.
 */
#define SRV_SATURATED 0.95

/** A number of cores or chains at once, and the interval of that number, given the noise. */
typedef struct srv_enough {
    int count, fewest, most;
} srv_enough;

/**
 * The index of the best of `n` rates (1 to SRV_RATES_MAX), by ascending counts. If the ranges of
 * several reach that of the largest one, it is the one of median rate: the largest of many
 * measurements of the same thing is too large. A rate far above both of its neighbours counts only
 * where rates grew up to it: growth that has ended does not begin again.
 */
int srv_best_rate(const srv_rate *rates, int n);

/**
 * The first count whose rate is SRV_SATURATED or more of the best. The interval begins behind the
 * last count whose rate is too low even at its upper limit, because all numbers between two
 * measured ones are possible. It ends at the first count whose rate suffices at its lower limit. A
 * limit is half of the range of the count's visits away, or of a usual range if that is more; it is
 * wider if there are few visits, and at least `resolution` (relative).
 */
srv_enough srv_saturation(const srv_rate *rates, int n, double resolution);

#endif
