/* SPDX-License-Identifier: BSD-3-Clause */
/** The curve of a loaded latency: latency as a function of bandwidth. */
#ifndef SRV_STATS_LOADED_H
#define SRV_STATS_LOADED_H

#include "servet/analyze.h"

/** Copies those of `n` points to `front` (room for n; may be `points`) of which no other one has at
 * least the bandwidth and at most the latency, by ascending bandwidth, which is then also ascending
 * latency: interference only takes bandwidth and adds latency, and more load than memory serves
 * does the same. Returns their number. */
size_t srv_loaded_front(const servet_loaded_point *points, size_t n, servet_loaded_point *front);

/** The latency at a bandwidth, interpolated on a front of n > 0 points; the interval reaches from
 * the point below to the one above. Unknown beyond the last point. */
servet_value srv_loaded_at(const servet_loaded_point *front, size_t n, double bandwidth);

#endif
