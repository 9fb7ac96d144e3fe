/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Times are seconds in every fact. Samples are nanoseconds, and so are the times of nodes in
 * profiles and raw files: between them the decimal point moves by nine places, and the 15 digits
 * that a double is sure to hold stay as they are. 1.3 ns are 1.3e-9 s, and those are 1.3 ns again.
 */
#ifndef SRV_CORE_UNITS_H
#define SRV_CORE_UNITS_H

#include "servet/value.h"

/** A unit of files and samples, of which no fact is. */
#define SRV_UNIT_NANOSECOND SERVET_UNIT_COUNT

/** No size in a file may be larger: 1 PiB. Counts of pages and of bytes fit every integer. */
#define SRV_BYTES_MAX 0x1p50

/** Nor any time: 11 days. */
#define SRV_SECONDS_MAX 1e6

/**
 * The least and the most that a number in this unit may be, beside 0. The range holds whatever is
 * measured or computed from it, but keeps sums finite and loops short. Sizes are
 * 1 B or more; the least of the others is below any difference of two measured numbers that is not
 * 0.
 */
typedef struct srv_limits {
    double least, most;
} srv_limits;
srv_limits srv_unit_limits(servet_unit unit);

/** Returns true if the number lies within the limits of its unit; 0, NaN and infinity do not. */
bool srv_unit_holds(servet_unit unit, double number);

/** Returns true if the number is finite and no more than any quantity can be, whatever its sign. */
bool srv_is_bounded(double number);

/** Returns true if the number is a cost between cores, in whatever unit; 0 and NaN, which stand for
 * one that was not measured, are none. */
bool srv_is_cost(double number);

/** NaN and infinity stay what they are. */
double srv_seconds(double ns);
double srv_nanoseconds(double seconds);

/** A time in seconds, of which value, low and high are nanoseconds; and the other way round. */
servet_value srv_value_in_seconds(servet_value ns);
servet_value srv_value_in_nanoseconds(servet_value seconds);

#endif
