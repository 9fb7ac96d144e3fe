/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Distinguishes capacity from turnover by loads at other access rates.
 *
 * A capacity shows at every rate in the same place. A cache whose content other users replace keeps
 * a line for a time, not for a number of bytes: the boundary it shows is (access rate) x (that
 * time) and moves with the rate.
 */
#ifndef SRV_FACTS_CACHE_DETECT_RATES_H
#define SRV_FACTS_CACHE_DETECT_RATES_H

#include "facts/cache/detect_steps.h"

/**
 * Factor between the boundaries at two rates from which on they are not one capacity. The knee of
 * a capacity moves by less between patterns; turnover moved it by 1.5 between one and two chains
 * and by 20 between the slowest and the fastest rate.
 */
#define SRV_MOVED_MIN 1.5

/** A cache boundary at some rate, on the latency scale of the plain one. */
typedef struct srv_boundary {
    srv_capacity capacity;
    double before, behind; /**< latency on both sides */
    double confidence;
} srv_boundary;

/** The boundaries that each other rate shows. */
typedef struct srv_rates {
    int count;
    struct srv_seen_rate {
        int n;
        srv_boundary boundary[SRV_STEPS_MAX];
        double slowness; /**< time per load against the plain rate, at the largest size */
        bool same;       /**< the steps of the plain curve explain this one equally well */
    } rate[SERVET_RATES_MAX];
} srv_rates;

/** Fits the curves of all rates; `fit` is that of `lines`, `known` lists the TLBs. `room` is
 *  overwritten. */
void srv_rates_find(const servet_cache_evidence *evidence, const servet_cache_analysis *known,
                    const srv_fitter *fitter, const srv_fit *fit, srv_fitter *room,
                    srv_rates *rates);

/** A cache with turnover. */
typedef struct srv_turnover {
    bool hidden;       /**< a level behind the last one that the plain curve shows, else that one */
    double reach;      /**< bytes that the plain rate reaches */
    double low, high;  /**< bytes that all rates reach */
    double latency;    /**< of a load that hits it, for a hidden level */
    double confidence; /**< 0..1, for a hidden level */
} srv_turnover;

/**
 * Compares the last boundary of the plain curve, of capacity `plain` and with the latency `behind`,
 * with those at the other rates. True if it moves with the rate by more than the uncertainty of the
 * curves, or if other rates show one behind it that the plain rate is too slow for.
 */
bool srv_rates_turnover(const srv_rates *rates, const srv_capacity *plain, double behind,
                        srv_turnover *turnover);

#endif
