/* SPDX-License-Identifier: BSD-3-Clause */
/** Times each function of the public headers that queries a profile. */
#ifndef SRV_BENCHMARKS_QUERIES_H
#define SRV_BENCHMARKS_QUERIES_H

#include <stdbool.h>
#include "servet/profile.h"

/**
 * Prints the time of each query. False: a look-up took longer than the limit that it prints, or,
 * with `complete`, a query had no answer.
 */
bool time_queries(const servet_profile *profile, bool complete);

#endif
