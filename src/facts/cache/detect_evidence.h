/* SPDX-License-Identifier: BSD-3-Clause */
/** What one line per page tells about the steps of a curve: translation. */
#ifndef SRV_FACTS_CACHE_DETECT_EVIDENCE_H
#define SRV_FACTS_CACHE_DETECT_EVIDENCE_H

#include "facts/cache/detect_steps.h"

/**
 * Cost of translation as measured: loads that touch one line per page against as many lines side by
 * side, the same cache footprint. Lists its steps in `analysis`, and says in `penalty[i]` what it
 * costs at size[i] of the fitter of `lines`. False if there is none, or nobody can tell: without
 * `pages`, or unless 0 < line_bytes < page_bytes. `room` is overwritten.
 */
bool srv_evidence_translation(const servet_cache_evidence *evidence, const srv_fitter *fitter,
                              srv_fitter *room, double penalty[SRV_POINTS_MAX],
                              servet_cache_analysis *analysis);

#endif
