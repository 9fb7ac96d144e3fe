/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Converts times. Facts have seconds, samples have nanoseconds, profiles and keys have the unit at
 * the end of the fact's name. The conversion moves the decimal point and keeps the 15 digits that
 * every double holds: 1.3 ns become 1.3e-9 s, and then 1.3 ns again.
 */
#ifndef SRV_CORE_UNITS_H
#define SRV_CORE_UNITS_H

#include "servet/value.h"

/** Units that files and samples have, but no fact. */
#define SRV_UNIT_NANOSECOND  SERVET_UNIT_COUNT
#define SRV_UNIT_MICROSECOND ((servet_unit)(SERVET_UNIT_COUNT + 1))
enum { SRV_UNIT_COUNT = SERVET_UNIT_COUNT + 2 };

/** Symbols of all units, "ns" and "us" included. */
extern const char *const srv_unit_symbols[SRV_UNIT_COUNT];

/** Returns the unit of facts for a unit of files: seconds for ns and us, otherwise the same. */
servet_unit srv_fact_unit(servet_unit unit);

/** No size in a file may be larger: 1 PiB. Counts of pages and of bytes fit every integer. */
#define SRV_BYTES_MAX 0x1p50

/** No time in a file may be larger: 11 days. */
#define SRV_SECONDS_MAX 1e6

/**
 * The least and the greatest number in a unit; 0 is allowed, too. The range contains every measured
 * or computed number, but keeps sums finite and loops short. The least size is 1 B; in other units,
 * the least number is below any nonzero difference of two measured numbers.
 */
typedef struct srv_limits {
    double least, most;
} srv_limits;
srv_limits srv_unit_limits(servet_unit unit);

/** Returns true if the number lies within the limits of its unit; 0, NaN and infinity do not. */
bool srv_unit_holds(servet_unit unit, double number);

/** Returns true if the number is finite and within the range of all quantities, with any sign. */
bool srv_is_bounded(double number);

/** Returns true if the number is a cost between cores, in any unit. 0 and NaN mean that it was not
 * measured. */
bool srv_is_cost(double number);

/** Convert times of samples and facts. NaN and infinity are unchanged. */
double srv_seconds(double ns);
double srv_nanoseconds(double seconds);

/** Convert a number of a fact to a unit of files, and back. */
double srv_in_unit(double fact, servet_unit unit);
double srv_of_unit(double number, servet_unit unit);

/** Convert value, low and high of a fact to a unit of files, and from a unit of files to the unit
 * of facts: seconds for ns and us, otherwise unchanged. */
servet_value srv_value_in_unit(servet_value fact, servet_unit unit);
servet_value srv_value_in_seconds(servet_value value);

/** A timed value, which is trusted. */
servet_value srv_timed(double value, double low, double high, int samples, servet_unit unit);

#endif
