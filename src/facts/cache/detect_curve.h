/* SPDX-License-Identifier: BSD-3-Clause */
/** Checks that all detectors apply to a curve. */
#ifndef SRV_FACTS_CACHE_DETECT_CURVE_H
#define SRV_FACTS_CACHE_DETECT_CURVE_H

#include "servet/analyze.h"

/** SERVET_OK for at least 4 points that obey the rules of servet_curve. Errors: SERVET_EARGUMENT,
 * with `name` (of the curve) and the point in the text. */
int srv_curve_check(const servet_curve *curve, const char *name, servet_error *error);

#endif
