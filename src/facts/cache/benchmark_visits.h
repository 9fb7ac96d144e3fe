/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measures a latency curve by visits to several placements, each at several moments: interference
 * comes in bursts, and the curve is derived from the visits between them.
 *
 * Every round visits all incomplete sizes, so the moments of a size lie a round apart. The
 * grid is refined once all placements have been visited. stats/visits.h defines quiet visits and
 * combines them.
 */
#ifndef SRV_FACTS_CACHE_BENCHMARK_VISITS_H
#define SRV_FACTS_CACHE_BENCHMARK_VISITS_H

#include "facts/cache/benchmark_curve.h"
#include "stats/visits.h"

/**
 * Measures sizes as the plan says (all but `rounds`, `typical` and `next`); the caller frees the
 * visits. It goes on until each size has its quiet visits, fewer where one takes long, or its
 * maximum of visits, or until the deadline. `huge_share` as in srv_series. Errors: those of
 * srv_bench_curve().
 */
int srv_bench_visits(const srv_curve_plan *plan, srv_visits *visits, double *huge_share,
                     servet_error *error);

#endif
