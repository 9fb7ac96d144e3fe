/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Draws explanations of a curve in proportion to their probability.
 *
 * Where points are far apart, other steps explain a curve about as well as the best ones. The share
 * of the draws with a boundary at a size is the probability of that size.
 */
#ifndef SRV_FACTS_CACHE_DETECT_DRAWS_H
#define SRV_FACTS_CACHE_DETECT_DRAWS_H

#include "facts/cache/detect_steps.h"

enum { SRV_DRAWS_MAX = 4000, SRV_DRAWN_STEPS_MAX = 6 };

/** The caches of one explanation. */
typedef struct srv_draw {
    int n;
    double knee[SRV_DRAWN_STEPS_MAX]; /**< log2 bytes, ascending */
    double share;                     /**< weight of the draw; of all together 1 */
} srv_draw;

/** All draws. Some 250 KiB: lives on the heap. */
typedef struct srv_draws {
    int n;
    srv_draw draw[SRV_DRAWS_MAX];
    double low[SRV_STEPS_MAX], high[SRV_STEPS_MAX]; /**< log2 bytes: knees that are those of a step
                                                       of the fit that is a cache */
} srv_draws;

/** True if the curve has a gap that may hide a boundary: its explanations must be drawn. */
bool srv_draws_needed(const srv_fitter *fitter);

/**
 * Draws explanations as random loads and as a chase, by how well each explains the curve; the
 * fitter's costs of both must be known. The same curve gives the same draws.
 */
void srv_draws_make(srv_fitter *fitter, const servet_cache_analysis *known, srv_draws *draws);

/** Assigns each knee of the draws to the nearest cache of the fit; how many draws have one there is
 * the confidence of its verdict. */
void srv_draws_assign(srv_draws *draws, const srv_fit *fit,
                      srv_step_verdict verdict[SRV_STEPS_MAX]);

/** Replaces the shares of the candidates for step `k` by those of the draws, if any has a knee
 * there. */
void srv_draws_weigh(const srv_draws *draws, int k, srv_candidates *all);

#endif
