/* SPDX-License-Identifier: BSD-3-Clause */
/** Decides whether two cores share a cache. A measurement is compared with the expectation if they
 * do and if they do not; the answer is the logarithm of the odds, above 0 for "they do". Odds of
 * one test's visits add up. */
#ifndef SRV_FACTS_SHARING_DETECT_H
#define SRV_FACTS_SHARING_DETECT_H

#include <stdbool.h>

/** Values expected under a hypothesis: any from low to high, and chance deviations around that. */
typedef struct srv_expected {
    double low, high; /**< -INFINITY or INFINITY where there is no bound */
    double spread;    /**< standard deviation beside the bounds */
    double stray;     /**< share (0..1) of measurements that disturbances put anywhere */
} srv_expected;

/** Two hypotheses about the result of a measurement. */
typedef struct srv_contrast {
    srv_expected shared, apart;
} srv_contrast;

/** Log odds of one measurement `seen`; 0, no evidence, with a contrast that is all zero. */
double srv_contrast_odds(const srv_contrast *contrast, double seen);

/** Log odds of two tests. All rest on one capacity and one kind of pages, so that two which agree
 * may be wrong alike: the surer one counts. Two that disagree weaken each other. */
double srv_odds_of_tests(double one, double other);

/** The probability (0..1) that odds mean. */
double srv_odds_probability(double odds);

/** Log odds from which on a decision is final: 55 to 1. */
#define SRV_ODDS_SETTLED 4.0

/** Time of a load of a core alone, with a set of `bytes` and with one of twice the size; ns. */
typedef struct srv_doubling {
    double bytes;
    double once, once_spread; /**< mean and standard deviation over visits */
    double twice, twice_spread;
} srv_doubling;

/** Index of the sets that show sharing best; -1 if none does: two cores that share a cache take
 * about as long as one core with both sets, others as long as alone. Sets that fit into the caches
 * above (`above_bytes`) show nothing. */
int srv_sharing_choose(const srv_doubling *doublings, int count, double above_bytes);

/** Expected ns per load of a core while another one traverses a set, too. Each core's own caches
 * above (`above_bytes`) keep a larger part of one set than those of one core keep of both. */
srv_contrast srv_interference(const srv_doubling *doubling, double above_bytes);

/** Expected logarithm of the reader's ns per load: `here_ns` is the time of a core alone for as
 * large a set, `beyond_ns` for one that does not fit; up to `above_share` (0..1) of the set may be
 * in caches of the other core above, which are slower. On a cache with turnover, a set may be lost
 * before it is read: only hits are evidence then. All zero, no evidence, if the two times are too
 * close. */
srv_contrast srv_reuse(double here_ns, double beyond_ns, double above_share, bool has_turnover);

/** The same for two cores that pass a modified line in `transfer_ns` (NaN: unknown): caches that
 * are not shared may answer as fast. Where most of the set may lie above, both ranges then overlap,
 * and times in both are no evidence. */
srv_contrast srv_reuse_of_pair(srv_contrast reuse, double transfer_ns);

/** Expected logarithm of a core's ns per load after another core has traversed far more than the
 * cache holds: `kept_ns` without such a traversal, `lost_ns` after one of its own. All zero, no
 * evidence, if the two times are too close. */
srv_contrast srv_evicted(double kept_ns, double lost_ns);

/** Log odds that two cores share the cache, after `visits` visits at several moments, the fastest
 * of which took `least_ns`: interference only evicts lines, so all of several visits must have lost
 * them. */
double srv_evicted_odds(const srv_contrast *contrast, double least_ns, int visits);

#endif
