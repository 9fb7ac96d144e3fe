/* SPDX-License-Identifier: BSD-3-Clause */
/** What other access patterns tell about the steps of a curve: translation and turnover. */
#ifndef SRV_DETECT_CACHE_EVIDENCE_H
#define SRV_DETECT_CACHE_EVIDENCE_H

#include "detect/cache_steps.h"

/**
 * Cost of translation as measured: loads that touch one line per page against as many lines side by
 * side, the same cache footprint. Gives it to the fitter of `lines` and lists its steps in
 * `analysis`. Does nothing without `pages`, page_bytes and line_bytes. `room` is overwritten.
 */
void srv_evidence_translation(const servet_cache_evidence *evidence, srv_fitter *fitter,
                              srv_fitter *room, servet_cache_analysis *analysis);

/**
 * Compares the last boundary of `lines`, step `last` of `fit`, with that of the same loads at other
 * rates. Returns whether it moves by more than the curves' uncertainty; `*low` and `*high` then
 * hold its range in bytes. `room` is overwritten.
 */
bool srv_evidence_turnover(const servet_cache_evidence *evidence, srv_fitter *fitter,
                           const srv_fit *fit, int last, srv_fitter *room, double *low,
                           double *high);

#endif
