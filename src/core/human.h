/* SPDX-License-Identifier: BSD-3-Clause */
/** Quantities as people read them. Values that are not finite are "-", without a unit. */
#ifndef SRV_CORE_HUMAN_H
#define SRV_CORE_HUMAN_H

#include <stddef.h>

enum { HUMAN_MAX = 48 };

/** Number of units in which people read times, for a second. */
#define HUMAN_NS 1e9
#define HUMAN_US 1e6

/** "48 KiB", "1.5 MiB", "100 B": three digits, binary units. */
void human_bytes(double bytes, char text[HUMAN_MAX]);

/** "46.5-49.2 KiB"; if the ends differ much each has its own unit: "4 KiB-57 MiB"; ends with the
 * same text are one: "48 KiB". */
void human_interval(double low, double high, char text[HUMAN_MAX]);

/** "8.1 us", "4.91 ms": three digits of a time in seconds. */
void human_time(double seconds, char text[HUMAN_MAX]);

/** `text`: the number with this many significant digits, but no exponent for a number below 1e12
 * that has more of them before the point. */
const char *human_digits(double number, int digits, char text[HUMAN_MAX]);

/** The same as an argument of printf(): the text lasts to the end of the block. */
#define HUMAN(number, digits) human_digits(number, digits, (char[HUMAN_MAX]){0})

/** Four digits. */
void human_number(double number, char text[HUMAN_MAX]);

#endif
