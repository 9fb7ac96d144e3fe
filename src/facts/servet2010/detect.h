/* SPDX-License-Identifier: BSD-3-Clause */
/** The parts of the papers' method that servet_analyze_cache_2010() joins; share/doc/servet2010.md
 * lists the choices that the papers leave open. */
#ifndef SRV_FACTS_SERVET2010_DETECT_H
#define SRV_FACTS_SERVET2010_DETECT_H

#include "servet/analyze.h"

/** The result of the probabilistic algorithm for a stretch of the curve. */
typedef struct srv_2010_size {
    double bytes;     /**< the capacity that most of the best fits name */
    double low, high; /**< the range of capacities that they name */
    double share;     /**< share (0..1) of them that name `bytes` */
    bool voted; /**< false: a step of the curve decided; the range is that step, the share its part
                   of the rise */
} srv_2010_size;

/** IPDPS'10, Fig. 3, on points first..last: the capacity CS and ways K whose P(X > K) differs least
 * from the measured miss rate. Capacities are those of the papers' grid within the stretch and
 * above `above`. False if there is no candidate: pages so large that no way of such a cache holds
 * one. */
bool srv_2010_probabilistic(const servet_curve *curve, size_t first, size_t last, double above,
                            const servet_2010_options *options, srv_2010_size *size);

/** A stretch of points first..last over which the curve rises; the steepest step is top to top + 1.
 */
typedef struct srv_2010_peak {
    size_t first, last, top;
} srv_2010_peak;

/** The peaks of the gradient, in order, at most `max`; returns their number. Points at the end of
 * one may be the beginning of the next. */
int srv_2010_peaks(const servet_curve *curve, srv_2010_peak *peaks, int max);

#endif
