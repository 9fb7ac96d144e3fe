/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/names.h"
#include "servet/analyze.h"

const char *const srv_unit_symbols[SRV_UNIT_COUNT] = {SERVET_UNIT_LIST(SRV_TEXT_OF) "ns", "us"};

static const srv_limits limits[] = {
    [SERVET_UNIT_NONE] = {1e-30, 1e18},
    [SERVET_UNIT_BYTE] = {1, SRV_BYTES_MAX},
    [SERVET_UNIT_CYCLE] = {1e-30, 1e15},
    [SERVET_UNIT_BYTE_PER_SECOND] = {1e-30, 1e18},
    [SERVET_UNIT_HERTZ] = {1, 1e12},
    [SERVET_UNIT_SECOND] = {1e-30, SRV_SECONDS_MAX},
    [SERVET_UNIT_FLOP_PER_SECOND] = {1e-30, 1e18},
    [SERVET_UNIT_FLOP_PER_BYTE] = {1e-30, 1e18},
    [SRV_UNIT_NANOSECOND] = {1e-21, SRV_SECONDS_MAX * 1e9},
    [SRV_UNIT_MICROSECOND] = {1e-24, SRV_SECONDS_MAX * 1e6},
};

srv_limits srv_unit_limits(servet_unit unit)
{
    return limits[unit];
}

bool srv_unit_holds(servet_unit unit, double number)
{
    return number >= limits[unit].least && number <= limits[unit].most;
}

bool srv_is_bounded(double number)
{
    return fabs(number) <= limits[SERVET_UNIT_NONE].most;
}

bool srv_is_cost(double number)
{
    return number >= SERVET_COST_MIN && number <= SERVET_COST_MAX;
}

/* Removes the rounding error of a product or quotient: returns the nearest number with 15 digits.
 */
static double rounded(double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", number);
    return strtod(text, NULL);
}

/* The number of these units in one unit of facts, such as 1e9 ns in a second; 1 if facts have this
 * unit. */
static double scale_of(servet_unit unit)
{
    return unit == SRV_UNIT_NANOSECOND ? 1e9 : unit == SRV_UNIT_MICROSECOND ? 1e6 : 1;
}

servet_unit srv_fact_unit(servet_unit unit)
{
    return scale_of(unit) == 1 ? unit : SERVET_UNIT_SECOND;
}

double srv_in_unit(double fact, servet_unit unit)
{
    double scale = scale_of(unit);
    return scale == 1 ? fact : rounded(fact * scale);
}

double srv_of_unit(double number, servet_unit unit)
{
    double scale = scale_of(unit);
    return scale == 1 ? number : rounded(number / scale);
}

double srv_seconds(double ns)
{
    return srv_of_unit(ns, SRV_UNIT_NANOSECOND);
}

double srv_nanoseconds(double seconds)
{
    return srv_in_unit(seconds, SRV_UNIT_NANOSECOND);
}

servet_value srv_value_in_unit(servet_value fact, servet_unit unit)
{
    if (fact.unit != srv_fact_unit(unit))
        return fact;
    fact.value = srv_in_unit(fact.value, unit);
    fact.low = srv_in_unit(fact.low, unit);
    fact.high = srv_in_unit(fact.high, unit);
    fact.unit = unit;
    return fact;
}

servet_value srv_value_in_seconds(servet_value value)
{
    value.value = srv_of_unit(value.value, value.unit);
    value.low = srv_of_unit(value.low, value.unit);
    value.high = srv_of_unit(value.high, value.unit);
    value.unit = srv_fact_unit(value.unit);
    return value;
}

servet_value srv_timed(double value, double low, double high, int samples, servet_unit unit)
{
    return (servet_value){value, low, high, samples, unit, SERVET_METHOD_TIMED, true};
}
