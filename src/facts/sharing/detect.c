/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/sharing/detect.h"

#include <math.h>

/* Disturbances slow a load down; it is too fast where the other core was held up. */
static const double STRAY_UP = 0.05, STRAY_DOWN = 0.01;

/* --- odds ------------------------------------------------------------------------------------- */

static double likelihood(const srv_expected *expected, double seen)
{
    double off = seen < expected->low    ? expected->low - seen
                 : seen > expected->high ? seen - expected->high
                                         : 0;
    double z = off > 0 ? off / expected->spread : 0;
    return fmax(expected->stray, exp(-z * z / 2));
}

double srv_contrast_odds(const srv_contrast *contrast, double seen)
{
    if (contrast->shared.spread == 0 || isnan(seen))
        return 0;
    return log(likelihood(&contrast->shared, seen) / likelihood(&contrast->apart, seen));
}

double srv_odds_of_tests(double one, double other)
{
    if (one * other < 0)
        return one + other;
    return fabs(one) > fabs(other) ? one : other;
}

double srv_odds_probability(double odds)
{
    return 1 / (1 + exp(-odds));
}

/* --- interference ----------------------------------------------------------------------------- */

/* Two cores with private caches above lose less to each other than one core with both sets, and
 * their sets rarely get equal parts of the cache: of the models, the least loss of a sharing pair
 * is 0.6 of that of one core with both. Cores apart stay within what the placement of pages does.
 */
static const double SHARED_SPREAD = 0.25, APART_SPREAD = 0.1; /* of the gap between the two */

/* Below this rise, relative to the time alone, a measurement cannot be distinguished from noise. */
static const double RISE_LEAST = 0.15;

/* A set beyond the caches above is larger by this factor: else they keep most of it. */
static const double BEYOND_ABOVE = 1.2;

static double gap_of(const srv_doubling *doubling)
{
    return doubling->twice - doubling->once;
}

/* Least loss of a core that shares the cache: its own caches above keep a larger part of its set
 * than those of one core keep of both sets, and only the rest reaches the cache. */
static double loss_of(const srv_doubling *doubling, double above_bytes)
{
    double above = fmin(above_bytes / doubling->bytes, 1 / BEYOND_ABOVE);
    return gap_of(doubling) * (1 - above) / (1 - above / 2);
}

/* How far apart the hypotheses are, in units of their spreads; 0: too near. */
static double separation(const srv_doubling *doubling, double above_bytes)
{
    double loss = loss_of(doubling, above_bytes);
    if (!(loss > RISE_LEAST * doubling->once))
        return 0;
    return loss /
           (hypot(doubling->once_spread, doubling->twice_spread) + APART_SPREAD * gap_of(doubling));
}

int srv_sharing_choose(const srv_doubling *doublings, int count, double above_bytes)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (doublings[i].bytes > BEYOND_ABOVE * above_bytes &&
            separation(&doublings[i], above_bytes) > 0 &&
            (best < 0 ||
             separation(&doublings[i], above_bytes) > separation(&doublings[best], above_bytes)))
            best = i;
    return best;
}

srv_contrast srv_interference(const srv_doubling *doubling, double above_bytes)
{
    double gap = gap_of(doubling);
    return (srv_contrast){
        .shared = {doubling->once + loss_of(doubling, above_bytes), INFINITY,
                   fmax(SHARED_SPREAD * gap, doubling->twice_spread), STRAY_DOWN},
        .apart = {-INFINITY, doubling->once, fmax(APART_SPREAD * gap, doubling->once_spread),
                  STRAY_UP},
    };
}

/* Times closer than this are alike: one contains the path between two caches. */
static const double FACTOR_LEAST = 1.3;

/* A hit takes its usual time, while a miss may be served by another cache nearer than the level
 * behind this one: from halfway there on (in logarithms) it is no hit. */
static const double REUSE_SPREAD = 0.15, APART_FROM = 0.5;

/* The best of many rounds is rarely disturbed. */
static const double STRAY_BEST = 0.015;

/* On a cache with turnover, misses are weak evidence, however many. */
static const double STRAY_TURNOVER = 0.8;

srv_contrast srv_reuse(double here_ns, double beyond_ns, double above_share, bool has_turnover)
{
    if (!(here_ns > 0) || !(beyond_ns > FACTOR_LEAST * here_ns))
        return (srv_contrast){0};
    double shared = log((1 - above_share) * here_ns + above_share * beyond_ns);
    double distance = log(beyond_ns) - shared, spread = REUSE_SPREAD * distance;
    return (srv_contrast){
        .shared = {-INFINITY, shared, spread, has_turnover ? STRAY_TURNOVER : STRAY_BEST},
        .apart = {shared + APART_FROM * distance, INFINITY, spread, STRAY_DOWN},
    };
}

/* A line that was only read may come sooner than a modified one, by so much. */
static const double TRANSFER_LEAST = 0.85;

srv_contrast srv_reuse_of_pair(srv_contrast reuse, double transfer_ns)
{
    reuse.apart.low = fmin(reuse.apart.low, log(TRANSFER_LEAST * transfer_ns));
    return reuse;
}

/* A core that shares the cache evicts all of the set, or a part if the policy favours lines used
 * before; other cores evict none of it, except through an inclusive cache behind. */
static const double LOST_FROM = 0.6, KEPT_TO = 0.15, EVICTED_SPREAD = 0.1;

/* Visits that must all have lost the set: bursts last as long as a visit. */
static const double LOST_VISITS = 3;

srv_contrast srv_evicted(double kept_ns, double lost_ns)
{
    if (!(kept_ns > 0) || !(lost_ns > FACTOR_LEAST * kept_ns))
        return (srv_contrast){0};
    double kept = log(kept_ns), distance = log(lost_ns) - kept, spread = EVICTED_SPREAD * distance;
    return (srv_contrast){
        .shared = {kept + LOST_FROM * distance, INFINITY, spread, STRAY_DOWN},
        .apart = {-INFINITY, kept + KEPT_TO * distance, spread, STRAY_UP},
    };
}

double srv_evicted_odds(const srv_contrast *contrast, double least_ns, int visits)
{
    double own = srv_contrast_odds(contrast, log(least_ns));
    return own > 0 ? own * visits / LOST_VISITS : own * visits;
}
