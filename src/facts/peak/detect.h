/* SPDX-License-Identifier: BSD-3-Clause */
/** Peak rates from visits. Pure functions. */
#ifndef SRV_FACTS_PEAK_DETECT_H
#define SRV_FACTS_PEAK_DETECT_H

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

/** True if they are alike. */
bool srv_peak_is_confirmed(const srv_peak_row *row);

/** The fact of a row with visits: the best visit, in an interval down to the second best one. */
servet_peak srv_detect_peak(const srv_peak_row *row);

/** Why the rate is not trusted, for people, in static storage; NULL: it is. No other visit confirms
 * it; or the operations of a cycle, divided by the numbers of a register, are not a whole number:
 * units do one or two operations of each number in a cycle, unless threads share them. Two threads
 * may share an odd number of units for integers. */
const char *srv_detect_peak_doubt(const srv_peak_row *row);

#endif
