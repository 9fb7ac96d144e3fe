/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Measuring a latency curve by visits to several placements, each at several moments: what others
 * do to a core comes in bursts, and the curve is made of the visits between them.
 *
 * Every round visits all sizes that still want it, so the moments of a size lie a round apart. The
 * grid is refined once all placements have been visited. What quiet is, and what the visits mean,
 * stats/visits.h says.
 */
#ifndef SRV_FACTS_CACHE_BENCHMARK_VISITS_H
#define SRV_FACTS_CACHE_BENCHMARK_VISITS_H

#include "facts/cache/benchmark_curve.h"
#include "stats/visits.h"

/**
 * Measures sizes as the plan says (all but `rounds`, `typical` and `next`) and hands over the
 * combined visits, which the caller frees. It goes on until each size has its quiet visits, fewer
 * where one takes long, or has been visited often enough to see that there are none, or until the
 * deadline. `huge_share` as in srv_series. Errors: those of srv_bench_curve().
 */
int srv_bench_visits(srv_machine *machine, const srv_curve_plan *plan, srv_visits *visits,
                     double *huge_share, servet_error *error);

#endif
