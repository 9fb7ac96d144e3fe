/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that are not known, and the names of public numbers. */
#include <math.h>

#include "core/names.h"
#include "servet/node.h"
#include "servet/value.h"

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
SRV_NAMES(servet_kernel_name, servet_kernel, SERVET_KERNEL_LIST)
SRV_NAMES(servet_precision_name, servet_precision, SERVET_PRECISION_LIST)
SRV_NAMES(servet_width_name, servet_width, SERVET_WIDTH_LIST)
SRV_NAMES(servet_work_name, servet_work, SERVET_WORK_LIST)
SRV_NAMES(servet_pages_name, servet_pages, SERVET_PAGES_LIST)
