/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The parts of the papers' method that servet_analyze_cache_2010() joins; share/doc/servet2010.md
 * says what the papers print and what they leave open.
 */
#ifndef SRV_FACTS_SERVET2010_DETECT_H
#define SRV_FACTS_SERVET2010_DETECT_H

#include "servet/analyze.h"

/** A stretch of points first..last over which the curve rises; the steepest step is top to top + 1.
 */
typedef struct srv_2010_peak {
    size_t first, last, top;
} srv_2010_peak;

/**
 * The peaks of the gradient, in order, at most `max`; returns how many. Points at the end of one
 * may be the beginning of the next.
 */
int srv_2010_peaks(const servet_curve *curve, srv_2010_peak *peaks, int max);

/** Share (0..1) of the peak's rise that its steepest step makes. */
double srv_2010_top_share(const servet_curve *curve, const srv_2010_peak *peak);

/** What the probabilistic algorithm says of a stretch of the curve. */
typedef struct srv_2010_size {
    double bytes;     /**< the capacity that most of the best fits name */
    double low, high; /**< the range of capacities that they name */
    double share;     /**< share (0..1) of them that name `bytes` */
    bool voted;       /**< false: a step of the curve decided; the range is that step, the share
                           what it makes of the rise */
} srv_2010_size;

/**
 * IPDPS'10, Fig. 3, on points first..last: the capacity CS and ways K whose P(X > K) differs least
 * from the measured miss rate. Capacities are those of the papers' grid within the stretch and
 * above `above`. False where there is none to choose from: pages so large that no way of such a
 * cache holds one.
 */
bool srv_2010_probabilistic(const servet_curve *curve, size_t first, size_t last, double above,
                            const servet_2010_options *options, srv_2010_size *size);

#endif
