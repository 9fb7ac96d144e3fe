/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/human.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
enum { UNIT_COUNT = sizeof units / sizeof units[0] };

/* Larger numbers are printed with a power of ten, even in tables. */
static const double PLAIN_MAX = 1e12;

const char *human_digits(double number, int digits, char text[HUMAN_MAX])
{
    if (!isfinite(number))
        snprintf(text, HUMAN_MAX, "-");
    else if (fabs(number) >= pow(10, digits) - 0.5 && fabs(number) < PLAIN_MAX)
        snprintf(text, HUMAN_MAX, "%.0f", number);
    else
        snprintf(text, HUMAN_MAX, "%.*g", digits, number);
    return text;
}

/* The largest unit that is not larger than the number. */
static int unit_of(double bytes)
{
    int unit = 0;
    while (unit + 1 < UNIT_COUNT && fabs(bytes) >= ldexp(1, 10 * (unit + 1)))
        unit++;
    return unit;
}

/* Three digits, without an exponent for values that round to the 1000 to 1024 below the next unit.
 */
static void put(double bytes, int unit, char text[HUMAN_MAX])
{
    human_digits(ldexp(bytes, -10 * unit), 3, text);
}

void human_bytes(double bytes, char text[HUMAN_MAX])
{
    char amount[HUMAN_MAX];
    int unit = unit_of(bytes);
    put(bytes, unit, amount);
    snprintf(text, HUMAN_MAX, isfinite(bytes) ? "%.40s %s" : "%.40s", amount, units[unit]);
}

void human_interval(double low, double high, char text[HUMAN_MAX])
{
    char from[HUMAN_MAX], to[HUMAN_MAX];
    int unit = unit_of(high);
    if (!isfinite(low) || !isfinite(high)) {
        snprintf(text, HUMAN_MAX, "-");
        return;
    }
    if (low < ldexp(0.1, 10 * unit))
        human_bytes(low, from);
    else
        put(low, unit, from);
    put(high, unit, to);
    if (strcmp(from, to) == 0)
        snprintf(text, HUMAN_MAX, "%.40s %s", to, units[unit]);
    else
        snprintf(text, HUMAN_MAX, "%.20s-%.20s %s", from, to, units[unit]);
}

void human_time(double seconds, char text[HUMAN_MAX])
{
    static const char *const names[] = {"ns", "us", "ms", "s"};
    char digits[HUMAN_MAX];
    int unit = 0;
    double amount = seconds * HUMAN_NS;
    for (; unit < 3 && fabs(amount) >= 999.5; unit++)
        amount /= 1000;
    human_digits(amount, 3, digits);
    snprintf(text, HUMAN_MAX, isfinite(seconds) ? "%.40s %s" : "%.40s", digits, names[unit]);
}

void human_number(double number, char text[HUMAN_MAX])
{
    human_digits(number, 4, text);
}
