/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "servet/analyze.h"

static const srv_limits limits[] = {
    [SERVET_UNIT_NONE] = {1e-30, 1e18},
    [SERVET_UNIT_BYTE] = {1, SRV_BYTES_MAX},
    [SERVET_UNIT_CYCLE] = {1e-30, 1e15},
    [SERVET_UNIT_BYTE_PER_SECOND] = {1e-30, 1e18},
    [SERVET_UNIT_HERTZ] = {1, 1e12},
    [SERVET_UNIT_SECOND] = {1e-30, SRV_SECONDS_MAX},
    [SRV_UNIT_NANOSECOND] = {1e-21, SRV_SECONDS_MAX * 1e9},
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

/* Removes the rounding error of a product or quotient: the nearest number of 15 digits. */
static double rounded(double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", number);
    return strtod(text, NULL);
}

double srv_seconds(double ns)
{
    return rounded(ns / 1e9);
}

double srv_nanoseconds(double seconds)
{
    return rounded(seconds * 1e9);
}

static servet_value converted(servet_value value, double (*convert)(double), servet_unit unit)
{
    value.value = convert(value.value);
    value.low = convert(value.low);
    value.high = convert(value.high);
    value.unit = unit;
    return value;
}

servet_value srv_value_in_seconds(servet_value ns)
{
    return converted(ns, srv_seconds, SERVET_UNIT_SECOND);
}

servet_value srv_value_in_nanoseconds(servet_value seconds)
{
    return converted(seconds, srv_nanoseconds, SRV_UNIT_NANOSECOND);
}
