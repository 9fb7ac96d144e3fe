/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts facts to numbers, and finds whether they are known. */
#include "profile/keys/keys.h"

static servet_value exactly(double number, servet_unit unit)
{
    return (servet_value){number, number, number, 0, unit, SERVET_METHOD_TIMED, true};
}

/* Converts a number to a value; 0 may mean that the number is not known. */
static servet_value number_of(const srv_key *key, double number, servet_unit unit)
{
    return number == 0 && key->field->zero_is_unknown ? servet_value_unknown(unit)
                                                      : exactly(number, unit);
}

bool srv_key_value(const srv_key *key, const void *at, servet_value *value)
{
    const srv_list *list = at;
    switch (key->type) {
    case SRV_VALUE:
        *value = *(const servet_value *)at;
        return true;
    case SRV_INTEGER:
        *value = number_of(key, *(const int *)at, SERVET_UNIT_NONE);
        return true;
    case SRV_COUNT:
        *value = *(const int *)at ? exactly(*(const int *)at, SERVET_UNIT_NONE)
                                  : servet_value_unknown(SERVET_UNIT_NONE);
        return true;
    case SRV_NUMBER:
        *value = number_of(key, *(const double *)at, key->field->unit);
        return true;
    case SRV_VALUES:
    case SRV_STRINGS:
    case SRV_LIST:
    case SRV_FACTS:
        *value = list->known ? exactly(list->count, SERVET_UNIT_NONE)
                             : servet_value_unknown(SERVET_UNIT_NONE);
        return true;
    default:
        return false;
    }
}

/* Returns true if no core type is stored: then nothing of the cores was measured. */
static bool is_empty_node(const srv_key *key, const void *at)
{
    return key->type == SRV_LIST && key->field->shape == &srv_kind_shape &&
           ((const srv_list *)at)->count == 0;
}

bool srv_key_is_known(const srv_key *key, const void *at)
{
    servet_value value;
    if (is_empty_node(key, at))
        return false;
    if (key->type == SRV_SETS || key->type == SRV_PLACES)
        return ((const srv_list *)at)->known;
    return !srv_key_value(key, at, &value) || servet_value_known(&value);
}
