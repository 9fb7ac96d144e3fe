/* SPDX-License-Identifier: BSD-3-Clause */
/** Visits to kinds of instructions, whose peak rates they show. Other work only lowers a rate: the
 * best visit counts. */
#ifndef SRV_STATS_PEAK_VISITS_H
#define SRV_STATS_PEAK_VISITS_H

#include "servet/node.h"

/** Visits of a row that differ by no more than this are alike. Cores change their clocks by steps
 * of 100 MHz, 5 % of the lowest base clocks of servers; a thread beside on the core takes more. */
#define SRV_PEAK_ALIKE 0.05

enum { SRV_PEAK_VISITS_MAX = 5 };

/** A visit to all cores of a row at once. */
typedef struct srv_peak_visit {
    double rate;      /**< of all together: the sum of their medians, FLOP/s */
    double low, high; /**< sums of quartiles */
    double ghz;       /**< mean of the core cycles per ns */
    int bits;         /**< of a register as far as an instruction uses it */
} srv_peak_visit;

/** Instructions, and cores that compute with them at once. */
typedef struct srv_peak_row {
    servet_precision precision;
    servet_width width;
    const int *cores; /**< OS numbers; the caller's */
    int count;
    bool refused; /**< the machine has no such instructions */
    int visits;
    srv_peak_visit visit[SRV_PEAK_VISITS_MAX];
} srv_peak_row;

/** The visit with the best rate, of at least one. */
const srv_peak_visit *srv_peak_best(const srv_peak_row *row);

/** The best rate of the other visits; 0: there are none. */
double srv_peak_second(const srv_peak_row *row);

/** True if they are alike. */
bool srv_peak_is_confirmed(const srv_peak_row *row);

#endif
