/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/value.h"

#include <math.h>

#include "core/names.h"

servet_value servet_value_unknown(servet_unit unit)
{
    return (servet_value){NAN, NAN, NAN, 0, unit, SERVET_METHOD_NONE, false};
}

bool servet_value_known(const servet_value *value)
{
    return value->method != SERVET_METHOD_NONE;
}

SRV_NAMES(servet_unit_symbol, servet_unit, SERVET_UNIT_LIST)
SRV_NAMES(servet_method_name, servet_method, SERVET_METHOD_LIST)
