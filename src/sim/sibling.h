/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The foreign thread of a core (of another guest, for example), which works in bursts: the times of
 * its bursts on the machine's clock, the lines that it has brought into the core's caches, and its
 * slowdown of the core.
 */
#ifndef SRV_MODEL_SIBLING_H
#define SRV_MODEL_SIBLING_H

#include "sim/model.h"

/** Slow-down of a core while its sibling works. */
#define SRV_SIBLING_SLOWDOWN 1.4

typedef struct srv_sibling {
    const srv_model_sibling *model;
    uint64_t random;
    bool at_work;
    double now_ns, until_ns; /**< time on the clock of the machine up to which it was followed, and
                                of its next change */
    double ahead_ns;         /**< of the machine's clock before that of the core's loads */
    double worked_ns;        /**< its working time for which the caches are simulated */
    unsigned changes;        /**< how often it has begun or ended */
} srv_sibling;

/** A sibling at time 0: it works with the probability `model->busy`. The model must outlive it. */
void srv_sibling_begin(srv_sibling *sibling, const srv_model_sibling *model, uint64_t seed);

/** Adds `seed` to the random numbers of later times. */
void srv_sibling_stir(srv_sibling *sibling, uint64_t seed);

/**
 * Sets `now_ns` on the clock of the core's loads equal to `clock_ns` on the machine's, or to the
 * end of the simulated time of the sibling, if that is later. Its work in between does not change
 * the caches.
 */
void srv_sibling_leap(srv_sibling *sibling, double now_ns, double clock_ns);

/** Advances it to `clock_ns` on the clock of the machine; does nothing if that is past. */
void srv_sibling_follow(srv_sibling *sibling, double clock_ns);

/**
 * Advances it to `now_ns` on the clock of the core's loads. Returns the slow-down of loads then; 1:
 * none.
 */
static inline double srv_sibling_slowdown(srv_sibling *sibling, double now_ns)
{
    srv_sibling_follow(sibling, sibling->ahead_ns + now_ns);
    return sibling->at_work ? SRV_SIBLING_SLOWDOWN : 1;
}

/**
 * The working time in which the sibling of a core of `ghz` inserts as many lines into a cache as it
 * has places; 0: it does not use the cache, or there is no sibling.
 */
double srv_sibling_turnover_ns(const srv_model_sibling *model, const srv_model_cache *cache,
                               double ghz);

#endif
