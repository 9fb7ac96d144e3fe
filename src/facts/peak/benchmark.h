/* SPDX-License-Identifier: BSD-3-Clause */
/** Measuring peak rates: several visits to each kind of instructions, at different moments. */
#ifndef SRV_FACTS_PEAK_BENCHMARK_H
#define SRV_FACTS_PEAK_BENCHMARK_H

#include "sample/sampler.h"
#include "stats/peak_visits.h"

/** Time of a visit, s: some 10 ms until the clock is steady and sets are compared, then samples. */
#define SRV_PEAK_SECONDS 30e-3

/** Visits all rows in turn, which begin without visits, twice, and more often until the best two
 * visits are alike; those after the deadline have none. Errors: those of the machine,
 * SERVET_EINTERRUPTED, SERVET_EMEMORY. */
int srv_bench_peaks(const srv_sampler *sampler, srv_peak_row *rows, int count, servet_error *error);

#endif
