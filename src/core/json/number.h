/* SPDX-License-Identifier: BSD-3-Clause */
/** Numbers as text that reads back as the same number, in any locale. */
#ifndef SRV_CORE_JSON_NUMBER_H
#define SRV_CORE_JSON_NUMBER_H

enum { SRV_NUMBER_TEXT_MAX = 32 };

/** Returns the smallest number of significant digits, 15 to 17, that represents the double exactly.
 */
int srv_number_digits(double value);

/** Writes a finite number with these digits; whole numbers below 1e18 without exponent and point.
 */
void srv_number_text(double value, char text[SRV_NUMBER_TEXT_MAX]);

#endif
