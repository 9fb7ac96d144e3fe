/* SPDX-License-Identifier: BSD-3-Clause */
/** What one line per page tells about the steps of a curve: translation. */
#ifndef SRV_DETECT_CACHE_EVIDENCE_H
#define SRV_DETECT_CACHE_EVIDENCE_H

#include "detect/cache_steps.h"

/**
 * Cost of translation as measured: loads that touch one line per page against as many lines side by
 * side, the same cache footprint. Gives it to the fitter of `lines` and lists its steps in
 * `analysis`. Does nothing without `pages` or unless 0 < line_bytes < page_bytes. `room` is
 * overwritten.
 */
void srv_evidence_translation(const servet_cache_evidence *evidence, srv_fitter *fitter,
                              srv_fitter *room, servet_cache_analysis *analysis);

#endif
