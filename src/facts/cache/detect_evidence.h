/* SPDX-License-Identifier: BSD-3-Clause */
/** Derives translation from loads of one line per page. */
#ifndef SRV_FACTS_CACHE_DETECT_EVIDENCE_H
#define SRV_FACTS_CACHE_DETECT_EVIDENCE_H

#include "facts/cache/detect_steps.h"

/**
 * Measured cost of translation: loads of one line per page minus loads of adjacent lines, which
 * have the same cache footprint. Lists its steps in `analysis`; `penalty[i]` becomes its cost at
 * size[i] of the fitter of `lines`. False if there is none or it is unknown: without `pages`, or
 * unless 0 < line_bytes < page_bytes. `room` is overwritten.
 */
bool srv_evidence_translation(const servet_cache_evidence *evidence, const srv_fitter *fitter,
                              srv_fitter *room, double penalty[SRV_POINTS_MAX],
                              servet_cache_analysis *analysis);

/** Cost of the TLBs in `known` for loads of all lines, at each size of the fitter. */
void srv_evidence_penalty(const servet_cache_analysis *known, const srv_fitter *fitter,
                          double penalty[SRV_POINTS_MAX]);

#endif
