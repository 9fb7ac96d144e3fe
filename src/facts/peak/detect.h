/* SPDX-License-Identifier: BSD-3-Clause */
/** Peak rates from visits. Pure functions. */
#ifndef SRV_FACTS_PEAK_DETECT_H
#define SRV_FACTS_PEAK_DETECT_H

#include "stats/peak_visits.h"

/** The fact of a row with visits: the best visit, in an interval down to the second best one. */
servet_peak srv_detect_peak(const srv_peak_row *row);

/**
 * Why the rate is not trusted, for people, in static storage; NULL: it is. No other visit confirms
 * it; or the operations of a cycle, divided by the numbers of a register, are not a whole number:
 * units do one or two operations of each number in a cycle, unless threads share them.
 */
const char *srv_detect_peak_doubt(const srv_peak_row *row);

#endif
