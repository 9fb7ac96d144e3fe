/* SPDX-License-Identifier: BSD-3-Clause */
/** Prints quantities for people. Values that are not finite are "-", without a unit. */
#ifndef SRV_CORE_HUMAN_H
#define SRV_CORE_HUMAN_H

#include <stddef.h>

enum { HUMAN_MAX = 48 };

/** Nanoseconds, in which people read times, in a second. */
#define HUMAN_NS 1e9
#define HUMAN_US 1e6

/** "48 KiB", "1.5 MiB", "100 B": three digits, binary units. */
void human_bytes(double bytes, char text[HUMAN_MAX]);

/** "46.5-49.2 KiB"; if the ends differ much, each has its own unit: "4 KiB-57 MiB"; if both ends
 * have the same text, it is written once: "48 KiB". */
void human_interval(double low, double high, char text[HUMAN_MAX]);

/** "8.1 us", "4.91 ms": three digits of a time in seconds. */
void human_time(double seconds, char text[HUMAN_MAX]);

/** Writes the number with this number of significant digits, without an exponent below 1e12.
 * Returns `text`. */
const char *human_digits(double number, int digits, char text[HUMAN_MAX]);

/** human_digits() as an argument of printf(): the text is valid to the end of the block. */
#define HUMAN(number, digits) human_digits(number, digits, (char[HUMAN_MAX]){0})

/** Four digits. */
void human_number(double number, char text[HUMAN_MAX]);

#endif
