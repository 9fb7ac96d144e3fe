/* SPDX-License-Identifier: BSD-3-Clause */
/** Independent random loads as evidence of capacities, the chase as that of latencies. */
#ifndef SRV_FACTS_CACHE_DETECT_INDEPENDENT_H
#define SRV_FACTS_CACHE_DETECT_INDEPENDENT_H

#include "core/error.h"
#include "servet/analyze.h"

/**
 * The curve of `independent` on the scale of `lines`. The time to choose the next line is
 * subtracted: the difference between the fastest loads of the two, which the nearest cache serves
 * in both. The caller frees. Errors: SERVET_EMEMORY.
 */
int srv_independent_plain(const servet_cache_evidence *evidence, servet_curve *plain,
                          servet_error *error);

#endif
