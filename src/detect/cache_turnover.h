/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Capacity or turnover? A cache whose content others replace keeps a line for a time, not for a
 * number of bytes: the boundary it shows is (access rate) x (that time) and moves with the rate.
 */
#ifndef SRV_DETECT_CACHE_TURNOVER_H
#define SRV_DETECT_CACHE_TURNOVER_H

#include "detect/cache_steps.h"

/** A cache that others turn over. */
typedef struct srv_turnover {
    bool hidden;       /**< a level behind the last one that the plain curve shows, else that one */
    double reach;      /**< bytes that the plain rate reaches */
    double low, high;  /**< bytes that all rates reach */
    double latency;    /**< of a load that hits it, for a hidden level */
    double confidence; /**< 0..1, for a hidden level */
} srv_turnover;

/**
 * Compares the last boundary of `lines` (fitted in `fit`; its capacity is `plain`, the latency
 * behind it `behind`) with those at the other rates of the evidence. True if it moves with the rate
 * by more than the uncertainty of the curves, or if other rates show one behind it that the plain
 * rate is too slow for. `room` is overwritten.
 */
bool srv_turnover_find(const servet_cache_evidence *evidence, const srv_fitter *fitter,
                       const srv_fit *fit, const srv_capacity *plain, double behind,
                       srv_fitter *room, srv_turnover *turnover);

#endif
