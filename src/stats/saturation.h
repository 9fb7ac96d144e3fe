/* SPDX-License-Identifier: BSD-3-Clause */
/** Saturation of a rate: the number of cores, or of loads in flight, that gets almost all that any
 * number gets. */
#ifndef SRV_STATS_SATURATION_H
#define SRV_STATS_SATURATION_H

/** A rate with `count` at once, and the range of its visits. */
typedef struct srv_rate {
    int count;
    double rate, low, high;
    int visits; /**< of which low and high are the range; 0: not told, as of many */
} srv_rate;

enum { SRV_RATES_MAX = 64 };

/** Share of the best rate that counts as saturated: measurements of a rate repeat to some percent.
 */
#define SRV_SATURATED 0.95

/** A number of things at once, and which it may be as well, for all that the noise lets see. */
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
 * The first count that gets SRV_SATURATED or more of the best. The interval begins behind the last
 * count that would not, even if it were faster by what is uncertain about it and about the best:
 * all numbers between two measured ones are possible. It ends at the first count that does although
 * it be slower by as much. What is uncertain is half of its range or of a usual one, whichever is
 * more, and more than that if few visits show it; never less than `resolution` (relative).
 */
srv_enough srv_saturation(const srv_rate *rates, int n, double resolution);

#endif
