/* SPDX-License-Identifier: BSD-3-Clause */
/** From fitted steps to facts: which of them are caches, and how large those are. */
#ifndef SRV_DETECT_CACHE_STEPS_H
#define SRV_DETECT_CACHE_STEPS_H

#include <stdbool.h>
#include "detect/cache_search.h"

/** A fitted step, judged. */
typedef struct srv_judgement {
    bool cache;        /**< else translation, prefetching, or a part of another step's smear */
    int last;          /**< the step up to which the boundary reaches: usually the step itself */
    double before;     /**< latency of the plateau the step rises from */
    double rise;       /**< plateau after over plateau before, as far as the curve shows it */
    double confidence; /**< 0..1 that it is a cache; 0.5 is the threshold */
} srv_judgement;

/** A capacity and how well the curve determines it, bytes. */
typedef struct srv_capacity {
    double raw;       /**< where the fit is best */
    double low, high; /**< what the curve does not exclude */
    double nominal;   /**< simplest size of a cache within low..high, or raw */
} srv_capacity;

/**
 * Fits the fitter's curve and judges every step. `penalty` is what translation costs at its points, or
 * NULL; it stays in the fitter if the curve is better explained so. A step at a TLB that `known` lists
 * is translation in any case. A coarse curve is taken for independent random loads or for a chase,
 * whichever explains it better, and the fitter keeps the shapes of the choice.
 */
void srv_steps_find(srv_fitter *fitter, const double *penalty, const servet_cache_analysis *known,
                    srv_fit *fit, srv_judgement judgement[SRV_STEPS_MAX]);

/** Judges the steps of a fit. */
void srv_steps_judge(const srv_fitter *fitter, const srv_fit *fit,
                     const servet_cache_analysis *known, srv_judgement judgement[SRV_STEPS_MAX]);

/** Index of the last step that is a cache, or -1. */
int srv_steps_last_cache(const srv_fit *fit, const srv_judgement *judgement);

/** The capacity behind the boundary that reaches from step `k` to step `last`. */
srv_capacity srv_step_capacity(srv_fitter *fitter, const srv_fit *fit, int k, int last);

/** The capacity of step `k` as it is reported: with what the levels behind it may do to it where loads are
 *  independent. */
srv_capacity srv_capacity_told(const srv_fitter *fitter, int k, srv_capacity capacity);

#endif
