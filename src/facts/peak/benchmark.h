/* SPDX-License-Identifier: BSD-3-Clause */
/** Measuring peak rates: several visits to each kind of instructions, at different moments. */
#ifndef SRV_FACTS_PEAK_BENCHMARK_H
#define SRV_FACTS_PEAK_BENCHMARK_H

#include "sample/sampler.h"

/** Visits in a row that differ by no more than this are alike. Cores change their clocks by steps
 * of 100 MHz, 5 % of the lowest base clocks of servers; a thread beside on the core takes more. */
#define SRV_PEAK_ALIKE 0.05

/** Two visits, and more until the best two are alike. */
enum { SRV_PEAK_VISITS_LEAST = 2, SRV_PEAK_VISITS_MAX = 5 };

/** Instructions, and cores that compute with them at once. */
typedef struct srv_peak_row {
    servet_precision precision;
    servet_width width;
    const int *cores; /**< OS numbers; the caller's */
    int count;
    bool refused; /**< the machine has no such instructions */
    int visits;
    /** of each visit, of all cores: the sum of their rates, their mean frequency, the registers */
    srv_computed visit[SRV_PEAK_VISITS_MAX];
} srv_peak_row;

/** The visit with the best rate; other work only lowers it. There is at least one visit. */
const srv_computed *srv_peak_best(const srv_peak_row *row);

/** The best median of the other visits; 0: there are none. */
double srv_peak_second(const srv_peak_row *row);

/** Visits all rows in turn, which begin without visits; those after the deadline have none. Errors:
 * those of the machine, SERVET_EINTERRUPTED, SERVET_EMEMORY. */
int srv_bench_peaks(const srv_sampler *sampler, srv_peak_row *rows, int count, servet_error *error);

#endif
