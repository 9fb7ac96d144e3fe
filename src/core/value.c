/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/value.h"

#include <math.h>

#define TEXT(name, text) text,
static const char *const unit_symbols[] = {SERVET_UNIT_LIST(TEXT)};
static const char *const method_names[] = {SERVET_METHOD_LIST(TEXT)};
#undef TEXT

servet_value servet_value_unknown(servet_unit unit)
{
    return (servet_value){NAN, NAN, NAN, 0, unit, SERVET_METHOD_NONE, false};
}

bool servet_value_known(const servet_value *value)
{
    return value->method != SERVET_METHOD_NONE;
}

const char *servet_unit_symbol(servet_unit unit)
{
    return (unsigned)unit < SERVET_UNIT_COUNT ? unit_symbols[unit] : "?";
}

const char *servet_method_name(servet_method method)
{
    return (unsigned)method < SERVET_METHOD_COUNT ? method_names[method] : "?";
}
