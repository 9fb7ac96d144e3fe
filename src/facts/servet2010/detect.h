/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The parts of the papers' method that servet_analyze_cache_2010() joins; share/doc/servet2010.md
 * lists the choices that the papers leave open.
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
 * The peaks of the gradient, in order, at most `max`; returns their number. Points at the end of
 * one may be the beginning of the next.
 */
int srv_2010_peaks(const servet_curve *curve, srv_2010_peak *peaks, int max);

/** Share (0..1) of the peak's rise that its steepest step makes. */
double srv_2010_top_share(const servet_curve *curve, const srv_2010_peak *peak);

#endif
